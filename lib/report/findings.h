/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kind of finding selects chains, groups them by subject, and writes one sentence per group.
 * Kinds that come earlier in the table of findings.c take their chains first, and later kinds
 * report the rest.
 */
#ifndef RSP_LIB_FINDINGS_H
#define RSP_LIB_FINDINGS_H

#include "lib/report/findings-words.h"
#include "lib/report/report.h"

struct rsp_findings_maker {
	const struct rsp_explanation *e;
	struct rsp_covers covers;
	struct {
		struct rsp_finding *v;
		size_t cnt, cap;
	} findings;
};

struct rsp_finding_kind {
	const char *name; /* key in JSON; NULL: the name of the group's subject */
	/* Returns whether a chain is of this kind. Sets *ret to the subject of its group. */
	bool (*group)(const struct rsp_explanation *e, const struct rsp_cover *t,
		      struct rsp_subject *ret);
	/*
	 * Returns a limit: the finding counts at most this much of the group's time. NULL: no
	 * limit.
	 */
	__u64 (*limit)(const struct rsp_explanation *e, const struct rsp_subject *group);
	/* Writes the sentence about a group, without its full stop. Returns 0 or -ENOMEM. */
	int (*write)(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		     const struct rsp_selection *s);
	/* Returns the hop that the evidence describes. NULL: the last hop. */
	const struct rsp_hop *(*hop)(const struct rsp_explanation *e, const struct rsp_cover *t);
	/* NULL: findings of this kind are never inferred. */
	bool (*is_inferred)(const struct rsp_explanation *e);
};

extern const struct rsp_finding_kind rsp_finding_idle, rsp_finding_polling, rsp_finding_throttled,
	rsp_finding_reclaim, rsp_finding_swap, rsp_finding_tcp, rsp_finding_lock_convoy,
	rsp_finding_sync, rsp_finding_round_trips, rsp_finding_slow_remote,
	rsp_finding_queue_behind, rsp_finding_waits_on, rsp_finding_class;

/* findings-net.c: finds the round trips of each chain. Returns 0 or -ENOMEM. */
int rsp_findings_find_trips(const struct rsp_explanation *e, struct rsp_covers *covers);
/*
 * Closes f, a stream of open_memstream() into *text, and replaces the text of a finding by *text.
 * Returns 0 or -ENOMEM.
 */
int rsp_findings_replace_text(struct rsp_finding *finding, FILE *f, char **text);
/*
 * findings-idle.c: unless an SLO triggered the snapshot, lets the answer begin with the requests of
 * a server or with the idle time of the process. Returns 0 or -ENOMEM.
 */
int rsp_findings_lead(struct rsp_findings_maker *m);
/* Returns whether ns is long enough for a sentence: at least a hundredth of the elapsed time. */
bool rsp_findings_worth(const struct rsp_explanation *e, __u64 ns);
/*
 * Closes f, a stream of open_memstream() into *text, and adds a finding with this text. If inferred
 * is true, appends the remark (inferred). Also appends a full stop. Returns 0 or -ENOMEM.
 */
int rsp_findings_finish(struct rsp_findings_maker *m, FILE *f, char **text, const char *kind,
			__u64 ns, bool inferred);
/* Adds the longest occurrences of the selected chains as evidence. Returns 0 or -ENOMEM. */
int rsp_findings_add_evidence(const struct rsp_findings_maker *m,
			      const struct rsp_finding_kind *kind, const struct rsp_selection *s,
			      struct rsp_finding *finding);
/*
 * Adds one occurrence as evidence: the state of hop, from at_ns on, for ns nanoseconds. hop need
 * not belong to a chain. Returns 0 or -ENOMEM.
 */
int rsp_findings_add_seen(struct rsp_finding *finding, __u64 at_ns, __u64 ns,
			  const struct rsp_hop *hop);

/*
 * The functions below may add findings about the whole span, whose time may overlap other findings.
 * rsp_findings_nothing_else() is only called if there is no finding yet. All return 0 or -ENOMEM.
 */
int rsp_findings_polled_for(struct rsp_findings_maker *m);
int rsp_findings_late_polls(struct rsp_findings_maker *m);
int rsp_findings_short_processes(struct rsp_findings_maker *m);
int rsp_findings_cpu_contention(struct rsp_findings_maker *m);
int rsp_findings_nothing_to_gain(struct rsp_findings_maker *m);
int rsp_findings_loss(struct rsp_findings_maker *m);
int rsp_findings_pauses(struct rsp_findings_maker *m);
int rsp_findings_nothing_else(struct rsp_findings_maker *m);

#endif
