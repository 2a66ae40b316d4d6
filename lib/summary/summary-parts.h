/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files summary*.c share. */
#ifndef RSP_LIB_SUMMARY_PARTS_H
#define RSP_LIB_SUMMARY_PARTS_H

#include "lib/base/arena.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/summary/summary.h"

struct rsp_summary_chain {
	__u32 folded;		    /* number of a text */
	enum rsp_category category; /* of the chain's last hop */
	__u64 ns, count;
};

/* A server of the unit. The texts and times are as in struct rsp_request_row. */
struct rsp_summary_requests {
	char comm[RSP_COMM_MAX];
	__u16 port;
	__u64 answered, pending;
	__u64 p50_ns, p90_ns, p99_ns, max_ns;
	char *slowest_text; /* NULL: not explained */
};

struct rsp_summary_unit {
	/* number of a text: the part of the cgroup's path that identifies the unit */
	__u32 cgroup;
	__u32 name; /* number of a text: "nginx.service", or "" */
	/* number of a text: the unit's container, as rsp_container_print() writes it */
	__u32 container;
	__u64 thread_cnt; /* includes threads that slept all the time */
	__u64 total_ns, cat_ns[RSP_CAT_MAX];
	struct {
		/* unsorted until the summary is written as JSON, then longest time first */
		struct rsp_summary_chain *v;
		size_t cnt, cap;
	} chains;
	struct rsp_idmap chain_of; /* maps a text and a category to an index in chains */
	/* The sentence about the main activity of the unit's busiest process. */
	char *cause;
	__u64 cause_ns;
	struct {
		struct rsp_summary_requests *v; /* most answers first */
		size_t cnt, cap;
	} requests;
};

struct rsp_summary {
	const struct rsp_summary_options *opt;
	struct rsp_snapshot *snap;
	const struct rsp_trace *trace;
	struct rsp_model *model;
	struct rsp_explainer *explainer;
	struct rsp_intern texts; /* 0 is "" */
	struct {
		struct rsp_summary_unit *v;
		size_t cnt, cap;
	} units;
	/* maps the number of a cgroup's text to an index in units */
	struct rsp_idmap unit_of_text;
	struct rsp_idmap unit_of_cgroup; /* maps the id of a cgroup to an index in units */
	struct rsp_idmap unit_of_tgid;	 /* process -> index in units */
};

__u64 rsp_summary_busy_ns(const struct rsp_summary_unit *unit);
const char *rsp_summary_text(const struct rsp_summary *s, __u32 text);

/* The functions below that return int return 0 or -ENOMEM. */
/* summary-units.c: explains all processes, and adds the results to their units. */
int rsp_summary_add_processes(struct rsp_summary *s);
/* summary-chains.c: adds the chains of an explained process. */
int rsp_summary_add_chains(struct rsp_summary *s, struct rsp_summary_unit *unit,
			   const struct rsp_explanation *e);
/* summary-requests.c: adds the requests of all servers, and explains the slowest ones. */
int rsp_summary_add_requests(struct rsp_summary *s);
/*
 * summary-json.c: sorts the units and writes the JSON. *ret and errors are those of
 * rsp_summary_make().
 */
int rsp_summary_write(struct rsp_summary *s, char **ret, size_t *ret_len);

#endif
