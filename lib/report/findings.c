/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation -> sentences, the one about most time first. A chain is told of once: by what it
 * ends in, where that is a cause of its own (the disk, a peer, a device) or the process's own
 * doing; else by whom the process waited for (waits_on, by the program at the end of the chain). So
 * the sentences about where time went do not overlap. docs/json-report.md lists the kinds.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "report-frames.h"
#include "report-words.h"

/* Below a hundredth of the time nothing is worth a sentence. */
#define SHARE_MIN_DIVISOR  100
/* Inside a sentence: how many names, and how much of its time something must be to be told. */
#define NAMES_MAX	   3
#define DETAIL_MIN_DIVISOR 10
#define NAME_COLS	   48
/*
 * fork, exec, the dynamic linker and exit take about a millisecond together: where many programs
 * average under ten, starting them is a cost one can see.
 */
#define START_COST_NS	   1000000ULL
#define SHORT_MEAN_NS	   (10 * START_COST_NS)
#define SHORT_COUNT_MIN	   20

#define BIT(cat) (1u << (cat))

static const struct class
{
	const char *kind;
	unsigned int cats;
	int speaks; /* whose words are used */
} classes[] = {
	{"cpu", BIT(RSP_CAT_RUNNING_SAMPLED) | BIT(RSP_CAT_RUNNING_UNSAMPLED),
	 RSP_CAT_RUNNING_SAMPLED},
	{"disk", BIT(RSP_CAT_DISK_ACTIVE) | BIT(RSP_CAT_DISK_QUEUED), RSP_CAT_DISK_ACTIVE},
	{"network", BIT(RSP_CAT_NETWORK), RSP_CAT_NETWORK},
	{"runqueue", BIT(RSP_CAT_RUNQUEUE), RSP_CAT_RUNQUEUE},
	{"preempted", BIT(RSP_CAT_PREEMPTED), RSP_CAT_PREEMPTED},
	{"hardware", BIT(RSP_CAT_HARDWARE), RSP_CAT_HARDWARE},
	{"kernel", BIT(RSP_CAT_KERNEL), RSP_CAT_KERNEL},
	{"timeout", BIT(RSP_CAT_TIMEOUT), RSP_CAT_TIMEOUT},
	{"sleep", BIT(RSP_CAT_SLEEP), RSP_CAT_SLEEP},
	{"other_path", BIT(RSP_CAT_OTHER_PATH), RSP_CAT_OTHER_PATH},
	{"open_wait", BIT(RSP_WORDS_OPEN_WAIT), RSP_WORDS_OPEN_WAIT},
	{"edge", BIT(RSP_CAT_EDGE), RSP_CAT_EDGE},
	{"unaccounted", BIT(RSP_CAT_UNACCOUNTED), RSP_CAT_UNACCOUNTED},
};
#define CLASS_CNT (sizeof(classes) / sizeof(classes[0]))

/* A program's own doings: with one of these at its end, a chain is a wait for that program. */
#define DOINGS                                                                                     \
	(BIT(RSP_CAT_RUNNING_SAMPLED) | BIT(RSP_CAT_RUNNING_UNSAMPLED) | BIT(RSP_CAT_RUNQUEUE) |   \
	 BIT(RSP_CAT_PREEMPTED) | BIT(RSP_CAT_SLEEP) | BIT(RSP_CAT_TIMEOUT))

/* Whose work the end of a chain is, seen from the process that waited. */
enum relation { SELF, OWN_THREAD, OTHER_PROCESS, KERNEL_THREAD };

struct told {
	const struct rsp_chain *chain;
	const struct rsp_hop *leaf;
	const char *owner; /* of the leaf */
	enum relation relation;
	bool waited; /* told of as a wait for the leaf's program, not by what that did */
};

struct maker {
	const struct rsp_explanation *e;
	struct told *told; /* all chains, in the order of compare_told() */
	struct {
		struct rsp_finding *v;
		size_t cnt, cap;
	} findings;
};

/* --- adding up by name ------------------------------------------------------------------------ */

