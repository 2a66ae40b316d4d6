/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rings.h. */
#include "daemon/capture/rings.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "rsp/cost.h"
#include "rsp/event.h"
#include "rsp/ring.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

#define NO_RING UINT32_MAX

struct rsp_rings {
	unsigned char *base;
	size_t mapped_bytes;
	size_t stride;
	__u64 mask;
	unsigned int cnt;
	int cpu_cnt;
	__u32 ring_of[]; /* by CPU; NO_RING: the CPU was offline at the start */
};

static bool is_online(int cpu)
{
	char path[64], state = '1';
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	f = fopen(path, "re");
	if (!f) /* CPU 0 often cannot go offline, and then has no such file */
		return cpu == 0 || cpu < get_nprocs();
	if (fread(&state, 1, 1, f) != 1)
		state = '0';
	fclose(f);
	return state == '1';
}

unsigned int rsp_rings_wanted(int cpu_cnt)
{
	unsigned int cnt = 0;

	for (int cpu = 0; cpu < cpu_cnt; cpu++)
		cnt += is_online(cpu);
	return cnt ? cnt : 1;
}

int rsp_rings_prepare(struct rsp_bpf *bpf, unsigned int cnt, size_t bytes)
{
	int r = bpf_map__set_value_size(bpf->maps.rsp_rings, (__u32)RSP_RING_BYTES(bytes));

	bpf->rodata->rsp_ring_mask = (__u32)(bytes - 1);
	return r < 0 ? r : bpf_map__set_max_entries(bpf->maps.rsp_rings, cnt);
}

/* A CPU that is offline, or for which no ring is left, shares the ring of another CPU. */
static void assign(struct rsp_rings *rings, __u32 *ret_programs)
{
	unsigned int next = 0;

	for (int cpu = 0; cpu < rings->cpu_cnt; cpu++)
		rings->ring_of[cpu] = next < rings->cnt && is_online(cpu) ? next++ : NO_RING;
	for (int cpu = 0; cpu < rings->cpu_cnt; cpu++)
		ret_programs[cpu] = rings->ring_of[cpu] == NO_RING ? (__u32)cpu % rings->cnt
								   : rings->ring_of[cpu];
}

int rsp_rings_new(struct rsp_bpf *bpf, int cpu_cnt, size_t bytes, struct rsp_rings **ret)
{
	struct rsp_rings *rings = calloc(1, sizeof(*rings) + (size_t)cpu_cnt * sizeof(__u32));
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *base;

	if (!rings)
		return -ENOMEM;
	rings->cnt = bpf_map__max_entries(bpf->maps.rsp_rings);
	rings->cpu_cnt = cpu_cnt;
	rings->mask = bytes - 1;
	rings->stride = RSP_RING_BYTES(bytes);
	rings->mapped_bytes = (rings->cnt * rings->stride + page - 1) / page * page;
	base = mmap(NULL, rings->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		    bpf_map__fd(bpf->maps.rsp_rings), 0);
	if (base == MAP_FAILED) {
		free(rings);
		return -errno;
	}
	/*
	 * Without MADV_DONTFORK, fork() would copy the page tables of the rings for each snapshot.
	 */
	(void)madvise(base, rings->mapped_bytes, MADV_DONTFORK);
	rings->base = base;
	assign(rings, bpf->bss->rsp_ring_of);
	*ret = rings;
	return 0;
}

struct rsp_rings *rsp_rings_free(struct rsp_rings *rings)
{
	if (rings)
		munmap(rings->base, rings->mapped_bytes);
	free(rings);
	return NULL;
}

bool rsp_rings_has(const struct rsp_rings *rings, int cpu)
{
	return rings->ring_of[cpu] != NO_RING;
}

void rsp_rings_drain(struct rsp_rings *rings, rsp_ring_fn fn, void *userdata)
{
	for (unsigned int i = 0; i < rings->cnt; i++)
		rsp_ring_drain((void *)(rings->base + i * rings->stride), rings->mask, fn,
			       userdata);
}
