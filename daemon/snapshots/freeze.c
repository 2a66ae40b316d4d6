/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See freeze.h. */
#include "daemon/snapshots/freeze.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/base/cgroups.h"
#include "daemon/base/helper.h"
#include "daemon/containers/containers.h"
#include "daemon/snapshots/choose.h"
#include "daemon/snapshots/memory.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/ksyms/ksyms.h"
#include "lib/snapshot/container.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"
#include "lib/snapshot/trail.h"
#include "lib/snapshot/unit.h"

struct scan {
	struct rsp_choice *choice;
	struct rsp_symbols_builder *symbols;
	struct rsp_ksyms *ksyms; /* NULL: kallsyms cannot be read, so kernel frames have no names */
	struct rsp_idmap functions;
	struct rsp_idmap binaries; /* numbers of binaries in user frames */
	struct rsp_idmap cgroups;  /* IDs in TASK records */
	bool all_cgroups;	   /* write the paths of all cgroups, not only of containers */
	struct {
		struct rsp_ev_object *v; /* cgroups whose paths are written */
		size_t cnt, cap;
	} paths;
	struct {
		struct rsp_ev_container *v; /* names of containers, by cgroup */
		size_t cnt, cap;
	} names;
	struct rsp_idmap named; /* cgroups in names */
	const struct rsp_containers *known;
	struct {
		/* TASK records from rsp_choice_close() */
		struct rsp_ev_task *v;
		size_t cnt, cap;
	} closed;
	struct rsp_snapshot_writer *writer, *naming; /* the outputs */
	char *kept;
	size_t kept_cap;
};

static int scan_binaries(struct scan *scan, const struct rsp_ev_stack *stack)
{
	int r = 0;

	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		if (stack->frames[i] & RSP_FRAME_IN_BINARY)
			r = rsp_idmap_put(&scan->binaries, RSP_FRAME_BINARY(stack->frames[i]), 0);
	return r;
}

static int scan_stack(struct scan *scan, const struct rsp_ev_stack *stack)
{
	if (stack->hdr.flags & RSP_STACK_USER)
		return scan_binaries(scan, stack);
	return scan->ksyms ? rsp_ksyms_name_stack(scan->ksyms, stack, scan->symbols) : 0;
}

static int scan_function(struct scan *scan, __u64 address)
{
	int r;

	if (!scan->ksyms || rsp_idmap_get(&scan->functions, address, &(uint64_t){0}))
		return 0;
	r = rsp_idmap_put(&scan->functions, address, 0);
	return r < 0 ? r : rsp_ksyms_name_function(scan->ksyms, address, scan->symbols);
}

static int scan_cause(struct scan *scan, __u32 context, __u64 cause)
{
	return context == RSP_WAKE_KTIMER ? scan_function(scan, cause) : 0;
}

static int scan_work(struct scan *scan, const struct rsp_ev_work *work)
{
	int r = scan_cause(scan, work->context, work->cause);

	return r < 0 ? r : scan_function(scan, work->function);
}

static int scan_task(struct scan *scan, const struct rsp_ev_task *task)
{
	if (rsp_idmap_get(&scan->cgroups, task->cgroup_id, &(uint64_t){0}))
		return 0;
	return rsp_idmap_put(&scan->cgroups, task->cgroup_id, 0);
}

static int scan_object(struct scan *scan, const struct rsp_ev_object *obj)
{
	char path[2 * RSP_NAME_MAX];
	const struct rsp_ev_container *names;
	struct rsp_ev_container *slot;
	struct rsp_container c;
	size_t len;
	int r;

	if (obj->type != RSP_OBJ_CGROUP || rsp_idmap_get(&scan->named, obj->ino, &(uint64_t){0}) ||
	    !rsp_container_of_path(rsp_object_name(obj, path, sizeof(path)), &c, &len))
		return 0;
	names = rsp_containers_find(scan->known, path, len);
	if (!names)
		return 0;
	slot = rsp_array_add(&scan->names);
	if (!slot)
		return -ENOMEM;
	*slot = *names;
	slot->hdr = (struct rsp_ev_hdr){.kind = RSP_EV_CONTAINER, .size = sizeof(*slot)};
	slot->cgroup_id = obj->ino;
	r = rsp_choice_see_container(scan->choice, obj, slot);
	return r < 0 ? r : rsp_idmap_put(&scan->named, obj->ino, 0);
}

