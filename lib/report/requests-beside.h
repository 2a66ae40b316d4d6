/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the request that triggered a snapshot with typical requests to the same server in the
 * whole window of the snapshot.
 */
#ifndef RSP_LIB_REQUESTS_BESIDE_H
#define RSP_LIB_REQUESTS_BESIDE_H

#include "lib/report/requests-view.h"

struct rsp_beside {
	struct rsp_requests found;
	struct rsp_comparison comparison; /* slow_cnt is 1 */
	char *sentence;			  /* the result as one sentence; NULL: nothing to compare */
};

/*
 * Sets ret->sentence to NULL if no request triggered the snapshot, if the records do not contain
 * this request, or if the server answered too few other requests. Returns 0 or -ENOMEM.
 */
int rsp_beside_make(const struct rsp_trace *trace, struct rsp_beside *ret);
void rsp_beside_done(struct rsp_beside *b);

#endif
