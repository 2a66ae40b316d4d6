/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See symbolize.h. One walk through time: mappings change as records say, each stack is named when
 * its time has come. Which bytes a file holds is known to elfsyms.h, where it lies to elffiles.h.
 */
#include "symbolize.h"

#include <stdint.h>
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "demangle.h"
#include "elffiles.h"
#include "elfsyms.h"
#include "lib/base/idmap.h"
#include "images.h"
#include "lib/snapshot/symbols.h"
#include "lib/trace/trace-sort.h"

/*
 * A file may be out of reach for one process (gone with its container) and in reach for the next
 * that maps it. Each attempt costs some failed opens.
 */
#define LOAD_ATTEMPTS_MAX 16

#define NAME_BYTES_MAX 320 /* NAME_MAX, "+0x" and an offset */

/* All mappings of one file, told by build-id, else by device, inode and path. */
struct file {
	const struct rsp_ev_mmap *map; /* the first that was seen */
	struct rsp_elfsyms *elf;       /* NULL: not to be had so far */
	unsigned int attempts;
	size_t next; /* of the same hash; 0: none */
};

struct symbolizer {
	const struct rsp_trace *trace;
	struct rsp_images *images;
	struct rsp_symbols_builder *builder;
	struct {
		struct file *v; /* v[0] is unused */
		size_t cnt, cap;
	} files;
	struct rsp_idmap file_by_map;  /* address of the MMAP record -> index */
	struct rsp_idmap file_by_hash; /* of what tells files apart -> index of the newest */
	struct rsp_idmap plain;	       /* name in a file -> name to show; the same if not mangled */
};

/* --- files ----------------------------------------------------------------------------------- */

static bool same_file(const struct rsp_ev_mmap *a, const struct rsp_ev_mmap *b)
{
	if (a->build_id_len || b->build_id_len)
		return a->build_id_len == b->build_id_len &&
		       memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
	return a->dev == b->dev && a->ino == b->ino && strcmp(a->path, b->path) == 0;
}

static __u64 hash_bytes(__u64 h, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ULL; /* FNV-1a */
	return h;
}

static __u64 hash_file(const struct rsp_ev_mmap *map)
{
	if (map->build_id_len)
		return hash_bytes(1, map->build_id, map->build_id_len);
	return hash_bytes(map->ino ^ (__u64)map->dev << 32, map->path, strlen(map->path));
}

static void try_load(struct file *file, const struct rsp_ev_mmap *map)
{
	_cleanup_close_ int fd = -1;

	if (file->elf || file->attempts == LOAD_ATTEMPTS_MAX)
		return;
	file->attempts++;
	fd = rsp_elffiles_open(map);
	if (fd >= 0)
		rsp_elfsyms_load(fd, &file->elf);
}

/* Index of the file of a mapping not seen before, 0: no memory. */
static size_t add_file(struct symbolizer *s, const struct rsp_ev_mmap *map)
{
	__u64 hash = hash_file(map);
	uint64_t newest = 0;
	struct file *file;
	size_t i;

	rsp_idmap_get(&s->file_by_hash, hash, &newest);
	for (i = newest; i; i = s->files.v[i].next)
		if (same_file(s->files.v[i].map, map))
			return i;
	i = s->files.cnt;
	file = rsp_array_add(&s->files);
	if (!file)
		return 0;
	*file = (struct file){.map = map, .next = newest};
	return rsp_idmap_put(&s->file_by_hash, hash, i) < 0 ? 0 : i;
}

static int find_file(struct symbolizer *s, const struct rsp_ev_mmap *map, const struct file **ret)
{
	uint64_t i;

	if (!rsp_idmap_get(&s->file_by_map, (uintptr_t)map, &i)) {
		i = add_file(s, map);
		if (!i || rsp_idmap_put(&s->file_by_map, (uintptr_t)map, i) < 0)
			return -ENOMEM;
		try_load(&s->files.v[i], map);
	}
	*ret = &s->files.v[i];
	return 0;
}

/* --- frames ---------------------------------------------------------------------------------- */

