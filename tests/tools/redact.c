/* SPDX-License-Identifier: GPL-2.0-or-later */
/* redact FILE UID OUT: writes to OUT the part of the snapshot FILE that the user UID may see. */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/snapshot/redact.h"

int main(int argc, char **argv)
{
	struct rsp_snapshot_writer *w;
	struct rsp_snapshot *snap, *redacted;
	int in, out, r;

	if (argc != 4)
		errx(2, "redact FILE UID OUT");
	in = open(argv[1], O_RDONLY | O_CLOEXEC);
	out = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (in < 0 || out < 0)
		err(1, "%s", in < 0 ? argv[1] : argv[3]);
	r = rsp_snapshot_open_fd(in, &snap);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	r = rsp_redact(snap, (uid_t)strtoul(argv[2], NULL, 10), &redacted);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	r = rsp_snapshot_writer_new(out, &w);
	if (r < 0)
		errx(1, "%s: %s", argv[3], strerror(-r));
	r = rsp_snapshot_write_all(w, redacted);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	rsp_snapshot_writer_free(w);
	rsp_snapshot_free(redacted);
	rsp_snapshot_free(snap);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	return 0;
}
