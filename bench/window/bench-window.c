/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-window [-s KIB] SNAPSHOT…: measures how many bytes and how much time recorded events take
 * in the window. Fills segments with the records of each snapshot as the recorder would, reads the
 * records again, and compares them. Prints lines of the form `name: value unit (what)`. Times are
 * CPU times, the best of several rounds. Exit status 1 if a goal is missed.
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/segment.h"
#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/window.h"

#define ROUNDS		    7
#define WINDOW_BYTES	    ((size_t)64 << 20)
#define SEGMENT_KIB	    (64 * 1024 / 5) /* size of a generation in a window of WINDOW_BYTES */
#define CODER_HALVINGS	    1		    /* the value for a window of WINDOW_BYTES */
#define EVICTIONS	    32
#define GOAL_MILLIONS_PER_S 10.0

/* A copy of the records that were written to one segment. */
struct part {
	char *records;
	size_t len, cap;
};

struct tally {
	double cnt, raw_bytes, held_bytes;
};

struct recording {
	struct rsp_idmap names; /* maps the ID of a stack, object or socket to its record */
	struct {
		struct part *v;
		size_t cnt, cap;
	} parts;
	struct tally kinds[RSP_EV_KIND_MAX];
	struct rsp_segment *segment;
	struct rsp_coder *coder;
	struct rsp_idmap sent; /* IDs of the names in the last part */
};

static bool is_name(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind == RSP_EV_STACK || hdr->kind == RSP_EV_OBJECT ||
	       hdr->kind == RSP_EV_SOCKET;
}

static __u64 id_of(const struct rsp_ev_hdr *name)
{
	return ((const struct rsp_ev_stack *)name)->id; /* at the same offset in all names */
}

_Static_assert(offsetof(struct rsp_ev_stack, id) == offsetof(struct rsp_ev_object, id), "");
_Static_assert(offsetof(struct rsp_ev_stack, id) == offsetof(struct rsp_ev_socket, id), "");

/* --- writing -------------------------------------------------------------------------------- */

static void begin_part(struct recording *rec)
{
	if (!rsp_array_add(&rec->parts))
		err(1, NULL);
	rsp_idmap_done(&rec->sent);
	rsp_segment_clear(rec->segment);
	rsp_coder_reset(rec->coder);
}

static void add(struct recording *rec, const struct rsp_ev_hdr *hdr);

static void send_names(struct recording *rec, const struct rsp_ev_hdr *hdr)
{
	static __u64 copy[UINT16_MAX / 8 + 1];
	const __u64 *words = (const void *)hdr;
	struct rsp_ev_hdr *name = (void *)copy;
	uint64_t value;

	for (size_t i = 2; i < hdr->size / 8u; i++) {
		if (!words[i] || !rsp_idmap_get(&rec->names, words[i], &value) ||
		    rsp_idmap_get(&rec->sent, words[i], &(uint64_t){0}))
			continue;
		memcpy(copy, (const void *)value, ((const struct rsp_ev_hdr *)value)->size);
		name->ts_ns = hdr->ts_ns;
		name->cpu = hdr->cpu;
		add(rec, name);
	}
}

static void note(struct recording *rec, const struct rsp_ev_hdr *hdr, size_t held_bytes)
{
	struct part *part = &rec->parts.v[rec->parts.cnt - 1];
	struct tally *tally = &rec->kinds[hdr->kind < RSP_EV_KIND_MAX ? hdr->kind : 0];

	if (part->len + hdr->size > part->cap) {
		part->cap = 2 * (part->len + hdr->size);
		part->records = realloc(part->records, part->cap);
		if (!part->records)
			err(1, NULL);
	}
	memcpy(part->records + part->len, hdr, hdr->size);
	part->len += hdr->size;
	tally->cnt++;
	tally->raw_bytes += hdr->size;
	tally->held_bytes += held_bytes;
}

