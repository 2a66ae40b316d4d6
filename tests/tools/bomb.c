/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bomb FILE OUT MIB [zeroes]: copies the snapshot FILE to OUT, and adds a section of MIB MiB, which
 * compresses to almost nothing. It contains zeroes, or repeats the snapshot's own records.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/snapshot/snapshot.h"

static size_t repeat(const struct rsp_snapshot *snap, char *to, size_t size)
{
	const struct rsp_section *events = snap->sections;
	size_t len = 0;

	while (events->type != RSP_SEC_EVENTS)
		events++;
	for (; events->len <= size - len; len += events->len)
		memcpy(to + len, events->data, events->len);
	return len;
}

static int write_bomb(const struct rsp_snapshot *snap, const char *bytes, size_t len, int fd)
{
	struct rsp_snapshot_writer *w;
	int r = rsp_snapshot_writer_new(fd, &w);

	if (r == 0)
		r = rsp_snapshot_write_meta(w, &snap->meta);
	if (r == 0)
		r = rsp_snapshot_write_section(w, RSP_SEC_EVENTS, bytes, len);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	rsp_snapshot_writer_free(w);
	return r;
}

int main(int argc, char **argv)
{
	struct rsp_snapshot *snap;
	int in, out, r;
	char *bytes;
	size_t len;

	if (argc < 4)
		errx(2, "bomb FILE OUT MIB [zeroes]");
	len = strtoul(argv[3], NULL, 10) << 20;
	bytes = calloc(1, len);
	in = open(argv[1], O_RDONLY | O_CLOEXEC);
	out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (in < 0 || out < 0 || !bytes)
		err(1, "%s, %s", argv[1], argv[2]);
	r = rsp_snapshot_open_fd(in, &snap);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	if (!argv[4])
		len = repeat(snap, bytes, len);
	r = write_bomb(snap, bytes, len, out);
	if (r < 0)
		errx(1, "%s: %s", argv[2], strerror(-r));
	rsp_snapshot_free(snap);
	free(bytes);
	return 0;
}
