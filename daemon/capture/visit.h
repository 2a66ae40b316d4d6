/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a BPF iterator to its end, and passes the records that it writes to a sink. */
#ifndef RSP_DAEMON_VISIT_H
#define RSP_DAEMON_VISIT_H

#include "daemon/capture/sink.h"

struct bpf_link;

/* Does nothing if iterator is NULL. An invalid record ends the visit. */
void rsp_visit(struct bpf_link *iterator, rsp_sink_fn sink, void *userdata);

#endif