static void add(struct recording *rec, const struct rsp_ev_hdr *hdr)
{
	size_t before;

	if (is_name(hdr) && rsp_idmap_put(&rec->sent, id_of(hdr), 1) < 0)
		err(1, NULL);
	if (!is_name(hdr))
		send_names(rec, hdr);
	before = rsp_segment_bytes(rec->segment);
	if (rsp_segment_append(rec->segment, rec->coder, hdr) < 0) {
		begin_part(rec);
		add(rec, hdr);
		return;
	}
	note(rec, hdr, rsp_segment_bytes(rec->segment) - before);
}

/*
 * Calls fn for some records of a snapshot: for stacks, objects and sockets if names is true,
 * otherwise for all other records.
 */
static void for_each(struct recording *rec, const struct rsp_snapshot *snap, bool names,
		     void (*fn)(struct recording *, const struct rsp_ev_hdr *))
{
	const struct rsp_ev_hdr *hdr;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *sec = &snap->sections[i];
		size_t off = 0;

		if (sec->type != RSP_SEC_EVENTS)
			continue;
		while (rsp_record_next(sec->data, sec->len, &off, &hdr) > 0)
			if (is_name(hdr) == names)
				fn(rec, hdr);
	}
}

static void learn_name(struct recording *rec, const struct rsp_ev_hdr *hdr)
{
	if (rsp_idmap_put(&rec->names, id_of(hdr), (uintptr_t)hdr) < 0)
		err(1, NULL);
}

static void write_parts(struct recording *rec, const struct rsp_snapshot *snap)
{
	for_each(rec, snap, true, learn_name);
	begin_part(rec);
	for_each(rec, snap, false, add);
}

/* --- timing --------------------------------------------------------------------------------- */

static double cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts))
		err(1, "clock_gettime");
	return 1e9 * (double)ts.tv_sec + (double)ts.tv_nsec;
}

static void fill(struct recording *rec, const struct part *part)
{
	const struct rsp_ev_hdr *hdr;

	rsp_segment_clear(rec->segment);
	rsp_coder_reset(rec->coder);
	rsp_record_foreach (hdr, part->records, part->len)
		if (rsp_segment_append(rec->segment, rec->coder, hdr) < 0)
			errx(1, "a segment holds less than before");
}

/*
 * Reads all records of the segment. Returns whether they have the size of the part's records and,
 * if compare is true, the same content.
 */
static bool empty(struct recording *rec, const struct part *part, bool compare)
{
	static char chunk[4 * RSP_SEGMENT_READ_BYTES_MIN] __attribute__((aligned(8)));
	size_t pos = 0, done = 0, len;

	rsp_coder_reset(rec->coder);
	while ((len = rsp_segment_read(rec->segment, rec->coder, &pos, chunk, sizeof(chunk)))) {
		if (compare && (done + len > part->len || memcmp(part->records + done, chunk, len)))
			return false;
		done += len;
	}
	return done == part->len;
}

struct times {
	double encode_ns, decode_ns;
};

static struct times measure(struct recording *rec, bool compare)
{
	struct times t = {0};

	for (size_t i = 0; i < rec->parts.cnt; i++) {
		double begin = cpu_ns(), middle;

		fill(rec, &rec->parts.v[i]);
		middle = cpu_ns();
		if (!empty(rec, &rec->parts.v[i], compare))
			errx(1, "what is read is not what was written");
		t.encode_ns += middle - begin;
		t.decode_ns += cpu_ns() - middle;
	}
	return t;
}

static struct times best_times(struct recording *rec)
{
	struct times best = measure(rec, true), t;

	for (int i = 0; i < ROUNDS; i++) {
		t = measure(rec, false);
		if (t.encode_ns < best.encode_ns)
			best.encode_ns = t.encode_ns;
		if (t.decode_ns < best.decode_ns)
			best.decode_ns = t.decode_ns;
	}
	return best;
}

/* --- in a window ---------------------------------------------------------------------------- */

static __u64 span_of(const struct recording *rec)
{
	__u64 from_ns = UINT64_MAX, until_ns = 0;
	const struct rsp_ev_hdr *hdr;

	for (size_t i = 0; i < rec->parts.cnt; i++)
		rsp_record_foreach (hdr, rec->parts.v[i].records, rec->parts.v[i].len) {
			if (hdr->ts_ns < from_ns)
				from_ns = hdr->ts_ns;
			if (hdr->ts_ns > until_ns)
				until_ns = hdr->ts_ns;
		}
	return until_ns - from_ns + 1;
}

