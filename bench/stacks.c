/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks FILE GOAL_PCT SETTLED_S [COMMAND…]: prints how many user stacks of a snapshot reach the
 * start of their thread. A stack counts once for each event that refers to it. Each command (the
 * name of the main thread of a process) has a line, with tabs between the columns:
 *
 *	COMMAND EVENTS NONE FRAMES FIRST_PCT LATER_PCT UNTIL_MS PENDING
 *
 * EVENTS is the number of events with a user stack, and NONE the number of events that lack a user
 * stack. FRAMES is the mean number of frames. FIRST_PCT is the share of complete stacks in the
 * first SETTLED_S seconds after the command's first event. LATER_PCT is the share of complete
 * stacks after that time. A share without stacks is "-". From UNTIL_MS on, GOAL_PCT of the stacks
 * are complete; -1 means never. PENDING is the number of later stacks that end in a new binary,
 * whose unwind table is still missing; LATER_PCT excludes these stacks. A stack is complete if the
 * recorder marked it as complete. If ENDS is in the environment, prints a line for each place where
 * other incomplete stacks end after SETTLED_S:
 *
 *	end COMMAND COUNT MODULE FUNCTION
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/trace/trace.h"
#include "tests/tools/open-trace.h"

struct use {
	__u64 ts_ns;
	__u64 stack;
	unsigned int frame_cnt;
	bool complete, pending;
};

struct command {
	char comm[RSP_TASK_COMM_LEN];
	struct use *v; /* sorted by time */
	size_t cnt, cap;
	size_t none_cnt;
};

struct commands {
	struct command *v;
	size_t cnt, cap;
};

struct share {
	size_t cnt, complete_cnt;
};

static void share_add(struct share *share, const struct use *use)
{
	share->cnt++;
	share->complete_cnt += use->complete;
}

static double share_pct(const struct share *share)
{
	return 100.0 * (double)share->complete_cnt / (double)share->cnt;
}

/* --- collecting ------------------------------------------------------------------------------- */

static struct command *find_command(struct commands *commands, const char *comm)
{
	struct command *command;

	for (size_t i = 0; i < commands->cnt; i++)
		if (!strncmp(commands->v[i].comm, comm, RSP_TASK_COMM_LEN))
			return &commands->v[i];
	command = rsp_array_add(commands);
	if (!command)
		errx(1, "out of memory");
	memcpy(command->comm, comm, RSP_TASK_COMM_LEN);
	return command;
}

/*
 * Returns the thread that must have a user stack in this event, or 0 if no thread must. *ret_id:
 * the ID of the stack, or 0 if the stack is missing.
 */
static __u32 stack_of(const struct rsp_ev_hdr *hdr, __u64 *ret_id)
{
	const struct rsp_ev_switch *sw = (const void *)hdr;
	const struct rsp_ev_waking *waking = (const void *)hdr;
	const struct rsp_ev_sample *sample = (const void *)hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		*ret_id = sw->ustack;
		return hdr->flags & (RSP_SW_SEED | RSP_SW_CARRIED) ? 0 : sw->prev_tid;
	case RSP_EV_WAKING:
		*ret_id = waking->ustack;
		return waking->context == RSP_WAKE_TASK ? waking->waker_tid : 0;
	case RSP_EV_SAMPLE:
		*ret_id = sample->ustack;
		return sample->tid;
	}
	return 0;
}

static void add_use(struct command *command, __u64 ts_ns, const struct rsp_ev_stack *stack)
{
	struct use *use = rsp_array_add(command);

	if (!use)
		errx(1, "out of memory");
	*use = (struct use){
		.ts_ns = ts_ns,
		.stack = stack->id,
		.frame_cnt = stack->frame_cnt,
		.complete = !(stack->hdr.flags & (RSP_STACK_PARTIAL | RSP_STACK_TRUNCATED)),
		.pending = stack->hdr.flags & RSP_STACK_PENDING,
	};
}

static void collect_event(const struct rsp_trace *trace, const struct rsp_ev_hdr *hdr,
			  struct commands *commands)
{
	const struct rsp_ev_stack *stack;
	const struct rsp_ev_task *task;
	__u64 id = 0;
	__u32 tid = stack_of(hdr, &id);

