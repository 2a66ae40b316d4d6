/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a request to pause the recording, for rspd and rspctl. */
#ifndef RSP_PAUSE_H
#define RSP_PAUSE_H

#define RSP_PAUSE_REASON_MAX 216		  /* size of the reason in bytes, with NUL */
#define RSP_PAUSE_MAX_NS     31622400000000000ULL /* maximum length of a pause: 366 days */

#endif
