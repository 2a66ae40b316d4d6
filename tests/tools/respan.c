/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * respan FILE OUT SINCE_NS UNTIL_NS TID [SLO]: copies the snapshot FILE to OUT as if a slow request
 * had triggered it. The request lasted from SINCE_NS to UNTIL_NS (CLOCK_MONOTONIC). TID is the
 * thread that served the request; 0: any thread of the process.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/snapshot/snapshot.h"

static int write_all(const struct rsp_snapshot *snap, const struct rsp_meta *meta, int fd)
{
	struct rsp_snapshot_writer *w;
	int r = rsp_snapshot_writer_new(fd, &w);

	if (r == 0)
		r = rsp_snapshot_write_meta(w, meta);
	for (size_t i = 0; i < snap->section_cnt && r == 0; i++)
		r = rsp_snapshot_write_section(w, snap->sections[i].type, snap->sections[i].data,
					       snap->sections[i].len);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	rsp_snapshot_writer_free(w);
	return r;
}

int main(int argc, char **argv)
{
	struct rsp_snapshot *snap;
	struct rsp_meta meta;
	int in, out, r;

	if (argc < 6)
		errx(2, "respan FILE OUT SINCE_NS UNTIL_NS TID [SLO]");
	in = open(argv[1], O_RDONLY | O_CLOEXEC);
	out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (in < 0 || out < 0)
		err(1, "%s", in < 0 ? argv[1] : argv[2]);
	r = rsp_snapshot_open_fd(in, &snap);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	meta = snap->meta;
	meta.events_until_ns = meta.until_ns;
	meta.since_ns = strtoull(argv[3], NULL, 10);
	meta.until_ns = strtoull(argv[4], NULL, 10);
	meta.target_tid = (uint32_t)strtoul(argv[5], NULL, 10);
	if (argc > 6) {
		snprintf(meta.trigger.slo, sizeof(meta.trigger.slo), "%s", argv[6]);
		snprintf(meta.trigger.measure, sizeof(meta.trigger.measure), "request");
		meta.trigger.value_ns = meta.until_ns - meta.since_ns;
		meta.trigger.threshold_ns = 250000000;
	}
	r = write_all(snap, &meta, out);
	rsp_snapshot_free(snap);
	if (r < 0)
		errx(1, "%s: %s", argv[2], strerror(-r));
	return 0;
}
