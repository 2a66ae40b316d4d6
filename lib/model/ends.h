/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Indexes of a model for explanations of many processes: without them, each explanation would look
 * at the waits of all threads, and at all events of the network.
 */
#ifndef RSP_LIB_ENDS_H
#define RSP_LIB_ENDS_H

#include "lib/model/model.h"

struct rsp_model_ends {
	/* All waits that a thread ended (rsp_span_ender()), in order of that thread. */
	struct rsp_end_of_wait {
		__u32 ender, thread; /* indices in the model */
		size_t span;
	} * v;
	size_t cnt, cap;
	struct rsp_idmap senders; /* tids that sent data or opened a connection */
};

/* Returns the first wait that the thread ended, or cnt. */
size_t rsp_model_ends_of(const struct rsp_model_ends *e, __u32 ender);

#endif
