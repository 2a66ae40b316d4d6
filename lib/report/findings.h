/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the parts of the findings. A kind of finding that tells where time went is a row in a
 * table: which chains it is about, sorted into groups by a subject, and how to say it. What kind
 * comes first in the table takes its chains first; those that follow tell of the rest.
 */
#ifndef RSP_LIB_FINDINGS_H
#define RSP_LIB_FINDINGS_H

#include "findings-words.h"
#include "report.h"

struct rsp_findings_maker {
	const struct rsp_explanation *e;
	struct rsp_told_list told;
	struct {
		struct rsp_finding *v;
		size_t cnt, cap;
	} findings;
};

struct rsp_finding_kind {
	const char *name; /* NULL: the group's subject has it */
	/* Returns whether the chain is of this kind, and in which group. */
	bool (*group)(const struct rsp_explanation *e, const struct rsp_told *t,
		      struct rsp_subject *ret);
	/* How much of the group's time is of this kind; NULL: all. */
	__u64 (*limit)(const struct rsp_explanation *e, const struct rsp_subject *group);
	/* The sentence, but for its full stop. -ENOMEM */
	int (*write)(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		     const struct rsp_selection *s);
	/* The hop that its evidence is about; NULL: the leaf. */
	const struct rsp_hop *(*hop)(const struct rsp_explanation *e, const struct rsp_told *t);
	/* Returns whether the finding is inferred. NULL: no finding of this kind is. */
	bool (*is_inferred)(const struct rsp_explanation *e);
};

extern const struct rsp_finding_kind rsp_finding_idle, rsp_finding_polling, rsp_finding_throttled,
	rsp_finding_reclaim, rsp_finding_swap, rsp_finding_tcp, rsp_finding_lock_convoy,
	rsp_finding_sync, rsp_finding_round_trips, rsp_finding_slow_remote,
	rsp_finding_queue_behind, rsp_finding_waits_on, rsp_finding_class;

/* findings-net.c: fills in the round trips of each chain. 0 or -ENOMEM. */
int rsp_findings_find_trips(const struct rsp_explanation *e, struct rsp_told_list *told);
/* Closes f and replaces the text of a finding by what was written to it. Returns 0 or -ENOMEM. */
int rsp_findings_retell(struct rsp_finding *finding, FILE *f, char **text);
/*
 * findings-idle.c: puts first what a server's requests took and how much of the time the process
 * was idle. 0 or -ENOMEM.
 */
int rsp_findings_lead(struct rsp_findings_maker *m);
/* Below a hundredth of the time by the clock nothing is worth a sentence. */
bool rsp_findings_worth(const struct rsp_explanation *e, __u64 ns);
/* Ends a sentence begun with open_memstream into *text, and appends it. 0 or -ENOMEM. */
int rsp_findings_finish(struct rsp_findings_maker *m, FILE *f, char **text, const char *kind,
			__u64 ns, bool inferred);
/* Evidence of what was selected: the longest times. 0 or -ENOMEM. */
int rsp_findings_add_evidence(const struct rsp_findings_maker *m,
			      const struct rsp_finding_kind *kind, const struct rsp_selection *s,
			      struct rsp_finding *finding);
/* Adds one piece of evidence that does not come from the chains. 0 or -ENOMEM. */
int rsp_findings_add_seen(struct rsp_finding *finding, __u64 at_ns, __u64 ns,
			  const struct rsp_hop *hop);

/* What looks at the same time once more, and what is said when nothing else is. 0 or -ENOMEM. */
int rsp_findings_polled_for(struct rsp_findings_maker *m);
int rsp_findings_late_polls(struct rsp_findings_maker *m);
int rsp_findings_short_processes(struct rsp_findings_maker *m);
int rsp_findings_cpu_contention(struct rsp_findings_maker *m);
int rsp_findings_nothing_to_gain(struct rsp_findings_maker *m);
int rsp_findings_loss(struct rsp_findings_maker *m);
int rsp_findings_pauses(struct rsp_findings_maker *m);
int rsp_findings_nothing_else(struct rsp_findings_maker *m);

#endif
