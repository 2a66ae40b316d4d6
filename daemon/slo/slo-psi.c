/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slo-psi.h. */
#include "daemon/slo/slo-psi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

#define SPAN_NS 1000000000ULL

void rsp_psi_init(struct rsp_psi *psi, bool full, __u64 span_ns)
{
	*psi = (struct rsp_psi){.fd = -1, .full = full};
	psi->step_ns = (span_ns ? span_ns : SPAN_NS) / RSP_PSI_SAMPLE_CNT;
	if (!psi->step_ns)
		psi->step_ns = 1;
}

void rsp_psi_done(struct rsp_psi *psi)
{
	if (psi->fd >= 0)
		close(psi->fd);
	psi->fd = -1;
}

int rsp_psi_open(struct rsp_psi *psi, int cgroup_fd, enum rsp_slo_resource resource)
{
	static const char *const names[] = {
		[RSP_SLO_CPU] = "cpu", [RSP_SLO_MEMORY] = "memory", [RSP_SLO_IO] = "io"};
	char path[64];
	int fd;

	if (resource < RSP_SLO_CPU || resource > RSP_SLO_IO)
		return -EINVAL;
	if (cgroup_fd < 0)
		snprintf(path, sizeof(path), "/proc/pressure/%s", names[resource]);
	else
		snprintf(path, sizeof(path), "%s.pressure", names[resource]);
	fd = openat(cgroup_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rsp_psi_done(psi);
	memset(psi->samples, 0, sizeof(psi->samples));
	psi->fd = fd;
	return 0;
}

void rsp_psi_slide(struct rsp_psi *psi, __u64 now_ns, __u64 total_ns, __u64 *ret_stall_ns,
		   __u64 *ret_since_ns)
{
	__u64 number = now_ns / psi->step_ns;
	struct rsp_psi_sample *now = &psi->samples[number % RSP_PSI_SAMPLE_CNT], *first = now;

	if (now->number != number || !now->ts_ns)
		*now = (struct rsp_psi_sample){number, now_ns, total_ns};
	for (size_t i = 0; i < RSP_PSI_SAMPLE_CNT; i++) {
		struct rsp_psi_sample *sample = &psi->samples[i];

		if (sample->ts_ns && number - sample->number < RSP_PSI_SAMPLE_CNT &&
		    sample->number < first->number)
			first = sample;
	}
	*ret_stall_ns = total_ns - first->total_ns;
	*ret_since_ns = first->ts_ns;
}

/* Parses the total stall time in lines like "some avg10=0.00 … total=12345" (microseconds). */
static int parse_total(const char *text, bool full, __u64 *ret_ns)
{
	const char *line = strstr(text, full ? "full " : "some ");
	const char *total = line ? strstr(line, "total=") : NULL;
	unsigned long long us;

	if (!total || sscanf(total, "total=%llu", &us) != 1)
		return -ENODATA;
	*ret_ns = us * 1000;
	return 0;
}

int rsp_psi_read(struct rsp_psi *psi, __u64 now_ns, __u64 *ret_stall_ns, __u64 *ret_since_ns)
{
	char text[256];
	__u64 total_ns;
	ssize_t n;
	int r;

	if (psi->fd < 0)
		return -ENODEV;
	n = pread(psi->fd, text, sizeof(text) - 1, 0);
	if (n < 0) {
		r = -errno;
		rsp_psi_done(psi);
		return r;
	}
	text[n] = '\0';
	r = parse_total(text, psi->full, &total_ns);
	if (r == 0)
		rsp_psi_slide(psi, now_ns, total_ns, ret_stall_ns, ret_since_ns);
	return r;
}
