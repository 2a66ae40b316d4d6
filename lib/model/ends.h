/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Indexes of a model, so that explanations of many processes need not each read all waits and all
 * network events.
 */
#ifndef RSP_LIB_ENDS_H
#define RSP_LIB_ENDS_H

#include "lib/model/model.h"

struct rsp_model_ends {
	/* All waits that a thread ended (rsp_span_ender()), ordered by the index of this thread. */
	struct rsp_end_of_wait {
		__u32 ender, thread; /* indices in the model */
		size_t span;
	} * v;
	size_t cnt, cap;
	struct rsp_idmap senders; /* tids that sent data or opened a connection */
};

/* Returns the index of the first wait with an ender of at least this index, or cnt. */
size_t rsp_model_ends_of(const struct rsp_model_ends *e, __u32 ender);

#endif