struct subject {
	const char *name;   /* borrowed from the explanation, as object; "": unknown */
	const char *note;   /* to stand behind it; static, never NULL */
	const char *object; /* that the call called name was on; "": none */
};
#define SUBJECT(...) ((struct subject){__VA_ARGS__, "", ""})

struct tally_row {
	struct subject subject;
	__u64 ns;
};

struct tally {
	struct tally_row *v;
	size_t cnt, cap;
	__u64 ns; /* of all rows and of what has no subject */
	__u64 at_least_ns, queued_ns, sampled_ns;
};

static void tally_done(struct tally *t)
{
	free(t->v);
}

static int tally_add(struct tally *t, struct subject subject, __u64 ns)
{
	struct tally_row *row = rsp_array_add(t);

	if (!row)
		return -ENOMEM;
	*row = (struct tally_row){subject, ns};
	return 0;
}

static int compare_subject(const void *a, const void *b)
{
	const struct subject *x = &((const struct tally_row *)a)->subject;
	const struct subject *y = &((const struct tally_row *)b)->subject;
	int order = strcmp(x->name, y->name);

	order = order ? order : strcmp(x->note, y->note);
	return order ? order : strcmp(x->object, y->object);
}

static int compare_ns(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : compare_subject(a, b);
}

/* One row for each subject, the heaviest first. */
static void tally_settle(struct tally *t)
{
	size_t cnt = 0;

	if (t->cnt == 0)
		return;
	qsort(t->v, t->cnt, sizeof(*t->v), compare_subject);
	for (size_t i = 0; i < t->cnt; i++) {
		if (cnt > 0 && compare_subject(&t->v[cnt - 1], &t->v[i]) == 0)
			t->v[cnt - 1].ns += t->v[i].ns;
		else
			t->v[cnt++] = t->v[i];
	}
	t->cnt = cnt;
	qsort(t->v, t->cnt, sizeof(*t->v), compare_ns);
}

/*
 * "read on pipe". An anonymous file ("[eventpoll]") and what is called like the call itself tell
 * nothing, and a function of the program more than the call in it.
 */
static struct subject place_of(const struct rsp_hop *leaf)
{
	const struct rsp_frame *frame;

	if (*leaf->object && *leaf->object != '[' && strcmp(leaf->object, leaf->syscall) != 0)
		return *leaf->syscall ? (struct subject){leaf->syscall, "", leaf->object}
				      : SUBJECT(leaf->object);
	if (rsp_frames_telling(leaf, &frame, 1) && rsp_frame_has_name(frame))
		return SUBJECT(frame->symbol);
	return SUBJECT(leaf->syscall);
}

/* Of functions without names only the module is worth telling. */
static struct subject function_of(const struct rsp_hop *leaf)
{
	const struct rsp_frame *frame;

	if (!rsp_frames_telling(leaf, &frame, 1))
		return SUBJECT("");
	if (!rsp_frame_has_name(frame))
		return (struct subject){frame->module, " (no symbols)", ""};
	return SUBJECT(frame->symbol);
}

/*
 * What a chain's time went to: the function when it was sampled running; where it waits when that
 * was its own will or the kernel's; else a disk, a peer, who had the CPU.
 */
static struct subject subject_of(const struct rsp_hop *leaf)
{
	switch (leaf->category) {
	case RSP_CAT_RUNNING_SAMPLED:
		return function_of(leaf);
	case RSP_CAT_RUNNING_UNSAMPLED:
		return SUBJECT("");
	case RSP_CAT_KERNEL:
	case RSP_CAT_SLEEP:
	case RSP_CAT_TIMEOUT:
	case RSP_CAT_EDGE:
		return place_of(leaf);
	default:
		return SUBJECT(leaf->object);
	}
}

static bool is_at_least(const struct rsp_chain *chain)
{
	for (size_t i = 0; i < chain->hop_cnt; i++)
		if (chain->hops[i].flags & RSP_HOP_AT_LEAST)
			return true;
	return false;
}

