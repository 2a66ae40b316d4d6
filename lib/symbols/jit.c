/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See jit.h. */
#include "lib/symbols/jit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/symbols/perfmap.h"

#define NS_PER_S 1000000000LL

/*
 * A file written after the process began may seem older than the process: file systems use the time
 * of the last tick, and the start of a process is on another clock.
 */
#define STAMP_SLACK_NS NS_PER_S

struct process {
	struct rsp_perfmap *map; /* NULL: none */
	struct {
		/* ranges of executable memory without a file; ascending */
		struct rsp_code_range *v;
		size_t cnt, cap;
	} ranges;
};

struct rsp_jit {
	const struct rsp_files *files;
	const struct rsp_trace *trace;
	struct {
		struct process *v;
		size_t cnt, cap;
	} processes;
	struct rsp_idmap by_tgid; /* values: index in processes */
};

int rsp_jit_new(const struct rsp_trace *trace, const struct rsp_files *files, struct rsp_jit **ret)
{
	struct rsp_jit *jit = calloc(1, sizeof(*jit));

	if (!jit)
		return -ENOMEM;
	jit->files = files;
	jit->trace = trace;
	*ret = jit;
	return 0;
}

struct rsp_jit *rsp_jit_free(struct rsp_jit *jit)
{
	if (!jit)
		return NULL;
	for (size_t i = 0; i < jit->processes.cnt; i++) {
		rsp_perfmap_free(jit->processes.v[i].map);
		free(jit->processes.v[i].ranges.v);
	}
	free(jit->processes.v);
	rsp_idmap_done(&jit->by_tgid);
	free(jit);
	return NULL;
}

/* --- perf maps ------------------------------------------------------------------------------- */

static bool is_trusted(const struct rsp_jit *jit, const struct rsp_ev_task *task,
		       const struct stat *st)
{
	__s64 written_ns = st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;
	__s64 began_ns = (__s64)task->start_ns + jit->trace->snap->meta.realtime_offset_ns;

	return (st->st_uid == task->uid || st->st_uid == 0) &&
	       (__u64)st->st_size <= RSP_PERF_MAP_BYTES_MAX &&
	       written_ns + STAMP_SLACK_NS >= began_ns;
}

static size_t read_all(int fd, void *buf, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(fd, (char *)buf + done, len - done, (off_t)done);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static int read_map(const struct rsp_jit *jit, const struct rsp_ev_task *task,
		    struct rsp_perfmap **ret)
{
	const struct rsp_file_request file = {
		.kind = RSP_FILE_PERF_MAP,
		.tgid = task->tgid,
		.ns_tgid = task->ns_tgid,
		.mntns = task->mntns,
	};
	_cleanup_close_ int fd = jit->files->open(&file, NULL, jit->files->userdata);
	_cleanup_free_ char *text = NULL;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0 || !is_trusted(jit, task, &st))
		return 0;
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	r = rsp_perfmap_parse(text, read_all(fd, text, (size_t)st.st_size), ret);
	return r == -ENOMEM ? r : 0;
}

/* --- memory without a file ------------------------------------------------------------------- */

static int read_ranges(const struct rsp_jit *jit, __u32 tgid, struct process *process)
{
	const struct rsp_file_request file = {.kind = RSP_FILE_CODE, .tgid = tgid};
	_cleanup_close_ int fd = jit->files->open(&file, NULL, jit->files->userdata);
	struct rsp_code_range range, *slot;
	off_t off = 0;

	for (; fd >= 0 && pread(fd, &range, sizeof(range), off) == sizeof(range);
	     off += sizeof(range)) {
		slot = rsp_array_add(&process->ranges);
		if (!slot)
			return -ENOMEM;
		*slot = range;
	}
	return 0;
}

static bool is_executable_memory(const struct process *process, __u64 addr)
{
	for (size_t i = 0; i < process->ranges.cnt; i++)
		if (addr >= process->ranges.v[i].start && addr < process->ranges.v[i].end)
			return true;
	return false;
}

/* --------------------------------------------------------------------------------------------- */

static int find_process(struct rsp_jit *jit, const struct rsp_ev_stack *stack,
			const struct process **ret)
{
	const struct rsp_ev_task *task;
	struct process *process;
	uint64_t i;
	int r = 0;

	if (rsp_idmap_get(&jit->by_tgid, stack->tgid, &i)) {
		*ret = &jit->processes.v[i];
		return 0;
	}
	i = jit->processes.cnt;
	process = rsp_array_add(&jit->processes);
	if (!process)
		return -ENOMEM;
	task = rsp_trace_task(jit->trace, stack->tgid, stack->hdr.ts_ns);
	if (task)
		r = read_map(jit, task, &process->map);
	if (r == 0)
		r = read_ranges(jit, stack->tgid, process);
	if (r == 0)
		r = rsp_idmap_put(&jit->by_tgid, stack->tgid, i);
	*ret = process;
	return r;
}

int rsp_jit_name(struct rsp_jit *jit, const struct rsp_ev_stack *stack, __u64 addr,
		 const char **ret)
{
	const struct process *process;
	const char *name = NULL;
	int r;

	r = find_process(jit, stack, &process);
	if (r < 0)
		return r;
	if (process->map)
		name = rsp_perfmap_lookup(process->map, addr);
	if (!name && is_executable_memory(process, addr))
		name = "[jit]";
	*ret = name;
	return 0;
}
