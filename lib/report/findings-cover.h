/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps track of the time of each chain that findings already report, so that findings about the
 * use of time do not overlap. Findings about the whole span may overlap
 * (rsp_selection_add_whole()).
 */
#ifndef RSP_LIB_FINDINGS_COVER_H
#define RSP_LIB_FINDINGS_COVER_H

#include "lib/model/explain/explain.h"

/* The relation of the task of a hop to the thread at the beginning of its chain. */
enum rsp_relation {
	RSP_RELATION_SELF,
	RSP_RELATION_OWN_THREAD,
	RSP_RELATION_OTHER_PROCESS,
	RSP_RELATION_KERNEL_THREAD,
};

struct rsp_cover {
	const struct rsp_chain *chain;
	const struct rsp_hop *leaf;
	const char *owner; /* see rsp_hop_program() */
	/*
	 * the owner of the heaviest chain that ends in another thread of the process whose name
	 * differs only in numbers ("pool-1-thread-2"); otherwise, the owner
	 */
	const char *family;
	enum rsp_relation relation;
	__u64 left_ns; /* time that no finding covers yet */
	bool is_idle;  /* idle time, as far as the records show */
	/* row of the survey about round trips for which the chain waits, or NULL */
	const struct rsp_net_row *trips;
	const struct rsp_hop *trip; /* the hop that waits for these round trips */
};

/* All chains of an explanation, heaviest first. */
struct rsp_covers {
	struct rsp_cover *v;
	size_t cnt;
};

int rsp_covers_make(const struct rsp_explanation *e, struct rsp_covers *ret); /* -ENOMEM */
/* Returns whether two names are equal, apart from the numbers in them. */
bool rsp_names_are_of_family(const char *a, const char *b);
/* Returns whether the last hop of the chain is a thread of the process of interest. */
bool rsp_cover_is_own(const struct rsp_cover *t);
void rsp_covers_done(struct rsp_covers *list);

/*
 * Returns the name of a hop's thread. Before exec, the main thread of the process of interest has
 * the name of its parent, so if the chain begins with this thread, the function returns its later
 * name.
 */
const char *rsp_hop_program(const struct rsp_explanation *e, const struct rsp_chain *chain,
			    const struct rsp_hop *hop);

/* Chains, and the selected time of each. */
struct rsp_selection {
	struct rsp_piece {
		struct rsp_cover *cover;
		__u64 ns;
	} * v;
	size_t cnt, cap;
	__u64 ns;		    /* sum over all threads */
	struct rsp_clock_sum clock; /* set by rsp_selection_measure() */
};

void rsp_selection_done(struct rsp_selection *s);
/* Adds the chain's time that no finding covers yet. */
int rsp_selection_add(struct rsp_selection *s, struct rsp_cover *cover);
/* Adds all time of the chain, including time that other findings cover. */
int rsp_selection_add_whole(struct rsp_selection *s, struct rsp_cover *cover);
/*
 * Sets s->clock to the elapsed time of the selection and the number of its threads. Returns 0 or
 * -ENOMEM.
 */
int rsp_selection_measure(struct rsp_selection *s, const struct rsp_explanation *e);
/*
 * Returns whether parts of s->ns must be written as shares, because s->ns differs from the elapsed
 * time.
 */
bool rsp_selection_needs_shares(const struct rsp_selection *s, const struct rsp_explanation *e);
/* Reduces the selection to max_ns. Removes time of the lightest chains first. */
void rsp_selection_limit(struct rsp_selection *s, __u64 max_ns);
void rsp_selection_take(const struct rsp_selection *s);
/*
 * Reduces a measured selection to the time of the main thread, if only this time counts. Returns 0
 * or -ENOMEM.
 */
int rsp_selection_narrow(struct rsp_selection *s, const struct rsp_explanation *e);
/*
 * Returns whether the selected time is a lower bound: most of it belongs to chains with a hop that
 * has the flag RSP_HOP_AT_LEAST.
 */
bool rsp_selection_at_least(const struct rsp_selection *s);

#endif