/* Whose time it was at the end of the chains: the process's own threads', or others' it went
 * through. */
struct owners {
	struct tally own, others;
};

static void owners_done(struct owners *o)
{
	tally_done(&o->own);
	tally_done(&o->others);
}

static int owners_add(struct owners *o, const struct told *t)
{
	bool own = t->relation == SELF || t->relation == OWN_THREAD;
	struct tally *tally = own ? &o->own : &o->others;

	tally->ns += t->chain->ns;
	return tally_add(tally, SUBJECT(t->owner), t->chain->ns);
}

/*
 * Adds what told[0..cnt) say of these categories, of waits for programs or of the rest, by subject;
 * by owner too if owners is given.
 */
static int tally_told(const struct told *told, size_t cnt, unsigned int cats, bool waited,
		      struct tally *subjects, struct owners *owners)
{
	for (size_t i = 0; i < cnt; i++) {
		const struct told *t = &told[i];
		__u64 ns = t->chain->ns;
		struct subject subject;

		if (!(BIT(rsp_words_of_leaf(t->leaf)) & cats) || t->waited != waited)
			continue;
		subject = subject_of(t->leaf);
		if (*subject.name && tally_add(subjects, subject, ns) < 0)
			return -ENOMEM;
		if (owners && owners_add(owners, t) < 0)
			return -ENOMEM;
		subjects->ns += ns;
		subjects->sampled_ns += t->leaf->category == RSP_CAT_RUNNING_SAMPLED ? ns : 0;
		subjects->at_least_ns += is_at_least(t->chain) ? ns : 0;
		subjects->queued_ns += t->leaf->category == RSP_CAT_DISK_QUEUED ? ns : 0;
	}
	tally_settle(subjects);
	if (owners) {
		tally_settle(&owners->own);
		tally_settle(&owners->others);
	}
	return 0;
}

/* --- writing a sentence ----------------------------------------------------------------------- */

static void put_name(FILE *f, const char *name)
{
	char buf[RSP_FORMAT_NAME_BYTES(NAME_COLS)];

	/* Any program may call itself nothing. */
	fputs(*name ? rsp_format_name(name, NAME_COLS, buf, sizeof(buf)) : "?", f);
}

static void put_subject(FILE *f, const struct subject *subject)
{
	put_name(f, subject->name);
	fputs(subject->note, f);
	if (*subject->object) {
		fputs(" on ", f);
		put_name(f, subject->object);
	}
}

/* From here on it need not be told what is missing. */
static __u64 nearly(__u64 ns)
{
	return ns - ns / DETAIL_MIN_DIVISOR;
}

static void put_ns(FILE *f, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	fputs(rsp_format_ns(ns, buf, sizeof(buf)), f);
}

/* "3.41 s (92 % of 3.71 s)", "9.80 s (61 % of 16.0 s in 4 threads)" */
static void put_share(FILE *f, const struct rsp_explanation *e, __u64 ns)
{
	char share[RSP_FORMAT_MAX];

	put_ns(f, ns);
	fprintf(f, " (%s of ", rsp_format_share(ns, e->total_ns, share, sizeof(share)));
	put_ns(f, e->total_ns);
	if (e->root_cnt > 1)
		fprintf(f, " in %u threads", e->root_cnt);
	fputc(')', f);
}

/* What is known of: of time spent computing only what samples fell into. */
static __u64 known_ns(const struct tally *t)
{
	return t->sampled_ns ? t->sampled_ns : t->ns;
}

/* Whether the heaviest of them says something about the whole. */
static bool subjects_tell(const struct tally *t)
{
	return t->cnt > 0 && known_ns(t) >= t->ns / DETAIL_MIN_DIVISOR &&
	       t->v[0].ns >= known_ns(t) / DETAIL_MIN_DIVISOR;
}

/*
 * "hottest: deflate 2.10 s, adler32 900 ms", "hottest in 114 ms of samples: dictFind 40 ms", "by:
 * cc1" if that is (nearly) all.
 */
