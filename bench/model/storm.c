/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the streams of storms (streams.h). */
#include "bench/model/streams.h"

#include <err.h>
#include <stdlib.h>

#define STEP_NS 1000

struct crowd {
	__u32 *tids;
	unsigned char *asleep; /* [tid - STREAM_TARGET]: whether the task sleeps */
	size_t cnt;
};

static void crowd_init(struct crowd *c)
{
	c->tids = calloc(STORM_TASKS, sizeof(*c->tids));
	c->asleep = malloc(STORM_TASKS);
	c->cnt = 0;
	if (!c->tids || !c->asleep)
		err(1, "no memory for %d tasks", STORM_TASKS);
}

static void crowd_done(struct crowd *c)
{
	free(c->tids);
	free(c->asleep);
}

static __u32 crowd_take(struct crowd *c, struct stream *s)
{
	size_t i = stream_below(s, (__u32)c->cnt);
	__u32 tid = c->tids[i];

	c->tids[i] = c->tids[--c->cnt];
	return tid;
}

static void populate(struct stream *s, struct crowd *c, __u32 threads_of)
{
	__u32 i, tid;

	stream_stacks(s);
	for (i = 0; i < STORM_TASKS; i++) {
		tid = STREAM_TARGET + i;
		stream_task(s, 0, RSP_TASK_SEED, tid, threads_of ? threads_of : tid, 1, "storm");
		c->asleep[i] = i % 2;
		if (c->asleep[i])
			stream_switch(s, 0, tid, 0,
				      &(struct stream_wait){RSP_SW_SEED, 202, 0, tid});
		else
			c->tids[c->cnt++] = tid;
	}
}

static void storm(struct stream *s, __u32 threads_of)
{
	__u32 on[STREAM_CPUS] = {0}, next, wakee;
	struct stream_wait wait = {.syscall_nr = 202};
	struct crowd c;
	unsigned int i;
	__u16 cpu;

	crowd_init(&c);
	populate(s, &c, threads_of);
	while (!stream_full(s)) {
		cpu = (__u16)stream_below(s, STREAM_CPUS);
		for (i = 0; i < 2 && on[cpu]; i++) {
			wakee = STREAM_TARGET + stream_below(s, STORM_TASKS);
			if (!c.asleep[wakee - STREAM_TARGET])
				continue;
			c.asleep[wakee - STREAM_TARGET] = 0;
			c.tids[c.cnt++] = wakee;
			stream_waking(s, cpu, on[cpu], wakee, RSP_WAKE_TASK, 0, 0);
		}
		if (c.cnt == 0)
			continue;
		s->now_ns += STEP_NS;
		next = crowd_take(&c, s);
		wait.stack = on[cpu];
		stream_switch(s, cpu, on[cpu], next, &wait);
		if (on[cpu])
			c.asleep[on[cpu] - STREAM_TARGET] = 1;
		on[cpu] = next;
	}
	crowd_done(&c);
}

void storm_play(struct stream *s)
{
	storm(s, 0);
}

void storm_play_threads(struct stream *s)
{
	storm(s, STREAM_TARGET);
}

void storm_play_nonsense(struct stream *s)
{
	struct stream_wait wait = {.syscall_nr = 202};
	struct crowd c;
	__u32 a, b;

	crowd_init(&c);
	populate(s, &c, STREAM_TARGET);
	while (!stream_full(s)) {
		a = STREAM_TARGET + stream_below(s, STORM_TASKS);
		b = STREAM_TARGET + stream_below(s, STORM_TASKS);
		s->now_ns += stream_below(s, STEP_NS);
		wait.flags = stream_below(s, 8) ? 0 : RSP_SW_PREEMPTED;
		if (stream_below(s, 2))
			stream_switch(s, (__u16)stream_below(s, STREAM_CPUS), a, b, &wait);
		else
			stream_waking(s, (__u16)stream_below(s, STREAM_CPUS), a, b, RSP_WAKE_TASK,
				      0, 0);
	}
	crowd_done(&c);
}