static int scan_record(struct scan *scan, const struct rsp_ev_hdr *rec)
{
	const struct rsp_ev_waking *waking;

	switch (rec->kind) {
	case RSP_EV_TASK:
		return scan_task(scan, (const void *)rec);
	case RSP_EV_OBJECT:
		return scan_object(scan, (const void *)rec);
	case RSP_EV_STACK:
		return scan_stack(scan, (const void *)rec);
	case RSP_EV_WAKING:
		waking = (const void *)rec;
		return scan_cause(scan, waking->context, waking->cause);
	case RSP_EV_WORK:
		return scan_work(scan, (const void *)rec);
	}
	return 0;
}

static int reserve_kept(struct scan *scan, size_t len)
{
	char *p;

	if (len <= scan->kept_cap)
		return 0;
	p = realloc(scan->kept, len);
	if (!p)
		return -ENOMEM;
	scan->kept = p;
	scan->kept_cap = len;
	return 0;
}

/* One pass does everything, since decoding the window takes a quarter of the time of a snapshot. */
static int take_chunk(const void *records, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *rec;
	struct scan *scan = userdata;
	size_t off = 0, kept = 0;
	int r = reserve_kept(scan, len);

	while (r == 0 && rsp_record_next(records, len, &off, &rec) > 0) {
		r = scan_record(scan, rec);
		if (r == 0)
			r = rsp_choice_see(scan->choice, rec);
		if (r == 0 && RSP_SYMBOLS_KINDS >> rec->kind & 1) {
			memcpy(scan->kept + kept, rec, rec->size);
			kept += rec->size;
		}
	}
	if (r == 0)
		r = rsp_snapshot_write_section(scan->writer, RSP_SEC_EVENTS, records, len);
	if (r == 0 && kept && scan->naming)
		r = rsp_snapshot_write_section(scan->naming, RSP_SEC_EVENTS, scan->kept, kept);
	return r;
}

static int read_kallsyms(struct rsp_ksyms **ret)
{
	_cleanup_free_ char *text = NULL;
	size_t cap = 0;
	ssize_t len;
	_cleanup_close_ int fd = rsp_helper_open_kallsyms();
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f)
		return fd < 0 ? fd : -errno;
	rsp_take_fd(&fd); /* f owns the descriptor now */
	len = getdelim(&text, &cap, '\0', f);
	fclose(f);
	return len < 0 ? -EIO : rsp_ksyms_parse(text, (size_t)len, ret);
}

/*
 * Reading and parsing kallsyms takes a tenth of a second, more than the rest of a summary. So the
 * table is kept in memory for the next child.
 */
static void find_ksyms(struct scan *scan, const struct rsp_freeze_memory *memory)
{
	_cleanup_free_ void *saved = NULL;
	void *bytes;
	size_t len;

	if (memory && rsp_memory_load(memory->symbols, &bytes, &len) == 0 &&
	    rsp_ksyms_load(bytes, len, &scan->ksyms) == 0)
		return;
	if (read_kallsyms(&scan->ksyms) == 0 && memory &&
	    rsp_ksyms_save(scan->ksyms, &saved, &len) == 0)
		(void)rsp_memory_store(memory->symbols, saved, len);
}