static void put_subjects(FILE *f, const struct tally *t, int cat, size_t max)
{
	fputs(rsp_category_words(cat)->label, f);
	if (known_ns(t) < nearly(t->ns)) {
		fputs(" in ", f);
		put_ns(f, known_ns(t));
		fputs(" of samples", f);
	}
	fputs(": ", f);
	for (size_t i = 0; i < t->cnt && i < max; i++) {
		if (i > 0 && t->v[i].ns < known_ns(t) / DETAIL_MIN_DIVISOR)
			break;
		fputs(i > 0 ? ", " : "", f);
		put_subject(f, &t->v[i].subject);
		if (t->v[0].ns >= nearly(known_ns(t)))
			break;
		fputc(' ', f);
		put_ns(f, t->v[i].ns);
	}
}

/* "cc1", "cc1 and as", "cc1, as and 3 others" */
static void put_names(FILE *f, const struct tally *t)
{
	put_name(f, t->v[0].subject.name);
	if (t->cnt == 1)
		return;
	fputs(t->cnt == 2 ? " and " : ", ", f);
	put_name(f, t->v[1].subject.name);
	if (t->cnt > 2)
		fprintf(f, " and %zu other%s", t->cnt - 2, t->cnt > 3 ? "s" : "");
}

static int add_finding(struct maker *m, const char *kind, __u64 ns, char *text)
{
	struct rsp_finding *finding = rsp_array_add(&m->findings);

	if (!finding) {
		free(text);
		return -ENOMEM;
	}
	*finding = (struct rsp_finding){.kind = kind, .ns = ns, .text = text};
	return 0;
}

static bool worth_a_sentence(const struct maker *m, __u64 ns)
{
	return ns > 0 && ns >= m->e->total_ns / SHARE_MIN_DIVISOR;
}

/* Ends a sentence begun with open_memstream into *text. */
static int finish(struct maker *m, FILE *f, char **text, const char *kind, __u64 ns)
{
	fputc('.', f);
	if (fclose(f) != 0) {
		free(*text);
		return -ENOMEM;
	}
	return add_finding(m, kind, ns, *text);
}

/* --- what the time was spent on --------------------------------------------------------------- */

/* "fsync-writer", or "lock-1, lock-2 and 3 others" of its threads: who the sentence is about. */
static void put_who(FILE *f, const struct maker *m, const struct owners *owners)
{
	if (owners->own.cnt > 0)
		put_names(f, &owners->own);
	else
		put_name(f, m->e->comm);
}

/* ", in part through kworker" */
static void put_through(FILE *f, const struct owners *owners, __u64 ns)
{
	if (owners->others.cnt == 0 || owners->others.ns < ns / DETAIL_MIN_DIVISOR)
		return;
	fprintf(f, ", %sthrough ", owners->own.ns >= ns / DETAIL_MIN_DIVISOR ? "in part " : "");
	put_names(f, &owners->others);
}

/*
 * A CPU that nobody had is one that slept, and waking it takes its time; or one of which nothing is
 * known yet.
 */
static void put_idle(FILE *f, const struct tally *subjects)
{
	__u64 ns = subjects->ns;

	for (size_t i = 0; i < subjects->cnt; i++)
		ns -= subjects->v[i].ns;
	if (ns == 0 || ns < subjects->ns / DETAIL_MIN_DIVISOR)
		return;
	fputs("; as far as seen, the CPU was idle for ", f);
	put_ns(f, ns);
	fputs(" of it", f);
}

