/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See census.h. */
#include "daemon/capture/census.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "lib/snapshot/decode.h"
#include "rsp/event.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/*
 * Minimum time between two censuses. Without this minimum, a user who keeps causing lost records of
 * births could raise the cost without limit.
 */
#define INTERVAL_NS 10000000000ULL

/*
 * Size of a step: the records of some 2,000 threads, which take 5 to 10 ms. Between two steps, rspd
 * drains the rings.
 */
#define STEP_BYTES (512 << 10)

void rsp_census_init(struct rsp_census *c, struct rsp_bpf *bpf, rsp_sink_fn sink, void *userdata)
{
	*c = (struct rsp_census){.bpf = bpf, .sink = sink, .userdata = userdata, .fd = -1};
}

static void end(struct rsp_census *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void rsp_census_done(struct rsp_census *c)
{
	end(c);
}

static int begin(struct rsp_census *c)
{
	int fd = bpf_iter_create(bpf_link__fd(c->bpf->links.on_census));

	if (fd < 0)
		return -errno;
	c->fd = fd;
	c->have = 0;
	c->begun_ns = rsp_now_ns();
	return 0;
}

static void pass_on(struct rsp_census *c)
{
	const struct rsp_ev_hdr *rec;
	size_t off = 0;

	while (rsp_record_next(c->buf, c->have, &off, &rec) > 0)
		c->sink(rec, rec->size, c->userdata);
	c->have -= off;
	memmove(c->buf, c->buf + off, c->have);
}

/*
 * Reads at least min_bytes, unless the iterator ends. Closes the iterator at its end and after an
 * error.
 */
static int read_on(struct rsp_census *c, size_t min_bytes)
{
	for (size_t done = 0; done < min_bytes;) {
		ssize_t n = read(c->fd, c->buf + c->have, sizeof(c->buf) - c->have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int r = n < 0 ? -errno : 0;

			end(c);
			return r;
		}
		c->have += (size_t)n;
		done += (size_t)n;
		pass_on(c);
	}
	return 0;
}

int rsp_census_take(struct rsp_census *c)
{
	int r = c->bpf->links.on_census ? begin(c) : 0;

	return c->fd < 0 ? r : read_on(c, SIZE_MAX);
}

int rsp_census_retake(struct rsp_census *c)
{
	end(c);
	c->bpf->bss->rsp_census_again = true;
	return rsp_census_take(c);
}

void rsp_census_want(struct rsp_census *c)
{
	c->is_wanted = c->bpf->links.on_census;
}

void rsp_census_go_on(struct rsp_census *c, __u64 now_ns)
{
	if (c->fd < 0 && c->is_wanted && now_ns - c->begun_ns >= INTERVAL_NS) {
		c->bpf->bss->rsp_census_again = true;
		c->is_wanted = begin(c) < 0;
	}
	if (c->fd >= 0 && read_on(c, STEP_BYTES) < 0)
		c->is_wanted = true;
}
