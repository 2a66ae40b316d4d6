/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-scale [-c CPUS] [-e EVENTS_PER_S] [-s SECONDS] [-k STACKS] [-w MIB] [-t]: simulates a
 * machine with many CPUs, and puts its records through the window as the recorder does.
 *
 * Each CPU has a ring, and threads that wake each other. A thread mostly blocks at a few call paths
 * of its own, and sometimes at any of STACKS call paths. A ring that is a quarter full wakes the
 * recorder early.
 *
 * Prints lines of the form `name: value unit (what)`. With -t, prints one row of a table: number of
 * CPUs, MiB of the window, MiB of all rings, seconds in the full window, and the share of a CPU in
 * percent that the drains take. Exit status 1 if a record is neither in the window nor counted as
 * lost, if the window refuses a record, or if an event in the window refers to a stack that the
 * window does not contain.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/config/sizes.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/window.h"

#define DRAIN_NS	100000000ULL /* the interval of the recorder's timer */
#define WAKE_SHARE	4
#define SEEN_SLOTS	(1U << 15) /* two IDs per slot, as in the BPF programs */
#define THREADS_PER_CPU 16
#define PLACES		6  /* number of call paths of a thread */
#define PROGRAMS	64 /* number of programs; the threads of a program have the same stacks */
#define RARE_SHARE	64 /* one in RARE_SHARE events is at a random call path */
#define CHECKS		3

struct ring {
	char *bytes;
	size_t len;
	unsigned int current;
	__u64 now_ns, lost_cnt, lost_from_ns;
};

static struct {
	size_t cpu_cnt, stack_cnt, ring_bytes, window_bytes;
	__u64 events_per_s, duration_s;
	bool row;
} opt = {
	.cpu_cnt = 64,
	.stack_cnt = 100000,
	.events_per_s = 5000000,
	.duration_s = 60,
};

static struct rsp_window *win;
static struct ring *rings;
static __u64 seen[SEEN_SLOTS][2], epoch, random_state = 1;
static __u64 made_cnt, lost_cnt, refused_cnt, early_cnt, bytes_most;

static __u64 dice(__u64 sides)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % sides;
}

static __u64 mix(__u64 v)
{
	v = (v ^ v >> 31) * 0x7fb5d329728ea185ULL;
	return (v ^ v >> 27) * 0x81dadef4bc2dd44dULL;
}

/* --- the machine ---------------------------------------------------------------------------- */

static bool reserve(struct ring *ring, size_t size)
{
	if (ring->len + size > opt.ring_bytes) {
		if (ring->lost_cnt++ == 0)
			ring->lost_from_ns = ring->now_ns;
		made_cnt++;
		return false;
	}
	return true;
}

static bool put(struct ring *ring, const void *rec, size_t size)
{
	if (!reserve(ring, size))
		return false;
	memcpy(ring->bytes + ring->len, rec, size);
	ring->len += size;
	made_cnt++;
	return true;
}

static __u64 seen_value(__u64 id)
{
	return id ^ epoch * 0xbf58476d1ce4e5b9ULL;
}

/*
 * Writes the record of a stack. Most stacks of a program have the same outer frames, and differ in
 * the innermost frames.
 */
static void send_stack(struct ring *ring, __u16 cpu, __u64 id, __u64 place, bool user)
{
	struct {
		struct rsp_ev_stack stack;
		__u64 frames[24];
	} rec = {.stack = {.hdr = {.ts_ns = ring->now_ns,
				   .kind = RSP_EV_STACK,
				   .cpu = cpu,
				   .flags = user ? RSP_STACK_USER : RSP_STACK_KERNEL},
			   .id = id}};
	unsigned int cnt = 10 + (unsigned int)(place % 14);

	rec.stack.frame_cnt = cnt;
	rec.stack.hdr.size = (__u16)(sizeof(rec.stack) + cnt * sizeof(__u64));
	for (unsigned int i = 0; i < cnt; i++) /* outer frames have fewer variants */
		rec.frames[i] = mix(place >> i / 2 << 8 | i) >> 20 | (user ? 1ULL << 63 : 0);
	if (put(ring, &rec, rec.stack.hdr.size)) {
		seen[id % SEEN_SLOTS][1] = seen[id % SEEN_SLOTS][0];
		seen[id % SEEN_SLOTS][0] = seen_value(id);
	}
}

static __u64 stack_at(struct ring *ring, __u16 cpu, __u64 place, bool user)
{
	__u64 id = mix(place << 1 | user);

	if (seen[id % SEEN_SLOTS][0] != seen_value(id) &&
	    seen[id % SEEN_SLOTS][1] != seen_value(id))
		send_stack(ring, cpu, id, place, user);
	return id;
}

static __u64 place_of(__u32 tid)
{
	__u64 program = tid % PROGRAMS;

	return dice(RARE_SHARE) ? program * PLACES + dice(PLACES) : dice(opt.stack_cnt);
}