static int find_class(struct maker *m, const struct class *class)
{
	_cleanup_(tally_done) struct tally subjects = {0};
	_cleanup_(owners_done) struct owners owners = {0};
	char *text = NULL;
	size_t len;
	FILE *f;

	if (tally_told(m->told, m->e->chain_cnt, class->cats, false, &subjects, &owners) < 0)
		return -ENOMEM;
	if (!worth_a_sentence(m, subjects.ns))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	put_who(f, m, &owners);
	fprintf(f, " spent %s", subjects.at_least_ns > subjects.ns / 2 ? "at least " : "");
	put_share(f, m->e, subjects.ns);
	fprintf(f, " %s", rsp_category_words(class->speaks)->doing);
	if (subjects.queued_ns > 0 && subjects.queued_ns >= subjects.ns / DETAIL_MIN_DIVISOR) {
		fputs(", ", f);
		put_ns(f, subjects.queued_ns);
		fputs(" of it in the queue", f);
	}
	put_through(f, &owners, subjects.ns);
	if (subjects_tell(&subjects)) {
		fputs("; ", f);
		put_subjects(f, &subjects, class->speaks, NAMES_MAX);
	}
	if (class->speaks == RSP_CAT_RUNQUEUE)
		put_idle(f, &subjects);
	return finish(m, f, &text, class->kind, subjects.ns);
}

/* --- for whom it waited ----------------------------------------------------------------------- */

static enum relation relation_of(const struct rsp_hop *root, const struct rsp_hop *owner)
{
	if (owner == root || owner->tid == root->tid)
		return SELF;
	if (owner->flags & RSP_HOP_KTHREAD)
		return KERNEL_THREAD;
	return owner->tgid == root->tgid ? OWN_THREAD : OTHER_PROCESS;
}

/* Until its exec, a process bears its parent's name: the one it has in the end is meant. */
static struct told tell(const struct rsp_explanation *e, const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	enum relation relation = relation_of(&chain->hops[0], leaf);
	bool main_thread = relation == SELF && leaf->tid == leaf->tgid;

	return (struct told){chain, leaf, main_thread ? e->comm : leaf->comm, relation,
			     relation != SELF && BIT(leaf->category) & DOINGS};
}

static bool same_owner(const struct told *a, const struct told *b)
{
	return a->waited == b->waited && a->relation == b->relation &&
	       strcmp(a->owner, b->owner) == 0;
}

/* Waits first, by owner; one owner's as the explanation has them, heaviest first. */
static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;
	int order = x->waited != y->waited	 ? y->waited - x->waited
		    : x->relation != y->relation ? (int)x->relation - (int)y->relation
						 : strcmp(x->owner, y->owner);

	return order ? order : (x->chain > y->chain) - (x->chain < y->chain);
}

/* How many processes (threads, when they are of one process or of the kernel) a group means. */
static int count_tasks(const struct rsp_explanation *e, const struct told *group, size_t *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	bool own = group->relation == OWN_THREAD;

	for (size_t i = 0; i < e->process_cnt; i++) {
		const struct rsp_process *p = &e->processes[i];
		__u32 id = group->relation == OTHER_PROCESS ? p->tgid : p->tid;

		if (p->ns > 0 && p->is_root == own && strcmp(p->comm, group->owner) == 0 &&
		    rsp_idmap_put(&seen, id, 0) < 0)
			return -ENOMEM;
	}
	*ret = seen.cnt;
	return 0;
}

/* "cc1 (38 processes)", "another make", "its own thread worker", "kernel thread jbd2/vda1-8" */
static void put_whom(FILE *f, const struct rsp_explanation *e, const struct told *group, size_t cnt)
{
	if (group->relation == OWN_THREAD)
		fputs(cnt > 1 ? "its own threads " : "its own thread ", f);
	else if (group->relation == KERNEL_THREAD)
		fputs(cnt > 1 ? "kernel threads " : "kernel thread ", f);
	else if (cnt <= 1 && strcmp(group->owner, e->comm) == 0)
		fputs("another ", f);
	put_name(f, group->owner);
	if (cnt > 1)
		fprintf(f, " (%zu%s)", cnt, group->relation == OTHER_PROCESS ? " processes" : "");
}

/* What (nearly) all of the rows' time is about; "" if there is no such thing. */
static const char *common_name(struct tally *t)
{
	tally_settle(t);
	return t->v[0].ns < nearly(t->ns) ? "" : t->v[0].subject.name;
}