static int name_to_show(struct symbolizer *s, const char *name, const char **ret)
{
	uint64_t value;

	if (!rsp_idmap_get(&s->plain, (uintptr_t)name, &value)) {
		char *plain = rsp_demangle(name);

		value = plain ? (uintptr_t)plain : (uintptr_t)name;
		if (rsp_idmap_put(&s->plain, (uintptr_t)name, value) < 0) {
			free(plain);
			return -ENOMEM;
		}
	}
	*ret = (const char *)(uintptr_t)value;
	return 0;
}

/* "libfoo.so.1" of "/usr/lib/libfoo.so.1 (deleted)". */
static void put_module(const char *path, char *ret, size_t size)
{
	static const char deleted[] = " (deleted)";
	const char *name = strrchr(path, '/');
	size_t len;

	snprintf(ret, size, "%s", name ? name + 1 : path);
	len = strlen(ret);
	if (len > strlen(deleted) && strcmp(ret + len - strlen(deleted), deleted) == 0)
		ret[len - strlen(deleted)] = '\0';
}

/* Memory without a file: "[vdso]" keeps its name, perf's "//anon" and what has no name get one. */
static const char *fileless_name(const char *path)
{
	if (path[0] == '[')
		return path;
	return path[0] != '/' || path[1] == '/' ? "[anon]" : NULL;
}

static int add_frame_in(struct symbolizer *s, const struct rsp_ev_mmap *map, __u64 addr, __u64 call)
{
	const char *fileless = fileless_name(map->path), *name = NULL;
	char module[NAME_BYTES_MAX], offset[NAME_BYTES_MAX];
	const struct file *file;
	int r;

	if (fileless)
		return rsp_symbols_add_frame(s->builder, fileless, fileless);
	r = find_file(s, map, &file);
	if (r < 0)
		return r;
	if (file->elf)
		name = rsp_elfsyms_lookup(file->elf, map->pgoff_bytes + (call - map->start));
	put_module(map->path, module, sizeof(module));
	if (!name) {
		snprintf(offset, sizeof(offset), "%.256s+0x%llx", module,
			 map->pgoff_bytes + (addr - map->start));
		return rsp_symbols_add_frame(s->builder, offset, module);
	}
	r = name_to_show(s, name, &name);
	return r < 0 ? r : rsp_symbols_add_frame(s->builder, name, module);
}

static int add_unknown(struct rsp_symbols_builder *b, __u64 addr)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", addr);
	return rsp_symbols_add_frame(b, text, "?");
}

/*
 * Where frame i is in its function. A return address may be one beyond the function's end, if the
 * call was its last instruction.
 */
static __u64 call_address(const struct rsp_ev_stack *stack, __u32 i)
{
	return i ? stack->frames[i] - 1 : stack->frames[i];
}

/*
 * A program built without frame pointers keeps other things in that register: the recorder then
 * follows them to addresses that are none. The first that no code is mapped at ends the stack, and
 * what is behind it was found by way of it. If the leaf has no mapping either, mappings were lost:
 * all stay.
 */
static int name_stack(struct symbolizer *s, const struct rsp_ev_stack *stack)
{
	int r = rsp_symbols_add_stack(s->builder, stack->id);
	bool mapped = false;

	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++) {
		__u64 call = call_address(stack, i);
		const struct rsp_ev_mmap *map = rsp_images_find(s->images, stack->tgid, call);

		if (i == 0)
			mapped = map;
		else if (mapped && !map)
			break;
		r = map ? add_frame_in(s, map, stack->frames[i], call)
			: add_unknown(s->builder, stack->frames[i]);
	}
	return r;
}

/* --- the walk -------------------------------------------------------------------------------- */

/* The tgid that has other mappings from ev on, 0: none. */
static __u32 replaced_tgid(const struct rsp_ev_hdr *ev)
{
	const struct rsp_ev_mmap *map = (const void *)ev;
	const struct rsp_ev_task *task = (const void *)ev;

	if (ev->kind == RSP_EV_MMAP)
		return map->len ? 0 : map->tgid;
	if (ev->kind != RSP_EV_TASK || task->tid != task->tgid)
		return 0;
	return ev->flags & (RSP_TASK_FORK | RSP_TASK_EXEC) ? task->tgid : 0;
}