/* The thread on the CPU blocks. A random thread of the CPU runs next, and wakes a random thread. */
static void step(struct ring *ring, __u16 cpu)
{
	__u32 base = 1 + cpu * THREADS_PER_CPU, next = (__u32)dice(THREADS_PER_CPU);
	__u64 place = place_of(base + ring->current);
	struct rsp_ev_switch sw = {
		.hdr = {.ts_ns = ring->now_ns,
			.kind = RSP_EV_SWITCH,
			.size = sizeof(sw),
			.cpu = cpu},
		.prev_tid = base + ring->current,
		.next_tid = base + next,
		.prev_state = 1,
		.kstack = stack_at(ring, cpu, place % 500, false),
		.ustack = stack_at(ring, cpu, place, true),
	};
	struct rsp_ev_waking wk = {
		.hdr = {.ts_ns = ring->now_ns + 1000,
			.kind = RSP_EV_WAKING,
			.size = sizeof(wk),
			.cpu = cpu},
		.waker_tid = sw.next_tid,
		.wakee_tid = base + (__u32)dice(THREADS_PER_CPU),
		.context = RSP_WAKE_TASK,
	};

	sw.syscall_nr = (__s32)(place % 7);
	put(ring, &sw, sizeof(sw));
	ring->current = next;
	place = place_of(sw.next_tid);
	wk.kstack = stack_at(ring, cpu, place % 500, false);
	wk.ustack = stack_at(ring, cpu, place, true);
	put(ring, &wk, sizeof(wk));
}

/* --- the recorder --------------------------------------------------------------------------- */

static double cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts))
		err(1, "clock_gettime");
	return 1e9 * (double)ts.tv_sec + (double)ts.tv_nsec;
}

static void sink(const void *rec, size_t len)
{
	int r = rsp_window_append(win, rec, len);

	refused_cnt += r < 0;
	epoch += r > 0;
}

static void report_loss(struct ring *ring, __u16 cpu)
{
	struct rsp_ev_lost lost = {
		.hdr = {.ts_ns = ring->now_ns,
			.kind = RSP_EV_LOST,
			.size = sizeof(lost),
			.cpu = cpu},
		.from_ns = ring->lost_from_ns,
		.lost_cnt = ring->lost_cnt,
	};

	if (!ring->lost_cnt)
		return;
	sink(&lost, sizeof(lost));
	lost_cnt += ring->lost_cnt;
	ring->lost_cnt = 0;
}

static double drain(void)
{
	double begin = cpu_ns();
	const struct rsp_ev_hdr *hdr;

	for (size_t cpu = 0; cpu < opt.cpu_cnt; cpu++) {
		rsp_record_foreach (hdr, rings[cpu].bytes, rings[cpu].len)
			sink(hdr, hdr->size);
		rings[cpu].len = 0;
		report_loss(&rings[cpu], (__u16)cpu);
	}
	return cpu_ns() - begin;
}

/* --- checks --------------------------------------------------------------------------------- */

struct check {
	struct rsp_idmap stacks;
	__u64 event_cnt, dangling_cnt;
};

static int note_stacks(const void *records, size_t len, void *userdata)
{
	struct check *check = userdata;
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, records, len)
		if (hdr->kind == RSP_EV_STACK &&
		    rsp_idmap_put(&check->stacks, ((const struct rsp_ev_stack *)hdr)->id, 1) < 0)
			return -1;
	return 0;
}

static int note_events(const void *records, size_t len, void *userdata)
{
	struct check *check = userdata;
	const struct rsp_ev_hdr *hdr;
	uint64_t value;

	rsp_record_foreach (hdr, records, len) {
		const struct rsp_ev_switch *sw = (const void *)hdr;
		const struct rsp_ev_waking *wk = (const void *)hdr;
		__u64 ids[2] = {0};

		if (hdr->kind == RSP_EV_SWITCH)
			memcpy(ids, (__u64[]){sw->kstack, sw->ustack}, sizeof(ids));
		else if (hdr->kind == RSP_EV_WAKING)
			memcpy(ids, (__u64[]){wk->kstack, wk->ustack}, sizeof(ids));
		check->event_cnt++;
		for (int i = 0; i < 2; i++)
			check->dangling_cnt += ids[i] &&
					       !rsp_idmap_get(&check->stacks, ids[i], &value);
	}
	return 0;
}

static __u64 count_dangling(void)
{
	struct check check = {0};

	if (rsp_window_foreach(win, 0, note_stacks, &check) < 0 ||
	    rsp_window_foreach(win, 0, note_events, &check) < 0)
		errx(1, "the window cannot be read");
	rsp_idmap_done(&check.stacks);
	return check.dangling_cnt;
}

/* --- main ----------------------------------------------------------------------------------- */

static double run_until(__u64 *now_ns, __u64 until_ns)
{
	__u64 step_ns = 2 * opt.cpu_cnt * 1000000000ULL / opt.events_per_s;
	__u64 drained_ns = *now_ns;
	double busy_ns = 0;

	while (*now_ns < until_ns) {
		bool early = false;

		*now_ns += step_ns;
		for (size_t cpu = 0; cpu < opt.cpu_cnt; cpu++) {
			rings[cpu].now_ns = *now_ns + dice(step_ns / 2);
			step(&rings[cpu], (__u16)cpu);
			early |= rings[cpu].len > opt.ring_bytes / WAKE_SHARE;
		}
		if (!early && *now_ns - drained_ns < DRAIN_NS)
			continue;
		early_cnt += early;
		drained_ns = *now_ns;
		busy_ns += drain();
	}
	return busy_ns + drain();
}