static void postpone(struct recording *rec, __u64 later_ns)
{
	for (size_t i = 0; i < rec->parts.cnt; i++) {
		struct part *part = &rec->parts.v[i];
		struct rsp_ev_hdr *hdr;

		for (size_t off = 0; off < part->len; off += hdr->size) {
			hdr = (void *)(part->records + off);
			hdr->ts_ns += later_ns;
		}
	}
}

static __u64 evicted_cnt(const struct rsp_window *win)
{
	struct rsp_window_stats stats;

	rsp_window_get_stats(win, &stats);
	return stats.evicted_cnt;
}

/* Returns the CPU time of all appends. ret_slowest may be NULL. */
static double append_all(struct rsp_window *win, const struct recording *rec, double *ret_slowest)
{
	double begin = cpu_ns(), before = begin, now;
	const struct rsp_ev_hdr *hdr;

	for (size_t i = 0; i < rec->parts.cnt; i++)
		rsp_record_foreach (hdr, rec->parts.v[i].records, rec->parts.v[i].len) {
			if (rsp_window_append(win, hdr, hdr->size) < 0)
				errx(1, "the window does not take it");
			if (!ret_slowest)
				continue;
			now = cpu_ns();
			if (now - before > *ret_slowest)
				*ret_slowest = now - before;
			before = now;
		}
	return cpu_ns() - begin;
}

/*
 * Appends the recording repeatedly to a window. *ret_append_ns: the mean time to append the whole
 * recording to the full window, which then evicts records.
 */
static void measure_window(struct recording *rec, double *ret_append_ns, double *ret_slowest_ns)
{
	__u64 span_ns = span_of(rec);
	struct rsp_window *win;
	double sum_ns = 0, round_cnt = 0;
	__u64 full;

	if (rsp_window_new(WINDOW_BYTES, &win) < 0)
		err(1, NULL);
	while (evicted_cnt(win) == 0) {
		append_all(win, rec, NULL);
		postpone(rec, span_ns);
	}
	for (full = evicted_cnt(win); evicted_cnt(win) < full + EVICTIONS; round_cnt++) {
		sum_ns += append_all(win, rec, NULL);
		postpone(rec, span_ns);
	}
	*ret_append_ns = sum_ns / round_cnt;
	*ret_slowest_ns = 0;
	append_all(win, rec, ret_slowest_ns);
	rsp_window_free(win);
}

/* --- results -------------------------------------------------------------------------------- */

static struct tally sum(const struct recording *rec, unsigned int kinds)
{
	struct tally ret = {0};

	for (unsigned int kind = 0; kind < RSP_EV_KIND_MAX; kind++) {
		if (!(kinds >> kind & 1))
			continue;
		ret.cnt += rec->kinds[kind].cnt;
		ret.raw_bytes += rec->kinds[kind].raw_bytes;
		ret.held_bytes += rec->kinds[kind].held_bytes;
	}
	return ret;
}

#define SCHEDULER (1U << RSP_EV_SWITCH | 1U << RSP_EV_WAKING)
#define NAMES	  (1U << RSP_EV_STACK | 1U << RSP_EV_OBJECT | 1U << RSP_EV_SOCKET)

/*
 * Returns the goal in bytes per scheduler event. The goal for a compilation is higher: most of its
 * processes live only for milliseconds, so most of its stacks and thread IDs are new.
 */
static double goal_of(const char *name)
{
	return strcmp(name, "compile") == 0 || strcmp(name, "build") == 0 ? 12.0 : 6.5;
}

