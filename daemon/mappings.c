/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mappings.h. The layout of perf records is that of perf_event_open(2). */
#include "mappings.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "lib/base/cleanup.h"

/* A process start is some 10 records of 120 bytes; this holds some hundred starts between drains.
 */
#define RING_PAGES 64

#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

struct ring {
	int fd;
	int cpu;
	struct perf_event_mmap_page *page;
	__u64 last_ns; /* of the newest record; losses come after it */
};

struct rsp_mappings {
	rsp_sink_fn sink;
	void *userdata;
	size_t page_bytes;
	bool usable;
	size_t ring_cnt;
	struct ring rings[];
};

/* What sample_id_all appends to each record, for the sample_type asked for below. */
struct sample_id {
	__u32 pid, tid;
	__u64 time_ns;
	__u32 cpu, reserved;
};

struct mmap2 {
	struct perf_event_header header;
	__u32 pid, tid;
	__u64 addr, len, pgoff;
	union {
		struct {
			__u32 major, minor;
			__u64 ino, ino_generation;
		};
		struct {
			__u8 build_id_len;
			__u8 reserved[3];
			__u8 build_id[RSP_BUILD_ID_MAX];
		};
	};
	__u32 prot, flags;
	char path[];
};

#define PATH_BYTES_MAX 4096

union mmap_record {
	struct rsp_ev_mmap mmap;
	char bytes[sizeof(struct rsp_ev_mmap) + PATH_BYTES_MAX];
};

/* --- records ---------------------------------------------------------------------------------- */

/* Completes and hands over rec; path need not end within path_len. */
static void put(struct rsp_mappings *m, union mmap_record *rec, __u64 ts_ns, int cpu,
		const char *path, size_t path_len)
{
	size_t len = strnlen(path, path_len), padded;

	if (len >= PATH_BYTES_MAX)
		len = PATH_BYTES_MAX - 1;
	padded = (len + 1 + 7) & ~7UL;
	memcpy(rec->mmap.path, path, len);
	memset(rec->mmap.path + len, 0, padded - len);
	rec->mmap.hdr = (struct rsp_ev_hdr){.ts_ns = ts_ns,
					    .kind = RSP_EV_MMAP,
					    .size = (__u16)(sizeof(rec->mmap) + padded),
					    .cpu = (__u16)cpu};
	m->sink(rec, rec->mmap.hdr.size, m->userdata);
}

static void put_lost(struct rsp_mappings *m, const struct sample_id *id, __u64 cnt,
		     const struct ring *ring)
{
	struct rsp_ev_lost rec = {
		.hdr = {.ts_ns = id->time_ns,
			.kind = RSP_EV_LOST,
			.size = sizeof(rec),
			.cpu = (__u16)ring->cpu},
		.from_ns = ring->last_ns ? ring->last_ns : id->time_ns,
		.lost_cnt = cnt,
		.kinds = 1ULL << RSP_EV_MMAP,
	};

	m->sink(&rec, sizeof(rec), m->userdata);
}

static void put_mmap2(struct rsp_mappings *m, const struct mmap2 *in, const struct sample_id *id,
		      int cpu)
{
	union mmap_record rec = {.mmap = {.start = in->addr,
					  .len = in->len,
					  .pgoff_bytes = in->pgoff,
					  .tgid = in->pid}};
	size_t path_len = in->header.size - sizeof(*in) - sizeof(*id);

	if (in->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		if (in->build_id_len > RSP_BUILD_ID_MAX)
			return;
		rec.mmap.build_id_len = in->build_id_len;
		memcpy(rec.mmap.build_id, in->build_id, in->build_id_len);
	} else {
		rec.mmap.dev = in->major << 20 | in->minor;
		rec.mmap.ino = in->ino;
	}
	put(m, &rec, id->time_ns, cpu, in->path, path_len);
}

/* An exec dropped all mappings: a record of no length says so, before the new image's come. */
static void put_exec(struct rsp_mappings *m, const struct sample_id *id, int cpu)
{
	union mmap_record rec = {.mmap = {.tgid = id->pid}};

	put(m, &rec, id->time_ns, cpu, "", 0);
}

static void dispatch(struct rsp_mappings *m, const struct perf_event_header *hdr, struct ring *ring)
{
	const struct sample_id *id;

	if (hdr->size < sizeof(*hdr) + sizeof(*id))
		return;
	id = (const void *)((const char *)hdr + hdr->size - sizeof(*id));
	if (hdr->type == PERF_RECORD_MMAP2 && hdr->size >= sizeof(struct mmap2) + sizeof(*id))
		put_mmap2(m, (const void *)hdr, id, ring->cpu);
	else if (hdr->type == PERF_RECORD_COMM && hdr->misc & PERF_RECORD_MISC_COMM_EXEC)
		put_exec(m, id, ring->cpu);
	else if (hdr->type == PERF_RECORD_LOST && hdr->size >= sizeof(*hdr) + 16 + sizeof(*id))
		put_lost(m, id, ((const __u64 *)(hdr + 1))[1], ring);
	ring->last_ns = id->time_ns;
}

