/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the different samples of several chains. */
#ifndef RSP_LIB_REPORT_SAMPLES_H
#define RSP_LIB_REPORT_SAMPLES_H

#include "lib/model/explain/explain.h"

struct rsp_samples {
	__u32 *v;
	size_t cnt, cap;
};

void rsp_samples_done(struct rsp_samples *s);
int rsp_samples_add(struct rsp_samples *s, const struct rsp_chain *chain); /* -ENOMEM */
size_t rsp_samples_cnt(struct rsp_samples *s);

#endif
