/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that processes which open them send straight to this one, over RSP_WORKER_INLET: rspd never
 * holds them. Each has the number of the request or the wish that it is for.
 */
#ifndef RSP_WORKER_INLET_H
#define RSP_WORKER_INLET_H

#include <linux/types.h>

/* Does not wait: a file is there before anybody speaks of it. Its descriptor, the caller's; -ENOENT
 * if it is not there. */
int rsp_inlet_take(__u32 number);

#endif