static bool print_sizes(const char *name, const struct recording *rec)
{
	struct tally scheduler = sum(rec, SCHEDULER), named = sum(rec, SCHEDULER | NAMES);
	struct tally events = sum(rec, ~NAMES), all = sum(rec, ~0U),
		     stacks = sum(rec, 1U << RSP_EV_STACK);
	double bytes = named.held_bytes / scheduler.cnt, goal = goal_of(name);

	printf("%s_scheduler_event: %.2f bytes (with all stacks and names, of %.0f as recorded; %.2f without; goal <= %g: %s)\n",
	       name, bytes, named.raw_bytes / scheduler.cnt, scheduler.held_bytes / scheduler.cnt,
	       goal, bytes <= goal ? "met" : "MISSED");
	printf("%s_stack: %.1f bytes (of %.0f; one for each %.0f scheduler events)\n", name,
	       stacks.held_bytes / stacks.cnt, stacks.raw_bytes / stacks.cnt,
	       scheduler.cnt / stacks.cnt);
	printf("%s_event: %.2f bytes (of any kind, with stacks and names, of %.0f as recorded)\n",
	       name, all.held_bytes / events.cnt, all.raw_bytes / events.cnt);
	printf("%s_all_per_scheduler_event: %.2f bytes (all that is held; %.0f %% of the events are the scheduler's)\n",
	       name, all.held_bytes / scheduler.cnt, 100 * scheduler.cnt / events.cnt);
	return bytes <= goal;
}

static bool print_times(const char *name, struct recording *rec)
{
	struct times t = best_times(rec);
	double cnt = sum(rec, ~0U).cnt, append_ns, slowest_ns;
	double encode = 1e3 * cnt / t.encode_ns, decode = 1e3 * cnt / t.decode_ns;
	bool met = encode >= GOAL_MILLIONS_PER_S && decode >= GOAL_MILLIONS_PER_S;

	measure_window(rec, &append_ns, &slowest_ns);
	printf("%s_encode: %.1f M records/s (goal >= %g)\n", name, encode, GOAL_MILLIONS_PER_S);
	printf("%s_decode: %.1f M records/s (goal >= %g; both: %s)\n", name, decode,
	       GOAL_MILLIONS_PER_S, met ? "met" : "MISSED");
	printf("%s_append: %.0f ns/record (to a full window of %zu MiB, evictions included)\n",
	       name, append_ns / cnt, WINDOW_BYTES >> 20);
	printf("%s_slowest_append: %.1f ms (it evicts a segment)\n", name, slowest_ns / 1e6);
	return met;
}

static void open_snapshot(const char *path, struct rsp_snapshot **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), r;

	if (fd < 0)
		err(2, "%s", path);
	r = rsp_snapshot_open_fd(fd, ret);
	if (r < 0)
		errx(2, "%s: %s", path, strerror(-r));
	close(fd);
}

static const char *name_of(char *path)
{
	char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	name[strcspn(name, ".")] = '\0';
	return name;
}

static bool run(char *path, size_t segment_bytes)
{
	struct recording rec = {0};
	struct rsp_snapshot *snap;
	const char *name;
	bool met;

	open_snapshot(path, &snap);
	if (rsp_segment_new(segment_bytes, &rec.segment) < 0 ||
	    rsp_coder_new(CODER_HALVINGS, &rec.coder) < 0)
		errx(2, "segments of %zu bytes cannot be had", segment_bytes);
	write_parts(&rec, snap);
	name = name_of(path);
	met = print_sizes(name, &rec);
	met &= print_times(name, &rec);
	for (size_t i = 0; i < rec.parts.cnt; i++)
		free(rec.parts.v[i].records);
	free(rec.parts.v);
	rsp_idmap_done(&rec.names);
	rsp_idmap_done(&rec.sent);
	rsp_segment_free(rec.segment);
	rsp_coder_free(rec.coder);
	rsp_snapshot_free(snap);
	return met;
}

int main(int argc, char **argv)
{
	size_t segment_kib = SEGMENT_KIB;
	bool met = true;
	int opt;

	while ((opt = getopt(argc, argv, "s:")) != -1) {
		if (opt != 's')
			return 2;
		segment_kib = strtoul(optarg, NULL, 10);
	}
	if (optind == argc)
		errx(2, "which snapshots?");
	printf("coder: %zu KiB (size of a coder; a window has three)\n",
	       rsp_coder_bytes(CODER_HALVINGS) >> 10);
	for (int i = optind; i < argc; i++)
		met &= run(argv[i], segment_kib << 10);
	return met ? 0 : 1;
}