/*
 * The recorder lists the mappings of living processes just after it began to record, and the window
 * may have lost the time when they were made: until a process's first fork or exec, what is told of
 * it later was there before. Backwards, so that the earlier of two at one place prevails.
 */
static int apply_unborn(struct symbolizer *s)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap born = {0};
	const struct rsp_trace *t = s->trace;
	int r = 0;

	for (size_t i = 0; i < t->event_cnt && r == 0; i++) {
		__u32 tgid = replaced_tgid(t->events[i]);

		if (tgid && !rsp_idmap_get(&born, tgid, &(uint64_t){0}))
			r = rsp_idmap_put(&born, tgid, i);
	}
	for (size_t i = t->event_cnt; i-- > 0 && r == 0;) {
		const struct rsp_ev_mmap *map = (const void *)t->events[i];
		uint64_t at = SIZE_MAX;

		if (map->hdr.kind != RSP_EV_MMAP || !map->len)
			continue;
		rsp_idmap_get(&born, map->tgid, &at);
		if (i < at)
			r = rsp_images_apply(s->images, &map->hdr);
	}
	return r;
}

/* The user stacks in time order; *ret is an array (free). */
static int list_stacks(const struct rsp_trace *t, const struct rsp_ev_hdr ***ret, size_t *ret_cnt)
{
	size_t all = rsp_trace_stack_cnt(t), cnt = 0;
	const struct rsp_ev_hdr **stacks = calloc(all + 1, sizeof(*stacks));

	if (!stacks)
		return -ENOMEM;
	for (size_t i = 0; i < all; i++) {
		const struct rsp_ev_stack *stack = rsp_trace_stack_at(t, i);

		if (stack->hdr.flags & RSP_STACK_USER)
			stacks[cnt++] = &stack->hdr;
	}
	if (rsp_trace_sort(stacks, cnt) < 0) {
		free(stacks);
		return -ENOMEM;
	}
	*ret = stacks;
	*ret_cnt = cnt;
	return 0;
}

static int walk(struct symbolizer *s)
{
	_cleanup_free_ const struct rsp_ev_hdr **stacks = NULL;
	const struct rsp_trace *t = s->trace;
	size_t stack_cnt, next = 0;
	int r;

	r = list_stacks(t, &stacks, &stack_cnt);
	if (r == 0)
		r = apply_unborn(s);
	for (size_t i = 0; i < stack_cnt && r == 0; i++) {
		while (next < t->event_cnt && t->events[next]->ts_ns <= stacks[i]->ts_ns && r == 0)
			r = rsp_images_apply(s->images, t->events[next++]);
		if (r == 0)
			r = name_stack(s, (const struct rsp_ev_stack *)stacks[i]);
	}
	return r;
}

static int symbolizer_init(struct symbolizer *s, const struct rsp_trace *trace)
{
	int r;

	*s = (struct symbolizer){.trace = trace};
	if (!rsp_array_add(&s->files))
		return -ENOMEM;
	r = rsp_images_new(&s->images);
	return r < 0 ? r : rsp_symbols_builder_new(&s->builder);
}

static void symbolizer_done(struct symbolizer *s)
{
	uint64_t name, plain;
	size_t pos = 0;

	while (rsp_idmap_next(&s->plain, &pos, &name, &plain))
		if (plain != name)
			free((void *)(uintptr_t)plain);
	for (size_t i = 0; i < s->files.cnt; i++)
		rsp_elfsyms_free(s->files.v[i].elf);
	free(s->files.v);
	rsp_idmap_done(&s->plain);
	rsp_idmap_done(&s->file_by_map);
	rsp_idmap_done(&s->file_by_hash);
	rsp_images_free(s->images);
	rsp_symbols_builder_free(s->builder);
}

int rsp_symbolize_user(const struct rsp_trace *trace, void **ret, size_t *ret_len)
{
	struct symbolizer s;
	int r;

	r = symbolizer_init(&s, trace);
	if (r == 0)
		r = walk(&s);
	if (r == 0)
		r = rsp_symbols_builder_finish(s.builder, ret, ret_len);
	symbolizer_done(&s);
	return r;
}