/* Skips unknown binaries, for example if the process had ended before rspd could open the file. */
static int write_binaries(const struct scan *scan, const struct rsp_binaries *binaries)
{
	const struct rsp_ev_binary *rec;
	uint64_t number, nothing;
	size_t pos = 0;
	int r = 0;

	while (r == 0 && rsp_idmap_next(&scan->binaries, &pos, &number, &nothing)) {
		rec = rsp_binaries_find(binaries, (__u32)number);
		if (!rec)
			continue;
		r = rsp_snapshot_write_section(scan->writer, RSP_SEC_EVENTS, rec, rec->hdr.size);
		if (r == 0 && scan->naming)
			r = rsp_snapshot_write_section(scan->naming, RSP_SEC_EVENTS, rec,
						       rec->hdr.size);
	}
	return r;
}

static int write_symbols(struct scan *scan)
{
	_cleanup_free_ void *data = NULL;
	size_t len = 0;
	int r = rsp_symbols_builder_finish(scan->symbols, &data, &len);

	return r < 0 ? r : rsp_snapshot_write_section(scan->writer, RSP_SEC_SYMBOLS, data, len);
}

/*
 * Files such as environ in /proc/PID belong to the owner of the process, but to root if the process
 * is closed.
 */
static int is_closed(__u32 tgid, uid_t uid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/environ", tgid);
	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ESRCH ? -ESRCH : 1;
	return st.st_uid != uid;
}

static int note_closed(const struct rsp_ev_task *task, void *userdata)
{
	struct scan *scan = userdata;
	struct rsp_ev_task *slot = rsp_array_add(&scan->closed);

	if (!slot)
		return -ENOMEM;
	*slot = *task;
	return 0;
}

static int write_closed(const struct scan *scan)
{
	if (!scan->closed.cnt)
		return 0;
	return rsp_snapshot_write_section(scan->writer, RSP_SEC_EVENTS, scan->closed.v,
					  scan->closed.cnt * sizeof(*scan->closed.v));
}

/* --- cgroups --------------------------------------------------------------------------------- */

/*
 * If the cgroup is not a container's, notes the path up to the unit (unit.h) with all_cgroups,
 * otherwise nothing.
 */
static int note_path(__u64 id, const char *path, void *userdata)
{
	struct scan *scan = userdata;
	_cleanup_free_ char *group = NULL;
	struct rsp_ev_object *slot;
	struct rsp_container c;
	struct rsp_unit unit;
	int r;

	if (!rsp_idmap_get(&scan->cgroups, id, &(uint64_t){0}))
		return 0;
	if (!rsp_container_of_path(path, &c, NULL)) {
		if (!scan->all_cgroups)
			return 0;
		rsp_unit_of_path(path, &unit);
		path = group = strndup(path, unit.group_len);
	}
	slot = path ? rsp_array_add(&scan->paths) : NULL;
	if (!slot)
		return -ENOMEM;
	rsp_container_make_object(id, path, slot);
	r = rsp_choice_see(scan->choice, &slot->hdr);
	return r < 0 ? r : scan_object(scan, slot);
}

/*
 * The records of the BPF programs contain only paths of cgroups in which a process has ended, so
 * walks the hierarchy.
 */
static int find_paths(struct scan *scan)
{
	int r = rsp_cgroups_walk("/", note_path, scan);

	if (r == -ENOMEM)
		return r;
	if (!scan->paths.cnt) /* no path was noted, or there is no cgroup v2 */
		return 0;
	return rsp_snapshot_write_section(scan->writer, RSP_SEC_EVENTS, scan->paths.v,
					  scan->paths.cnt * sizeof(*scan->paths.v));
}

static int write_names(const struct scan *scan)
{
	if (!scan->names.cnt)
		return 0;
	return rsp_snapshot_write_section(scan->writer, RSP_SEC_EVENTS, scan->names.v,
					  scan->names.cnt * sizeof(*scan->names.v));
}

/* --- all together ---------------------------------------------------------------------------- */

static bool has_target(const struct rsp_dump_request *req)
{
	return req->meta.target_pid || req->wanted.cgroup_cnt || req->wanted.comm[0] ||
	       req->wanted.container[0] || req->wanted.port || req->wanted.own;
}

/*
 * The section META must come first, but the process is found last. So META is written again at the
 * end.
 */