	task = tid ? rsp_trace_task(trace, tid, hdr->ts_ns) : NULL;
	if (task && task->tid != task->tgid)
		task = rsp_trace_task(trace, task->tgid, hdr->ts_ns);
	if (!task || task->attrs & RSP_TASK_ATTR_KTHREAD)
		return;
	stack = rsp_trace_stack(trace, id);
	if (stack)
		add_use(find_command(commands, task->comm), hdr->ts_ns, stack);
	else
		find_command(commands, task->comm)->none_cnt++;
}

/* --- output ----------------------------------------------------------------------------------- */

/*
 * Returns the smallest index for which this use and all later uses together meet the goal, or the
 * number of uses if there is no such index.
 */
static size_t first_good(const struct command *command, double goal_pct)
{
	size_t good = command->cnt;
	struct share later = {0};

	for (size_t i = command->cnt; i-- > 0;) {
		share_add(&later, &command->v[i]);
		if (share_pct(&later) >= goal_pct)
			good = i;
	}
	return good;
}

static void print_share(const struct share *share)
{
	if (share->cnt)
		printf("\t%.3f", share_pct(share));
	else
		printf("\t-");
}

static void print_command(const struct command *command, double goal_pct, double settled_s)
{
	size_t good = first_good(command, goal_pct), frame_cnt = 0, pending_cnt = 0;
	__u64 begin_ns = command->v[0].ts_ns;
	__u64 settled_ns = begin_ns + (__u64)(1e9 * settled_s);
	struct share first = {0}, later = {0};

	for (size_t i = 0; i < command->cnt; i++) {
		const struct use *use = &command->v[i];

		if (use->ts_ns < settled_ns)
			share_add(&first, use);
		else if (use->pending)
			pending_cnt++;
		else
			share_add(&later, use);
		frame_cnt += use->frame_cnt;
	}
	printf("%.*s\t%zu\t%zu\t%.1f", RSP_TASK_COMM_LEN, command->comm, command->cnt,
	       command->none_cnt, (double)frame_cnt / (double)command->cnt);
	print_share(&first);
	print_share(&later);
	printf("\t%.0f\t%zu\n",
	       good < command->cnt ? (double)(command->v[good].ts_ns - begin_ns) / 1e6 : -1,
	       pending_cnt);
}

static int compare_stacks(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void print_end(const struct rsp_trace *trace, const struct command *command, __u64 stack,
		      size_t cnt)
{
	struct rsp_frame frames[4 * RSP_STACK_FRAMES_MAX];
	size_t frame_cnt = rsp_trace_frames(trace, stack, frames, sizeof(frames) / sizeof(*frames));
	const struct rsp_frame *end = &frames[frame_cnt - 1];

	if (frame_cnt > 1 && strcmp(end->symbol, "(callers unknown)") == 0)
		end--;
	if (frame_cnt)
		printf("end\t%.*s\t%zu\t%s\t%s\n", RSP_TASK_COMM_LEN, command->comm, cnt,
		       end->module, end->symbol);
}

/* Prints where stacks end. Must be called last, because it sorts the uses by stack. */
static void print_ends(const struct rsp_trace *trace, struct command *command, double settled_s)
{
	__u64 settled_ns = command->v[0].ts_ns + (__u64)(1e9 * settled_s);
	size_t cnt = 0;

	qsort(command->v, command->cnt, sizeof(*command->v), compare_stacks);
	for (size_t i = 0; i < command->cnt; i++) {
		const struct use *use = &command->v[i];

		cnt += !use->complete && !use->pending && use->ts_ns >= settled_ns;
		if (i + 1 < command->cnt && use[1].stack == use->stack)
			continue;
		if (cnt)
			print_end(trace, command, use->stack, cnt);
		cnt = 0;
	}
}

static bool is_wanted(const struct command *command, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strncmp(command->comm, *names, RSP_TASK_COMM_LEN - 1))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct commands commands = {0};
	struct rsp_trace *trace;

	if (argc < 4)
		errx(2, "usage: stacks FILE GOAL_PCT SETTLED_S [COMMAND…]");
	trace = open_trace(argv[1]);
	for (size_t i = 0; i < trace->event_cnt; i++)
		collect_event(trace, trace->events[i], &commands);
	for (size_t i = 0; i < commands.cnt; i++) {
		struct command *command = &commands.v[i];

		if (command->cnt && is_wanted(command, argv + 4)) {
			print_command(command, strtod(argv[2], NULL), strtod(argv[3], NULL));
			if (getenv("ENDS"))
				print_ends(trace, command, strtod(argv[3], NULL));
		}
		free(command->v);
	}
	free(commands.v);
	close_trace(trace);
	return 0;
}
