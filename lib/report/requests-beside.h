/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the request for which a snapshot was taken with typical requests of the same server in
 * the whole window of the snapshot.
 */
#ifndef RSP_LIB_REQUESTS_BESIDE_H
#define RSP_LIB_REQUESTS_BESIDE_H

#include "lib/report/requests-view.h"

struct rsp_beside {
	struct rsp_requests found;
	struct rsp_comparison comparison; /* slow_cnt is 1 */
	char *sentence;			  /* NULL: there is nothing to compare */
};

/*
 * Leaves sentence NULL if the snapshot was not taken for a request, if the records do not contain
 * that request, or if the server answered too few others. Takes as long as an explanation. Returns
 * 0 or -ENOMEM.
 */
int rsp_beside_make(const struct rsp_trace *trace, struct rsp_beside *ret);
void rsp_beside_done(struct rsp_beside *b);

#endif