static int begin(struct scan *scan, const struct rsp_dump_request *req, int fd, int naming_fd)
{
	struct rsp_meta meta = req->meta;
	int r;

	meta.target_pid = 0;
	find_ksyms(scan, req->memory);
	r = rsp_symbols_builder_new(&scan->symbols);
	if (r < 0)
		return r;
	scan->choice = rsp_choice_new(req);
	if (!scan->choice)
		return -ENOMEM;
	r = rsp_snapshot_writer_new(fd, &scan->writer);
	if (r == 0)
		r = rsp_snapshot_write_meta(scan->writer, &meta);
	if (r < 0 || naming_fd < 0)
		return r;
	r = rsp_snapshot_writer_new(naming_fd, &scan->naming);
	return r == 0 ? rsp_snapshot_write_meta(scan->naming, &meta) : r;
}

static int choose(struct scan *scan, const struct rsp_dump_request *req, struct rsp_meta *meta,
		  char ret_candidates[static RSP_CANDIDATES_BYTES])
{
	int r = 0;

	if (req->own_only)
		r = rsp_choice_close(scan->choice, is_closed, note_closed, scan);
	if (r < 0 || !has_target(req))
		return r;
	r = rsp_choice_decide(scan->choice, meta);
	if (r == -ENOTUNIQ)
		rsp_choice_candidates(scan->choice, ret_candidates);
	return r;
}

static int finish(struct scan *scan, const struct rsp_binaries *binaries,
		  const struct rsp_meta *meta)
{
	int r = write_binaries(scan, binaries);

	if (r == 0)
		r = write_closed(scan);
	if (r == 0)
		r = write_names(scan);
	if (r == 0)
		r = write_symbols(scan);
	if (r == 0)
		r = rsp_snapshot_write_meta(scan->writer, meta);
	if (r == 0)
		r = rsp_snapshot_writer_finish(scan->writer);
	return r == 0 && scan->naming ? rsp_snapshot_writer_finish(scan->naming) : r;
}

static void done(struct scan *scan)
{
	rsp_snapshot_writer_free(scan->writer);
	rsp_snapshot_writer_free(scan->naming);
	rsp_choice_free(scan->choice);
	rsp_symbols_builder_free(scan->symbols);
	rsp_ksyms_free(scan->ksyms);
	rsp_idmap_done(&scan->functions);
	rsp_idmap_done(&scan->binaries);
	rsp_idmap_done(&scan->cgroups);
	free(scan->paths.v);
	free(scan->names.v);
	rsp_idmap_done(&scan->named);
	free(scan->closed.v);
	free(scan->kept);
}

static int read_window(const struct rsp_window *win, const struct rsp_dump_request *req,
		       struct scan *scan)
{
	_cleanup_(rsp_trail_done) struct rsp_trail from = {0}, next = {0};
	int r;

	if (!req->memory)
		return rsp_window_foreach(win, req->events_since_ns, take_chunk, scan);
	(void)rsp_memory_load(req->memory->trail, &from.bytes, &from.len);
	r = rsp_trail_foreach(win, &from, req->events_since_ns, take_chunk, scan, &next);
	if (r == 0)
		(void)rsp_memory_store(req->memory->trail, next.bytes, next.len);
	return r;
}

int rsp_freeze(const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_dump_request *req, int fd, int naming_fd, struct rsp_meta *ret_meta,
	       char ret_candidates[static RSP_CANDIDATES_BYTES])
{
	_cleanup_(done) struct scan scan = {.all_cgroups = req->all_cgroups,
					    .known = req->containers};
	struct rsp_meta meta = req->meta;
	int r = begin(&scan, req, fd, naming_fd);

	if (r == 0)
		r = read_window(win, req, &scan);
	if (r == 0)
		r = find_paths(&scan);
	if (r == 0)
		r = choose(&scan, req, &meta, ret_candidates);
	if (r == 0)
		r = finish(&scan, binaries, &meta);
	if (r == 0)
		*ret_meta = meta;
	return r;
}