struct result {
	struct rsp_window_stats stats;
	__u64 uncounted_cnt, dangling_cnt;
	double window_s, busy_share, record_ns;
};

static void print_all(const struct result *r)
{
	printf("scale_uncounted: %llu records (of %llu made on %zu CPUs, %llu lost and counted, %llu refused; goal 0)\n",
	       r->uncounted_cnt, made_cnt, opt.cpu_cnt, lost_cnt, refused_cnt);
	printf("scale_dangling: %llu names missing (events in the window refer to them; checked %d times; goal 0)\n",
	       r->dangling_cnt, CHECKS);
	printf("scale_epochs: %.2f per window length (%llu in all)\n",
	       (double)epoch * r->window_s / (double)opt.duration_s, epoch);
	printf("scale_stacks: %.1f %% of the records (each sent %.1f times in %zu)\n",
	       100. * (double)r->stats.by_kind[RSP_EV_STACK] / (double)r->stats.events,
	       (double)r->stats.by_kind[RSP_EV_STACK] / (double)opt.stack_cnt, opt.stack_cnt);
	printf("scale_window: %.1f s (%.1f MiB of %zu; %.2f bytes a scheduler event, names included)\n",
	       r->window_s, (double)bytes_most / (1 << 20), opt.window_bytes >> 20,
	       (double)r->stats.segment_bytes / (double)r->stats.segment_switches);
	printf("scale_drain: %.1f %% of a CPU (%.0f ns a record, evictions included; woken early %llu times)\n",
	       100 * r->busy_share, r->record_ns, early_cnt);
}

static void print_row(const struct result *r)
{
	printf("%4zu %8zu %8zu %8.1f %8.1f\n", opt.cpu_cnt, opt.window_bytes >> 20,
	       opt.cpu_cnt * opt.ring_bytes >> 20, r->window_s, 100 * r->busy_share);
}

static bool run(void)
{
	__u64 now_ns = 1000000000, begin_ns = now_ns, dangling_cnt = 0, uncounted;
	struct rsp_window_stats stats;
	double busy_ns = 0, s = (double)opt.duration_s, window_s;
	struct result result;

	for (unsigned int i = 1; i <= CHECKS; i++) {
		busy_ns += run_until(&now_ns,
				     begin_ns + opt.duration_s * 1000000000ULL / CHECKS * i);
		dangling_cnt += count_dangling();
		rsp_window_get_stats(win, &stats);
		if (stats.bytes > bytes_most)
			bytes_most = stats.bytes;
	}
	window_s = (double)(stats.newest_ns - stats.oldest_ns) / 1e9;
	uncounted = made_cnt - lost_cnt - (stats.events - stats.by_kind[RSP_EV_LOST]);
	result = (struct result){.stats = stats,
				 .uncounted_cnt = uncounted,
				 .dangling_cnt = dangling_cnt,
				 .window_s = window_s,
				 .busy_share = busy_ns / 1e9 / s,
				 .record_ns = busy_ns / (double)stats.events};
	if (opt.row)
		print_row(&result);
	else
		print_all(&result);
	return !uncounted && !dangling_cnt && !refused_cnt;
}

static void read_options(int argc, char *argv[])
{
	int c;

	while ((c = getopt(argc, argv, "c:e:s:k:w:t")) >= 0) {
		unsigned long long value = c == '?' ? 0 : c == 't' ? 1 : strtoull(optarg, NULL, 10);

		if (!value)
			errx(2,
			     "usage: bench-scale [-c CPUS] [-e EVENTS_PER_S] [-s SECONDS] [-k STACKS] [-w MIB] [-t]");
		if (c == 'c')
			opt.cpu_cnt = value;
		else if (c == 'e')
			opt.events_per_s = value;
		else if (c == 's')
			opt.duration_s = value;
		else if (c == 'k')
			opt.stack_cnt = value;
		else if (c == 'w')
			opt.window_bytes = (size_t)value << 20;
		else
			opt.row = true;
	}
	opt.ring_bytes = rsp_ring_bytes_for((unsigned int)opt.cpu_cnt);
	if (!opt.window_bytes)
		opt.window_bytes = rsp_window_bytes_for((unsigned int)opt.cpu_cnt);
}

int main(int argc, char *argv[])
{
	bool met;

	read_options(argc, argv);
	rings = calloc(opt.cpu_cnt, sizeof(*rings));
	if (!rings || rsp_window_new(opt.window_bytes, &win) < 0)
		err(2, NULL);
	for (size_t cpu = 0; cpu < opt.cpu_cnt; cpu++)
		if (!(rings[cpu].bytes = malloc(opt.ring_bytes)))
			err(2, NULL);
	met = run();
	for (size_t cpu = 0; cpu < opt.cpu_cnt; cpu++)
		free(rings[cpu].bytes);
	free(rings);
	rsp_window_free(win);
	return met ? 0 : 1;
}
