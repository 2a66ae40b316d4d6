/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See visit.h. */
#include "daemon/capture/visit.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"

static void pass_on(char *buf, size_t *have, rsp_sink_fn sink, void *userdata)
{
	const struct rsp_ev_hdr *rec;
	size_t off = 0;

	while (rsp_record_next(buf, *have, &off, &rec) > 0)
		sink(rec, rec->size, userdata);
	*have -= off;
	memmove(buf, buf + off, *have);
}

void rsp_visit(struct bpf_link *iterator, rsp_sink_fn sink, void *userdata)
{
	_Alignas(8) char buf[1 << 14];
	_cleanup_close_ int fd = iterator ? bpf_iter_create(bpf_link__fd(iterator)) : -1;
	size_t have = 0;
	ssize_t n;

	while (fd >= 0 && have < sizeof(buf)) {
		n = read(fd, buf + have, sizeof(buf) - have);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return;
		have += n > 0 ? (size_t)n : 0;
		pass_on(buf, &have, sink, userdata);
	}
}
