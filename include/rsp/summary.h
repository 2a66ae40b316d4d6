/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of the recorder's summaries, for both rspd and its clients. */
#ifndef RSP_SUMMARY_H
#define RSP_SUMMARY_H

/*
 * Maximum length of a summary that is written as a JSON string, with its escapes. So each summary
 * fits in a message of 64 KiB, together with the rest of the reply.
 */
#define RSP_SUMMARY_BYTES_MAX (60 << 10)

/* Number of summaries that the recorder keeps. */
#define RSP_SUMMARY_CNT_MAX 64

#endif
