/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-frames.h. */
#include "lib/report/report-frames.h"

#include <string.h>

#include "lib/report/frame-rules.h"

/* The remark "(callers unknown)" also has the module "?", but is not code. */
bool rsp_frame_is_unnamed_code(const struct rsp_frame *f)
{
	if (f->kernel)
		return false;
	return strcmp(f->module, "?") == 0 ? !rsp_frame_has_name(f)
					   : strcmp(f->symbol, "[jit]") == 0;
}

const char *rsp_frame_text(const struct rsp_frame *f)
{
	return rsp_frame_is_unnamed_code(f) ? "unnamed JIT or interpreter code" : f->symbol;
}

static bool is_run(const struct rsp_hop *hop)
{
	return hop->kind == RSP_HOP_LEAF &&
	       (hop->category == RSP_CAT_RUNNING_SAMPLED ||
		hop->category == RSP_CAT_RUNNING_UNSAMPLED || hop->category == RSP_CAT_PREEMPTED);
}

struct part {
	const struct rsp_frame *v;
	size_t cnt;
	enum rsp_frame_question question;
};

static enum rsp_frame_rank rank_in(const struct part *part, size_t i)
{
	if (strcmp(part->v[i].module, "?") == 0)
		return RSP_FRAME_PLUMBING;
	return rsp_frame_rank(&part->v[i], part->question);
}

/*
 * find_first() prefers the innermost frame of the best rank, so this function makes some ranks
 * equal.
 */
static enum rsp_frame_rank order_of(enum rsp_frame_rank rank)
{
	if (rank == RSP_FRAME_SCRIPT)
		return RSP_FRAME_INFORMATIVE;
	return rank == RSP_FRAME_ENTRY || rank == RSP_FRAME_INTERPRETER ? RSP_FRAME_RUNTIME : rank;
}

/*
 * Returns whether the frame is an interpreter that no function of a script called: its activity
 * does not belong to its callers.
 */
static bool ends_search(const struct part *part, size_t i)
{
	if (rank_in(part, i) != RSP_FRAME_INTERPRETER)
		return false;
	return i + 1 == part->cnt || rank_in(part, i + 1) != RSP_FRAME_SCRIPT;
}

/*
 * A frame without a name shows only the kind of code, so it is the answer only if no frame has a
 * name, or, for a run, if the rank of the named frame is worse than RSP_FRAME_RUNTIME.
 */
static size_t better_of(const struct part *part, size_t named, enum rsp_frame_rank rank,
			size_t nameless)
{
	if (nameless == part->cnt || rank <= RSP_FRAME_RUNTIME)
		return named;
	return part->question == RSP_FRAME_OF_RUN || named == part->cnt ? nameless : named;
}

/*
 * Returns whether the frame is an unnamed frame of libc that called another frame, such as the
 * return from a signal handler.
 */
static bool is_between(const struct part *part, size_t i)
{
	return i > 0 && !rsp_frame_is_unnamed_code(&part->v[i]) &&
	       !rsp_frame_has_name(&part->v[i]) &&
	       rsp_frame_rank(&part->v[i], RSP_FRAME_OF_WAIT) == RSP_FRAME_PLUMBING;
}

/* The search ends at a frame whose activity does not belong to its callers. */
static size_t find_first(const struct part *part)
{
	size_t best = part->cnt, nameless = part->cnt;
	enum rsp_frame_rank best_rank = RSP_FRAME_PLUMBING;

	for (size_t i = 0; i < part->cnt && best_rank != RSP_FRAME_INFORMATIVE; i++) {
		const struct rsp_frame *f = &part->v[i];
		bool unnamed = rsp_frame_is_unnamed_code(f);
		enum rsp_frame_rank rank = order_of(rank_in(part, i));

		if (is_between(part, i))
			continue;
		/*
		 * The system call of a wait is more informative than unnamed code, so the search
		 * ends.
		 */
		if (unnamed && part->question == RSP_FRAME_OF_WAIT)
			break;
		if (unnamed || (!rsp_frame_has_name(f) && rank != RSP_FRAME_PLUMBING)) {
			nameless = nameless < i ? nameless : i;
			if (part->question == RSP_FRAME_OF_RUN)
				break;
		} else if (rank < best_rank) {
			best = i;
			best_rank = rank;
		}
		if (ends_search(part, i))
			break;
	}
	return better_of(part, best, best_rank, nameless);
}

/*
 * Adds frames that name a place (ranks up to RSP_FRAME_ENTRY) from index i on, until the first
 * frame of unnamed code.
 */
static size_t take_more(const struct part *part, size_t i, const struct rsp_frame **ret, size_t max)
{
	size_t cnt = 0;

	for (; i < part->cnt && cnt < max; i++) {
		if (rsp_frame_is_unnamed_code(&part->v[i]))
			break;
		if (rsp_frame_has_name(&part->v[i]) && rank_in(part, i) <= RSP_FRAME_ENTRY)
			ret[cnt++] = &part->v[i];
	}
	return cnt;
}

static size_t take(const struct part *part, const struct rsp_frame **ret, size_t max)
{
	size_t first = find_first(part);

	if (first == part->cnt || max == 0)
		return 0;
	ret[0] = &part->v[first];
	if (rsp_frame_is_unnamed_code(ret[0]))
		return 1; /* do not name the callers of unnamed code */
	return 1 + take_more(part, first + 1, ret + 1, max - 1);
}

static size_t take_kernel(const struct part *kernel, const struct rsp_frame **ret, size_t max)
{
	return take_more(kernel, 0, ret, max);
}

/*
 * If no function of the kernel names a place, adds functions of the program. Otherwise adds one
 * function of the kernel, and then the functions of the program that called the kernel. If the
 * calling function has no name, adds only functions of the kernel.
 */
static size_t take_run(const struct part *kernel, const struct part *user,
		       const struct rsp_frame **ret, size_t max)
{
	const struct part caller = {user->v, user->cnt, RSP_FRAME_OF_WAIT};
	size_t first = find_first(&caller);

	if (take_kernel(kernel, ret, max > 0) == 0)
		return take(user, ret, max);
	if (first == caller.cnt || !rsp_frame_has_name(&caller.v[first]))
		return take_kernel(kernel, ret, max);
	return 1 + take(&caller, ret + 1, max - 1);
}

size_t rsp_frames_select(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max)
{
	enum rsp_frame_question question = is_run(hop) ? RSP_FRAME_OF_RUN : RSP_FRAME_OF_WAIT;
	struct part kernel = {hop->frames, 0, question}, user;
	size_t cnt;

	while (kernel.cnt < hop->frame_cnt && hop->frames[kernel.cnt].kernel)
		kernel.cnt++;
	user = (struct part){hop->frames + kernel.cnt, hop->frame_cnt - kernel.cnt, question};
	if (is_run(hop))
		return take_run(&kernel, &user, ret, max);
	cnt = take(&user, ret, max);
	return cnt == 0 && !*hop->syscall ? take_kernel(&kernel, ret, max) : cnt;
}