static void drain_ring(struct rsp_mappings *m, struct ring *ring)
{
	size_t size = RING_PAGES * m->page_bytes;
	const char *data = (const char *)ring->page + m->page_bytes;
	__u64 head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	__u64 tail = ring->page->data_tail;
	/* A record may wrap around the ring's end; header sizes are 16 bits. */
	static _Alignas(8) char copy[1 << 16];

	while (tail < head) {
		size_t at = tail % size, first;
		const struct perf_event_header *hdr = (const void *)(data + at);

		if (hdr->size < sizeof(*hdr) || hdr->size > head - tail)
			break; /* the kernel never writes this; skip all rather than loop */
		first = hdr->size < size - at ? hdr->size : size - at;
		tail += hdr->size;
		memcpy(copy + first, data, hdr->size - first);
		memcpy(copy, hdr, first);
		dispatch(m, (const void *)copy, ring);
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void rsp_mappings_drain(struct rsp_mappings *m)
{
	for (size_t i = 0; i < m->ring_cnt; i++)
		drain_ring(m, &m->rings[i]);
}

/* --- opening ---------------------------------------------------------------------------------- */

static int open_event(int cpu, bool build_id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = build_id,
		.comm = 1,
		.comm_exec = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC, /* that of bpf_ktime_get_ns */
		.watermark = 1,
		.wakeup_watermark = 0x7fffffff, /* never: the drain comes by itself */
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_ring(struct rsp_mappings *m, int cpu, bool *build_id)
{
	struct ring *ring = &m->rings[m->ring_cnt];
	void *page;
	int fd;

	fd = open_event(cpu, *build_id);
	if (fd == -EINVAL && *build_id) {
		*build_id = false;
		fd = open_event(cpu, false);
	}
	if (fd == -ENODEV) /* CPU offline */
		return 0;
	if (fd < 0)
		return fd;
	page = mmap(NULL, (RING_PAGES + 1) * m->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	if (page == MAP_FAILED) {
		close(fd);
		return -errno;
	}
	*ring = (struct ring){.fd = fd, .cpu = cpu, .page = page};
	m->ring_cnt++;
	return 0;
}

/* perf and /proc count processes as our pid namespace does, the BPF programs as the initial one. */
static bool counts_as_bpf_does(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == RSP_PIDNS_INITIAL;
}

int rsp_mappings_new(struct rsp_ladder *ladder, int cpu_cnt, rsp_sink_fn sink, void *userdata,
		     struct rsp_mappings **ret)
{
	struct rsp_mappings *m = calloc(1, sizeof(*m) + (size_t)cpu_cnt * sizeof(m->rings[0]));
	bool build_id = true;
	int r = 0;

	if (!m)
		return -ENOMEM;
	m->sink = sink;
	m->userdata = userdata;
	m->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	m->usable = counts_as_bpf_does();
	if (!m->usable) {
		rsp_ladder_add(ladder, "mappings", "none",
			       "rspd has a pid namespace of its own: user stacks go unnamed",
			       false);
		*ret = m;
		return 0;
	}
	for (int cpu = 0; cpu < cpu_cnt && r == 0; cpu++)
		r = open_ring(m, cpu, &build_id);
	if (r < 0) {
		rsp_mappings_free(m);
		return r;
	}
	rsp_ladder_add(ladder, "mappings", build_id ? "perf mmap2, build-id" : "perf mmap2",
		       build_id ? "the kernel reads build-ids"
				: "the kernel cannot read build-ids: files are told by inode",
		       true);
	*ret = m;
	return 0;
}

struct rsp_mappings *rsp_mappings_free(struct rsp_mappings *m)
{
	for (size_t i = 0; m && i < m->ring_cnt; i++) {
		munmap(m->rings[i].page, (RING_PAGES + 1) * m->page_bytes);
		close(m->rings[i].fd);
	}
	free(m);
	return NULL;
}

/* --- living processes ------------------------------------------------------------------------- */

static void read_line(struct rsp_mappings *m, __u32 tgid, __u64 ts_ns, char *line)
{
	unsigned long start, end, pgoff, ino;
	unsigned int major, minor;
	union mmap_record rec;
	char perms[5];
	int path_at = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &start, &end, perms, &pgoff, &major,
		   &minor, &ino, &path_at) < 7 ||
	    perms[2] != 'x' || !line[path_at])
		return;
	rec.mmap = (struct rsp_ev_mmap){.start = start,
					.len = end - start,
					.pgoff_bytes = pgoff,
					.ino = ino,
					.dev = major << 20 | minor,
					.tgid = tgid};
	put(m, &rec, ts_ns, 0, line + path_at, PATH_BYTES_MAX);
}

static void read_process(struct rsp_mappings *m, const char *pid)
{
	_cleanup_free_ char *line = NULL;
	__u64 ts_ns = rsp_now_ns(); /* an exec after it drops what is read here */
	char path[64];
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.16s/maps", pid);
	f = fopen(path, "re");
	if (!f) /* it has just exited */
		return;
	while (getline(&line, &cap, f) > 0)
		read_line(m, (__u32)strtoul(pid, NULL, 10), ts_ns, line);
	fclose(f);
}

int rsp_mappings_census(struct rsp_mappings *m)
{
	struct dirent *entry;
	DIR *proc;

	if (!m->usable)
		return 0;
	proc = opendir("/proc");
	if (!proc)
		return -errno;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			read_process(m, entry->d_name);
	closedir(proc);
	return 0;
}