/* " in read on pipe" */
static int put_where(FILE *f, const struct told *group, size_t cnt, __u64 group_ns)
{
	_cleanup_(tally_done) struct tally syscalls = {.ns = group_ns};
	_cleanup_(tally_done) struct tally objects = {.ns = group_ns};
	const char *syscall, *object;

	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_hop *root = &group[i].chain->hops[0];
		__u64 ns = group[i].chain->ns;

		if (tally_add(&syscalls, SUBJECT(root->syscall), ns) < 0 ||
		    tally_add(&objects, SUBJECT(root->object), ns) < 0)
			return -ENOMEM;
	}
	syscall = common_name(&syscalls);
	object = common_name(&objects);
	fprintf(f, "%s%s", *syscall ? " in " : "", syscall);
	if (*object && strcmp(object, syscall) != 0) {
		fputs(" on ", f);
		put_name(f, object);
	}
	return 0;
}

/* "computing for 2.94 s (hottest: lex 410 ms) and waiting for a CPU for 31 ms (taken by: as 9 ms)"
 */
static int put_doings(FILE *f, const struct told *group, size_t cnt, __u64 group_ns)
{
	struct tally by_class[CLASS_CNT] = {0};
	size_t order[CLASS_CNT] = {0}, n = 0;
	int r = 0;

	for (size_t c = 0; c < CLASS_CNT && r == 0; c++) {
		size_t at = n;

		r = tally_told(group, cnt, classes[c].cats, true, &by_class[c], NULL);
		if (by_class[c].ns == 0 || by_class[c].ns < group_ns / DETAIL_MIN_DIVISOR)
			continue;
		for (; at > 0 && by_class[order[at - 1]].ns < by_class[c].ns; at--)
			order[at] = order[at - 1];
		order[at] = c;
		n++;
	}
	n = n > NAMES_MAX ? NAMES_MAX : n;
	for (size_t i = 0; i < n && r == 0; i++) {
		const struct tally *t = &by_class[order[i]];
		int speaks = classes[order[i]].speaks;

		fprintf(f, "%s%s for ",
			i == 0	    ? ""
			: i + 1 < n ? ", "
				    : " and ",
			rsp_category_words(speaks)->doing);
		put_ns(f, t->ns);
		if (subjects_tell(t)) {
			fputs(" (", f);
			put_subjects(f, t, speaks, 1);
			fputc(')', f);
		}
	}
	for (size_t c = 0; c < CLASS_CNT; c++)
		tally_done(&by_class[c]);
	return r;
}

static int find_wait(struct maker *m, const struct told *group, size_t cnt)
{
	__u64 ns = 0, at_least_ns = 0;
	size_t len, task_cnt;
	char *text = NULL;
	FILE *f;
	int r;

	for (size_t i = 0; i < cnt; i++) {
		ns += group[i].chain->ns;
		at_least_ns += is_at_least(group[i].chain) ? group[i].chain->ns : 0;
	}
	if (!worth_a_sentence(m, ns))
		return 0;
	if (count_tasks(m->e, group, &task_cnt) < 0)
		return -ENOMEM;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	put_name(f, m->e->comm);
	fprintf(f, " waited %s", at_least_ns > ns / 2 ? "at least " : "");
	put_share(f, m->e, ns);
	r = put_where(f, group, cnt, ns);
	fputs(" for ", f);
	put_whom(f, m->e, group, task_cnt);
	fprintf(f, ", which %s ", task_cnt > 1 ? "were" : "was");
	if (r == 0)
		r = put_doings(f, group, cnt, ns);
	if (r < 0) {
		fclose(f);
		free(text);
		return r;
	}
	return finish(m, f, &text, "waits_on", ns);
}

