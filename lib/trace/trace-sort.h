/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts records by time. */
#ifndef RSP_LIB_TRACE_SORT_H
#define RSP_LIB_TRACE_SORT_H

#include <stddef.h>

#include "rsp/event.h"

/* Sorts cnt records by ts_ns; records with equal times keep their order. Returns 0 or -ENOMEM. */
int rsp_trace_sort(const struct rsp_ev_hdr **events, size_t cnt);

#endif
