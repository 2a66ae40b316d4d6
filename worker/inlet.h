/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receives descriptors of open files over RSP_WORKER_INLET. The processes that open the files send
 * them directly, with the number of the request, so rspd never has these descriptors.
 */
#ifndef RSP_WORKER_INLET_H
#define RSP_WORKER_INLET_H

#include <linux/types.h>

/*
 * Returns the descriptor for the request with this number, which the caller must close, or -ENOENT.
 * Does not wait, because the descriptor arrives before any message that refers to it.
 */
int rsp_inlet_take(__u32 number);

#endif
