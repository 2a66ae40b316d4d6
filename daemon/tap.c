/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tap.h. */
#include "daemon/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HALF_BYTES (RSP_TAP_BYTES / 2)

/*
 * Each period begins with a slice (tap.h), which lasts for the whole period unless there are too
 * many events.
 */
#define PERIOD_NS 100000000ULL

/* Limit for the events of one period: some 2 MB per second, which a client reads within 10 ms. */
#define QUOTA_BYTES (192UL << 10)

/* Minimum length of a slice: a shorter slice would contain too few complete waits. */
#define SLICE_NS_MIN 1000000ULL

/* The tap fills its two halves in turn, so that no record wraps around. */
struct half {
	char *bytes;
	size_t len;
	/* position of the first byte; positions continue from one half to the next */
	__u64 position;
};

struct rsp_tap {
	struct half halves[2];
	unsigned int now; /* index of the half that is being filled */
	__u64 read_ns;

	/* The number of a period is time / PERIOD_NS. */
	__u64 next_period; /* slices last open_ns from this period on, and former_ns before */
	__u64 open_ns, former_ns;
	__u64 marked_period;  /* number of the period up to which pauses have been marked */
	__u64 polled_ns;      /* time of the last choice of lengths */
	size_t offered_bytes; /* size of all events since polled_ns, inside and outside of slices */
};

int rsp_tap_new(__u64 now_ns, struct rsp_tap **ret)
{
	struct rsp_tap *tap = calloc(1, sizeof(*tap));

	if (!tap)
		return -ENOMEM;
	for (size_t i = 0; i < 2; i++) {
		tap->halves[i].bytes = malloc(HALF_BYTES);
		if (!tap->halves[i].bytes) {
			rsp_tap_free(tap);
			return -ENOMEM;
		}
		tap->halves[i].position = sizeof(__u64);
	}
	tap->open_ns = tap->former_ns = PERIOD_NS;
	tap->read_ns = tap->polled_ns = now_ns;
	tap->marked_period = now_ns / PERIOD_NS;
	*ret = tap;
	return 0;
}

struct rsp_tap *rsp_tap_free(struct rsp_tap *tap)
{
	if (!tap)
		return NULL;
	free(tap->halves[0].bytes);
	free(tap->halves[1].bytes);
	free(tap);
	return NULL;
}

static __u64 slice_ns(const struct rsp_tap *tap, __u64 period)
{
	return period < tap->next_period ? tap->former_ns : tap->open_ns;
}

/* Later records depend on records of these kinds, so the tap takes them even outside of slices. */
static bool is_lasting(const struct rsp_ev_hdr *rec)
{
	switch (rec->kind) {
	case RSP_EV_STACK:
	case RSP_EV_OBJECT:
	case RSP_EV_SOCKET:
	case RSP_EV_TASK:
	case RSP_EV_EXIT:
	case RSP_EV_LOST:
	case RSP_EV_SHED:
		return true;
	default:
		return false;
	}
}

static void put(struct rsp_tap *tap, const void *record, size_t len)
{
	struct half *half = &tap->halves[tap->now], *other;

	if (half->len + len > HALF_BYTES) {
		other = &tap->halves[tap->now ^ 1];
		other->position = half->position + half->len;
		other->len = 0;
		tap->now ^= 1;
		half = other;
	}
	memcpy(half->bytes + half->len, record, len);
	half->len += len;
}

void rsp_tap_append(struct rsp_tap *tap, const void *record, size_t len)
{
	const struct rsp_ev_hdr *rec = record;

	if (!is_lasting(rec)) {
		tap->offered_bytes += len;
		if (rec->ts_ns % PERIOD_NS >= slice_ns(tap, rec->ts_ns / PERIOD_NS))
			return;
	}
	put(tap, record, len);
}

static void mark_pauses(struct rsp_tap *tap, __u64 now_ns)
{
	for (; tap->marked_period < now_ns / PERIOD_NS; tap->marked_period++) {
		__u64 from_ns = tap->marked_period * PERIOD_NS;
		__u64 open_ns = slice_ns(tap, tap->marked_period);
		struct rsp_ev_lost lost = {
			.hdr = {.ts_ns = from_ns + PERIOD_NS,
				.kind = RSP_EV_LOST,
				.size = sizeof(lost),
				.flags = RSP_LOST_PAUSED},
			.from_ns = from_ns + open_ns,
		};

		if (open_ns < PERIOD_NS)
			put(tap, &lost, sizeof(lost));
	}
}

/*
 * The new length applies from the next period on. No record of that period has been drained yet, so
 * the length is the same for all CPUs.
 */
static void choose_slices(struct rsp_tap *tap, __u64 now_ns)
{
	__u64 span_ns = now_ns - tap->polled_ns, quota, open_ns = PERIOD_NS;

	if (span_ns < PERIOD_NS / 2)
		return;
	quota = QUOTA_BYTES * span_ns / PERIOD_NS;
	if (tap->offered_bytes > quota)
		open_ns = PERIOD_NS * quota / tap->offered_bytes;
	if (open_ns < SLICE_NS_MIN)
		open_ns = SLICE_NS_MIN;
	tap->former_ns = slice_ns(tap, now_ns / PERIOD_NS);
	tap->open_ns = open_ns;
	tap->next_period = now_ns / PERIOD_NS + 1;
	tap->offered_bytes = 0;
	tap->polled_ns = now_ns;
}

bool rsp_tap_poll(struct rsp_tap *tap, __u64 now_ns)
{
	mark_pauses(tap, now_ns);
	choose_slices(tap, now_ns);
	return now_ns - tap->read_ns < RSP_TAP_IDLE_NS;
}

static void read_half(const struct half *half, __u64 position, const void **ret, size_t *ret_len)
{
	size_t skipped = position > half->position ? (size_t)(position - half->position) : 0;

	*ret = half->bytes;
	*ret_len = 0;
	if (skipped >= half->len)
		return;
	*ret = half->bytes + skipped;
	*ret_len = half->len - skipped;
}

void rsp_tap_read(struct rsp_tap *tap, __u64 position, __u64 now_ns, struct rsp_tap_part *ret)
{
	const struct half *young = &tap->halves[tap->now], *old = &tap->halves[tap->now ^ 1];
	__u64 oldest = old->len ? old->position : young->position;
	__u64 end = young->position + young->len;

	tap->read_ns = now_ns;
	*ret = (struct rsp_tap_part){.position = end, .missed = position && position < oldest};
	if (!position || position > end || position % sizeof(__u64))
		position = end;
	read_half(old, position, &ret->v[0], &ret->len[0]);
	read_half(young, position, &ret->v[1], &ret->len[1]);
}
