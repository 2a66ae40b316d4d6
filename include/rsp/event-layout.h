/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asserts the sizes of the records: the BPF programs, the daemon and the readers of snapshots must
 * have the same structs.
 */
#ifndef RSP_EVENT_LAYOUT_H
#define RSP_EVENT_LAYOUT_H

#include "rsp/event.h"

_Static_assert(sizeof(struct rsp_ev_hdr) == 16, "layout");
_Static_assert(sizeof(struct rsp_ev_switch) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_waking) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_sample) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_block) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_irq) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_net) == 48, "layout");
_Static_assert(sizeof(struct rsp_ev_message) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_work) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_stack) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_object) == 280, "layout");
_Static_assert(sizeof(struct rsp_ev_socket) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_task) == 80, "layout");
_Static_assert(sizeof(struct rsp_ev_exit) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_lost) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_binary) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_shed) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_delay) == 48, "layout");
_Static_assert(sizeof(struct rsp_ev_mark) == 256, "layout");
_Static_assert(sizeof(struct rsp_ev_counters) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_account) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_calls) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_cpu_time) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_stolen) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_container) == 472, "layout");
_Static_assert(sizeof(struct rsp_ev_memory) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_memory_watch) == 120, "layout");

#endif
