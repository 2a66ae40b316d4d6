/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of the recorder's summaries (docs/json-summary.md), for rspd and its clients. */
#ifndef RSP_SUMMARY_H
#define RSP_SUMMARY_H

/*
 * Maximum length of a summary as an escaped JSON string, in bytes: a summary and the rest of the
 * reply fit in a message of 64 KiB.
 */
#define RSP_SUMMARY_BYTES_MAX (60 << 10)

#define RSP_SUMMARY_CNT_MAX 64

#endif
