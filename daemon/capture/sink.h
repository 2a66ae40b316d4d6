/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiver of records. */
#ifndef RSP_DAEMON_SINK_H
#define RSP_DAEMON_SINK_H

#include <stddef.h>

/* The record is valid only during the call. */
typedef void (*rsp_sink_fn)(const void *rec, size_t len, void *userdata);

#endif
