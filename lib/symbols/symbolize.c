/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See symbolize.h. First the distinct places of all stacks are collected, then named file by file
 * (places.h), so that one file at a time is in memory; then the stacks are put together from their
 * names.
 */
#include "symbolize.h"

#include <stdint.h>
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"
#include "lib/trace/trace-sort.h"
#include "debugfiles.h"
#include "jit.h"
#include "mapped.h"
#include "places.h"

/*
 * A file may be out of reach for one process (gone with its container) and in reach for another.
 * Each attempt costs some failed opens.
 */
#define FILE_BINARIES_MAX 16

#define FILES_MAX (1U << 23) /* as many as there are numbers of binaries */

/* Of DWARF walked over, in all: some seconds. */
#define EFFORT_BYTES (512ULL << 20)

#define MODULE_BYTES_MAX 256
#define NAME_BYTES_MAX	 (MODULE_BYTES_MAX + 20) /* "+0x" and an offset */

struct stack {
	const struct rsp_ev_stack *ev;
	size_t first; /* of its frames */
	__u32 frame_cnt;
};

/* Binaries that are one file, told by build-id, else by device, inode and path. */
struct file {
	const struct rsp_ev_binary *binaries[FILE_BINARIES_MAX];
	size_t binary_cnt;
	size_t next; /* file of the same hash; 0: none */
};

struct symbolizer {
	struct rsp_mapped *mapped;
	struct rsp_jit *jit; /* NULL: the processes are not of this machine */
	struct {
		struct stack *v;
		size_t cnt, cap;
	} stacks;
	struct {
		__u64 *v; /* RSP_FRAME_* */
		size_t cnt, cap;
	} frames;
	struct {
		struct file *v; /* v[0] is unused */
		size_t cnt, cap;
	} files;
	struct rsp_idmap file_by_number; /* of the binary -> index, 0: no record tells of it */
	struct rsp_idmap file_by_hash;	 /* of what tells files apart -> index of the newest */
	struct {
		__u64 *v; /* see place_key() */
		size_t cnt, cap;
	} keys;
	struct rsp_debugfiles *debugfiles;
	struct rsp_places_how how;
	struct rsp_place *places; /* by key */
	struct rsp_idmap place_by_key;
	struct rsp_place_names names;
	struct rsp_symbols_builder *builder;
};

/* --- files ----------------------------------------------------------------------------------- */

static bool same_file(const struct rsp_ev_binary *a, const struct rsp_ev_binary *b)
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

static __u64 hash_file(const struct rsp_ev_binary *binary)
{
	if (binary->build_id_len)
		return hash_bytes(1, binary->build_id, binary->build_id_len);
	return hash_bytes(binary->ino ^ (__u64)binary->dev << 32, binary->path,
			  strlen(binary->path));
}

static int new_file(struct symbolizer *s, __u64 hash, size_t *ret)
{
	uint64_t newest = 0;
	struct file *file;

	if (s->files.cnt == FILES_MAX)
		return -E2BIG;
	rsp_idmap_get(&s->file_by_hash, hash, &newest);
	file = rsp_array_add(&s->files);
	if (!file)
		return -ENOMEM;
	file->next = newest;
	*ret = s->files.cnt - 1;
	return rsp_idmap_put(&s->file_by_hash, hash, *ret);
}

/* The file of a binary not met before. */
static int add_binary(struct symbolizer *s, const struct rsp_ev_binary *binary, size_t *ret)
{
	__u64 hash = hash_file(binary);
	uint64_t i = 0;
	struct file *file;
	int r;

	rsp_idmap_get(&s->file_by_hash, hash, &i);
	while (i && !same_file(s->files.v[i].binaries[0], binary))
		i = s->files.v[i].next;
	if (!i) {
		r = new_file(s, hash, &i);
		if (r < 0)
			return r;
	}
	file = &s->files.v[i];
	if (file->binary_cnt < FILE_BINARIES_MAX)
		file->binaries[file->binary_cnt++] = binary;
	*ret = i;
	return 0;
}

/* *ret: index of the file, 0: no record tells of that binary. */
static int find_file(struct symbolizer *s, __u32 number, size_t *ret)
{
	const struct rsp_ev_binary *binary;
	uint64_t known;
	size_t i = 0;
	int r;

	if (rsp_idmap_get(&s->file_by_number, number, &known)) {
		*ret = known;
		return 0;
	}
	binary = rsp_mapped_binary(s->mapped, number);
	if (binary) {
		r = add_binary(s, binary, &i);
		if (r < 0)
			return r;
	}
	*ret = i;
	return rsp_idmap_put(&s->file_by_number, number, i);
}

