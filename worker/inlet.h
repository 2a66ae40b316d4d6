/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receives open files over RSP_WORKER_INLET, directly from the processes that open them, so rspd
 * never holds these descriptors. A file comes with the number of its request.
 */
#ifndef RSP_WORKER_INLET_H
#define RSP_WORKER_INLET_H

#include <linux/types.h>

/*
 * Returns the descriptor of the file with this number, which the caller must close, or -ENOENT.
 * Does not wait, because a file arrives before any message mentions it.
 */
int rsp_inlet_take(__u32 number);

#endif
