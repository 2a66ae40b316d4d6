/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a request to pause recording, for rspd and rspctl. */
#ifndef RSP_PAUSE_H
#define RSP_PAUSE_H

#define RSP_PAUSE_REASON_MAX 216		  /* bytes, including the NUL */
#define RSP_PAUSE_MAX_NS     31622400000000000ULL /* 366 days */

#endif