static int find_waits(struct maker *m)
{
	size_t cnt = m->e->chain_cnt, end;
	int r;

	for (size_t i = 0; i < cnt; i = end) {
		for (end = i + 1; end < cnt && same_owner(&m->told[i], &m->told[end]);)
			end++;
		if (!m->told[i].waited)
			break; /* those come last */
		r = find_wait(m, &m->told[i], end - i);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- the rest --------------------------------------------------------------------------------- */

static int find_short_processes(struct maker *m)
{
	const struct rsp_explanation *e = m->e;
	char *text = NULL;
	__u64 ns = 0;
	size_t len;
	FILE *f;

	for (size_t i = 0; i < e->process_cnt; i++)
		ns += e->processes[i].is_root ? 0 : e->processes[i].ns;
	if (e->exec_cnt < SHORT_COUNT_MIN || ns / e->exec_cnt >= SHORT_MEAN_NS ||
	    !worth_a_sentence(m, ns))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	fprintf(f, "%u programs were started (%u forks) and took ", e->exec_cnt, e->fork_cnt);
	put_ns(f, ns / e->exec_cnt);
	fputs(" each on average, ", f);
	put_share(f, e, ns);
	fputs(" in all; starting and ending one costs about ", f);
	put_ns(f, START_COST_NS);
	fputs(" (inferred)", f);
	return finish(m, f, &text, "short_processes", ns);
}

bool rsp_report_lossy(const struct rsp_explanation *e)
{
	return e->lost_cnt > 0 || e->cat_ns[RSP_CAT_LOST] > 0;
}

static int find_loss(struct maker *m)
{
	__u64 ns = m->e->cat_ns[RSP_CAT_LOST];
	char *text = NULL;
	size_t len;
	FILE *f;

	if (!rsp_report_lossy(m->e))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	fprintf(f, "%llu record%s lost; ", m->e->lost_cnt, m->e->lost_cnt == 1 ? " was" : "s were");
	put_share(f, m->e, ns);
	fputs(" lies in the gaps and cannot be explained", f);
	return finish(m, f, &text, "lossy", ns);
}

static int find_nothing(struct maker *m)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	fputs("Nothing that ", f);
	put_name(f, m->e->comm);
	fputs(" did in this span was recorded", f);
	return finish(m, f, &text, "nothing", 0);
}

static int find_crumbs(struct maker *m)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	put_name(f, m->e->comm);
	fputs(" spent ", f);
	put_ns(f, m->e->total_ns);
	fprintf(f, " on many things, none of which took %u %% of it", 100 / SHARE_MIN_DIVISOR);
	return finish(m, f, &text, "scattered", m->e->total_ns);
}

static int make(struct maker *m)
{
	int r = find_waits(m);

	for (size_t c = 0; c < CLASS_CNT && r == 0; c++)
		r = find_class(m, &classes[c]);
	if (r == 0)
		r = find_short_processes(m);
	if (r == 0)
		r = find_loss(m);
	if (r == 0 && m->findings.cnt == 0)
		r = m->e->total_ns ? find_crumbs(m) : find_nothing(m);
	return r;
}

/* Most time first; of equal time, the one made first: whom it waited for says more. */
static void sort_findings(struct rsp_finding *v, size_t cnt)
{
	for (size_t i = 1; i < cnt; i++) {
		struct rsp_finding moved = v[i];
		size_t at = i;

		for (; at > 0 && v[at - 1].ns < moved.ns; at--)
			v[at] = v[at - 1];
		v[at] = moved;
	}
}

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret)
{
	_cleanup_free_ struct told *told = calloc(e->chain_cnt + 1, sizeof(*told));
	struct maker m = {.e = e, .told = told};
	struct rsp_findings made;
	int r;

	if (!told)
		return -ENOMEM;
	for (size_t i = 0; i < e->chain_cnt; i++)
		told[i] = tell(e, &e->chains[i]);
	qsort(told, e->chain_cnt, sizeof(*told), compare_told);
	r = make(&m);
	made = (struct rsp_findings){m.findings.v, m.findings.cnt};
	if (r < 0) {
		rsp_findings_done(&made);
		return r;
	}
	sort_findings(made.v, made.cnt);
	*ret = made;
	return 0;
}

void rsp_findings_done(struct rsp_findings *f)
{
	for (size_t i = 0; i < f->cnt; i++)
		free(f->v[i].text);
	free(f->v);
	*f = (struct rsp_findings){0};
}