/* --- collecting places ----------------------------------------------------------------------- */

/*
 * What tells the place of a call from others, in order of files and offsets; 0: no place in a file.
 * A return address may be one beyond its function, if the call was the last instruction.
 */
static int place_key(struct symbolizer *s, __u64 frame, bool leaf, __u64 *ret)
{
	__u64 off = RSP_FRAME_OFFSET(frame);
	size_t file = 0;
	int r = 0;

	if (frame & RSP_FRAME_IN_BINARY)
		r = find_file(s, RSP_FRAME_BINARY(frame), &file);
	if (r < 0)
		return r;
	*ret = file ? (__u64)file << RSP_FRAME_OFFSET_BITS | (off - (!leaf && off)) : 0;
	return 0;
}

static int collect_place(struct symbolizer *s, __u64 frame, bool leaf)
{
	__u64 key, *slot;
	int r;

	r = place_key(s, frame, leaf, &key);
	if (r < 0 || !key || rsp_idmap_get(&s->place_by_key, key, &(uint64_t){0}))
		return r;
	slot = rsp_array_add(&s->keys);
	if (!slot)
		return -ENOMEM;
	*slot = key;
	return rsp_idmap_put(&s->place_by_key, key, 0);
}

static int collect_stack(struct symbolizer *s, const struct rsp_ev_stack *ev)
{
	__u64 frames[RSP_STACK_FRAMES_MAX], *slot;
	int cnt = rsp_mapped_frames(s->mapped, ev, frames), r = 0;
	struct stack *stack;

	if (cnt < 0)
		return cnt;
	stack = rsp_array_add(&s->stacks);
	if (!stack)
		return -ENOMEM;
	*stack = (struct stack){ev, s->frames.cnt, (__u32)cnt};
	for (int i = 0; i < cnt && r == 0; i++) {
		slot = rsp_array_add(&s->frames);
		if (!slot)
			return -ENOMEM;
		*slot = frames[i];
		r = collect_place(s, frames[i], i == 0);
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

static int collect(struct symbolizer *s, const struct rsp_trace *t)
{
	_cleanup_free_ const struct rsp_ev_hdr **stacks = NULL;
	size_t cnt;
	int r;

	r = list_stacks(t, &stacks, &cnt);
	for (size_t i = 0; r == 0 && i < cnt; i++)
		r = collect_stack(s, (const struct rsp_ev_stack *)stacks[i]);
	return r;
}

/* --- naming places --------------------------------------------------------------------------- */

static size_t file_of_key(__u64 key)
{
	return key >> RSP_FRAME_OFFSET_BITS;
}

static int compare_keys(const void *pa, const void *pb)
{
	const __u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static int name_places(struct symbolizer *s)
{
	size_t cnt = s->keys.cnt;
	int r = 0;

	s->places = calloc(cnt + 1, sizeof(*s->places));
	if (!s->places)
		return -ENOMEM;
	if (cnt)
		qsort(s->keys.v, cnt, sizeof(*s->keys.v), compare_keys);
	for (size_t i = 0; i < cnt && r == 0; i++) {
		s->places[i].off = RSP_FRAME_OFFSET(s->keys.v[i]);
		r = rsp_idmap_put(&s->place_by_key, s->keys.v[i], i);
	}
	for (size_t i = 0, next; i < cnt && r == 0; i = next) {
		const struct file *file = &s->files.v[file_of_key(s->keys.v[i])];

		for (next = i + 1; next < cnt; next++)
			if (file_of_key(s->keys.v[next]) != file_of_key(s->keys.v[i]))
				break;
		r = rsp_places_name(&s->how, file->binaries, file->binary_cnt, s->places + i,
				    next - i, &s->names);
	}
	return r;
}

/* --- stacks of names ------------------------------------------------------------------------- */

/* Where no file was mapped, or it is not known which. */
static int add_address(struct symbolizer *s, const struct rsp_ev_stack *stack, __u64 frame,
		       bool leaf)
{
	const char *name = NULL;
	char text[24];
	int r = 0;

	if (s->jit && !(frame & RSP_FRAME_IN_BINARY))
		r = rsp_jit_name(s->jit, stack, frame - !leaf, &name);
	if (r < 0)
		return r;
	if (name)
		return rsp_symbols_add_frame(s->builder, name, "[jit]");
	snprintf(text, sizeof(text), "0x%llx", frame);
	return rsp_symbols_add_frame(s->builder, text, "?");
}

/* Of one function, all places that have no name look the same. */
static int add_nameless(struct symbolizer *s, const char *module, const struct rsp_place *place,
			__u64 frame)
{
	__u64 off = place->function_off;
	char name[NAME_BYTES_MAX];

	if (module[0] == '[')
		return rsp_symbols_add_frame(s->builder, module, module);
	if (off == RSP_PLACE_NO_FUNCTION)
		off = RSP_FRAME_OFFSET(frame);
	snprintf(name, sizeof(name), "%s+0x%llx", module, off);
	return rsp_symbols_add_frame(s->builder, name, module);
}

static int add_frame(struct symbolizer *s, const struct rsp_ev_stack *stack, __u64 frame, bool leaf)
{
	const struct rsp_place *place;
	char module[MODULE_BYTES_MAX];
	uint64_t i = 0;
	__u64 key;
	int r;

	r = place_key(s, frame, leaf, &key);
	if (r < 0)
		return r;
	if (!key)
		return add_address(s, stack, frame, leaf);
	rsp_idmap_get(&s->place_by_key, key, &i);
	place = &s->places[i];
	rsp_binary_name(rsp_mapped_binary(s->mapped, RSP_FRAME_BINARY(frame)), module,
			sizeof(module));
	if (!place->name_cnt)
		return add_nameless(s, module, place, frame);
	for (size_t n = 0; n < place->name_cnt && r == 0; n++)
		r = rsp_symbols_add_frame(s->builder, rsp_place_name(&s->names, place, n), module);
	return r;
}

static int add_stacks(struct symbolizer *s)
{
	int r = 0;

	for (size_t i = 0; i < s->stacks.cnt && r == 0; i++) {
		const struct stack *stack = &s->stacks.v[i];

		r = rsp_symbols_add_stack(s->builder, stack->ev->id);
		for (__u32 f = 0; f < stack->frame_cnt && r == 0; f++)
			r = add_frame(s, stack->ev, s->frames.v[stack->first + f], f == 0);
	}
	return r;
}

/* --------------------------------------------------------------------------------------------- */

static int symbolizer_init(struct symbolizer *s, const struct rsp_trace *trace,
			   const struct rsp_symbolize_options *options)
{
	int r;

	*s = (struct symbolizer){0};
	if (!rsp_array_add(&s->files))
		return -ENOMEM;
	r = rsp_debugfiles_new(options->debug_dirs, options->debug_dir_cnt, options->servers,
			       &s->debugfiles);
	if (r < 0)
		return r;
	s->how = (struct rsp_places_how){s->debugfiles, options->elsewhere, EFFORT_BYTES};
	r = rsp_mapped_new(trace, &s->mapped);
	if (r == 0 && !options->elsewhere)
		r = rsp_jit_new(trace, &s->jit);
	return r < 0 ? r : rsp_symbols_builder_new(&s->builder);
}

static void symbolizer_done(struct symbolizer *s)
{
	rsp_mapped_free(s->mapped);
	rsp_jit_free(s->jit);
	rsp_debugfiles_free(s->debugfiles);
	free(s->stacks.v);
	free(s->frames.v);
	free(s->files.v);
	rsp_idmap_done(&s->file_by_number);
	rsp_idmap_done(&s->file_by_hash);
	free(s->keys.v);
	free(s->places);
	rsp_idmap_done(&s->place_by_key);
	rsp_place_names_done(&s->names);
	rsp_symbols_builder_free(s->builder);
}

int rsp_symbolize_user(const struct rsp_trace *trace, const struct rsp_symbolize_options *options,
		       void **ret, size_t *ret_len)
{
	struct symbolizer s;
	int r;

	r = symbolizer_init(&s, trace, options);
	if (r == 0)
		r = collect(&s, trace);
	if (r == 0)
		r = name_places(&s);
	if (r == 0)
		r = add_stacks(&s);
	if (r == 0)
		r = rsp_symbols_builder_finish(s.builder, ret, ret_len);
	symbolizer_done(&s);
	return r;
}
