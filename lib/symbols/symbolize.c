/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See symbolize.h. Collects the distinct places of all stacks. Then names the places of one file
 * after the other (places.h), so that the data of only one file is in memory. Then makes the stacks
 * from these names.
 */
#include "lib/symbols/symbolize.h"

#include <stdint.h>
#include <stdio.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/files/files.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"
#include "lib/symbols/debugfiles.h"
#include "lib/symbols/jit.h"
#include "lib/symbols/merge.h"
#include "lib/symbols/places.h"

/*
 * Maximum number of processes through which a file is opened. A file may be inaccessible through
 * one process, because its container has ended, but accessible through another.
 */
#define FILE_BINARIES_MAX 16

#define FILES_MAX (1U << 23) /* the number of possible binary numbers */

/* Limit of the effort for the DWARF of all files (inlines.h), which takes some seconds. */
#define EFFORT_BYTES (256ULL << 20)

#define MODULE_BYTES_MAX 256
#define NAME_BYTES_MAX	 (MODULE_BYTES_MAX + 20) /* "+0x" and an offset */

/* A file, and up to FILE_BINARIES_MAX binaries that are this file: see same_file(). */
struct file {
	const struct rsp_ev_binary *binaries[FILE_BINARIES_MAX];
	size_t binary_cnt;
	size_t next; /* index of the next file with the same hash; 0: none */
};

struct binary {
	size_t file;	    /* 0: the binary has no record */
	const char *module; /* "libfoo.so" */
};

/* A stack has at most 127 frames, and inlined functions rarely double this number. */
struct named {
	struct rsp_frame v[4096];
	size_t cnt;
};

struct symbolizer {
	const struct rsp_trace *trace;
	bool keep;
	struct rsp_jit *jit; /* NULL: the processes may have run on another machine */
	struct {
		struct file *v; /* v[0] is unused */
		size_t cnt, cap;
	} files;
	/* keys: hash of a file's identity; values: index of the newest file with this hash */
	struct rsp_idmap file_by_hash;
	struct {
		struct binary *v;
		size_t cnt, cap;
	} binaries;
	struct rsp_idmap binary_by_number; /* values: index in binaries */
	struct {
		__u64 *v; /* see find_place() */
		size_t cnt, cap;
	} keys;
	struct rsp_debugfiles *debugfiles;
	struct rsp_places_how how;
	struct rsp_code_place *places; /* by key */
	struct rsp_idmap place_by_key;
	struct rsp_code_names names;
	struct rsp_intern texts; /* modules, and texts for places without names */
	struct named former, later, merged;
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

static int find_file(struct symbolizer *s, const struct rsp_ev_binary *ev, size_t *ret)
{
	__u64 hash = hash_file(ev);
	struct file *file;
	uint64_t i = 0;
	int r;

	rsp_idmap_get(&s->file_by_hash, hash, &i);
	while (i && !same_file(s->files.v[i].binaries[0], ev))
		i = s->files.v[i].next;
	if (!i) {
		r = new_file(s, hash, &i);
		if (r < 0)
			return r;
	}
	file = &s->files.v[i];
	if (file->binary_cnt < FILE_BINARIES_MAX)
		file->binaries[file->binary_cnt++] = ev;
	*ret = i;
	return 0;
}

static int keep_text(struct symbolizer *s, const char *text, const char **ret)
{
	uint32_t id;
	int r = rsp_intern_put(&s->texts, text, strlen(text), &id);

	if (r == 0)
		*ret = rsp_intern_data(&s->texts, id);
	return r;
}

static int new_binary(struct symbolizer *s, __u32 number, struct binary *ret)
{
	const struct rsp_ev_binary *ev = rsp_trace_binary(s->trace, number);
	char module[MODULE_BYTES_MAX];
	int r;

	*ret = (struct binary){0};
	if (!ev)
		return 0;
	r = keep_text(s, rsp_binary_name(ev, module, sizeof(module)), &ret->module);
	return r < 0 ? r : find_file(s, ev, &ret->file);
}

static int find_binary(struct symbolizer *s, __u32 number, const struct binary **ret)
{
	struct binary binary, *slot;
	uint64_t i;
	int r;

	if (!rsp_idmap_get(&s->binary_by_number, number, &i)) {
		r = new_binary(s, number, &binary);
		if (r < 0)
			return r;
		i = s->binaries.cnt;
		slot = rsp_array_add(&s->binaries);
		if (!slot || rsp_idmap_put(&s->binary_by_number, number, i) < 0)
			return -ENOMEM;
		*slot = binary;
	}
	*ret = &s->binaries.v[i];
	return 0;
}

/* --- collecting places ----------------------------------------------------------------------- */

/*
 * Finds the binary of a frame (NULL: unknown), and a key for the place of the call. Keys are in the
 * order of files and offsets. A frame that is not a leaf is a return address. If the call was the
 * last instruction of its function, this address is after the function, so the key contains the
 * offset of the byte before.
 */
static int find_place(struct symbolizer *s, __u64 frame, bool leaf, const struct binary **ret,
		      __u64 *ret_key)
{
	__u64 off = RSP_FRAME_OFFSET(frame);
	const struct binary *binary;
	int r;

	*ret = NULL;
	if (!(frame & RSP_FRAME_IN_BINARY))
		return 0;
	r = find_binary(s, RSP_FRAME_BINARY(frame), &binary);
	if (r < 0 || !binary->file)
		return r;
	*ret = binary;
	*ret_key = (__u64)binary->file << RSP_FRAME_OFFSET_BITS | (off - (!leaf && off));
	return 0;
}

static int collect_place(struct symbolizer *s, __u64 frame, bool leaf)
{
	const struct binary *binary;
	__u64 key, *slot;
	int r;

	r = find_place(s, frame, leaf, &binary, &key);
	if (r < 0 || !binary || rsp_idmap_get(&s->place_by_key, key, &(uint64_t){0}))
		return r;
	slot = rsp_array_add(&s->keys);
	if (!slot)
		return -ENOMEM;
	*slot = key;
	return rsp_idmap_put(&s->place_by_key, key, 0);
}

static const struct rsp_ev_stack *user_stack(const struct symbolizer *s, size_t i)
{
	const struct rsp_ev_stack *stack = rsp_trace_stack_at(s->trace, i);

	return stack->hdr.flags & RSP_STACK_USER ? stack : NULL;
}

static int collect(struct symbolizer *s)
{
	int r = 0;

	for (size_t i = 0; i < rsp_trace_stack_cnt(s->trace); i++) {
		const struct rsp_ev_stack *stack = user_stack(s, i);

		for (__u32 f = 0; stack && f < stack->frame_cnt && r == 0; f++)
			r = collect_place(s, stack->frames[f], f == 0);
	}
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

static int sort_places(struct symbolizer *s)
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
	return r;
}

/* indices in s->places */
struct span {
	size_t first, cnt;
};

static int compare_spans(const void *pa, const void *pb)
{
	const struct span *a = pa, *b = pb;

	if (a->cnt != b->cnt)
		return a->cnt > b->cnt ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static size_t find_spans(const struct symbolizer *s, struct span *ret)
{
	size_t cnt = 0;

	for (size_t i = 0; i < s->keys.cnt; i++) {
		if (!i || file_of_key(s->keys.v[i]) != file_of_key(s->keys.v[i - 1]))
			ret[cnt++] = (struct span){.first = i};
		ret[cnt - 1].cnt++;
	}
	return cnt;
}

/*
 * The files with the most places come first: if the process that opens files stops responding, the
 * later files get no names.
 */
static int name_places(struct symbolizer *s)
{
	_cleanup_free_ struct span *spans = calloc(s->files.cnt, sizeof(*spans));
	size_t cnt;
	int r;

	if (!spans)
		return -ENOMEM;
	r = sort_places(s);
	cnt = r == 0 ? find_spans(s, spans) : 0;
	if (cnt)
		qsort(spans, cnt, sizeof(*spans), compare_spans);
	for (size_t i = 0; i < cnt && r == 0; i++) {
		const struct file *file = &s->files.v[file_of_key(s->keys.v[spans[i].first])];

		r = rsp_code_places_name(&s->how, file->binaries, file->binary_cnt,
					 s->places + spans[i].first, spans[i].cnt, &s->names);
	}
	return r;
}

/* --- stacks of names ------------------------------------------------------------------------- */

static void put_frame(struct named *named, const char *symbol, const char *module)
{
	if (named->cnt < sizeof(named->v) / sizeof(named->v[0]))
		named->v[named->cnt++] = (struct rsp_frame){symbol, module, false};
}

/*
 * The address is not in a mapped file, or it is in a file whose process ended before the recorder
 * could identify the file.
 */
static int put_address(struct symbolizer *s, const struct rsp_ev_stack *stack, __u64 frame,
		       bool leaf)
{
	const char *name = NULL, *module = "[jit]";
	bool gone = frame & RSP_FRAME_IN_BINARY;
	char text[32];
	int r = 0;

	if (s->jit && !gone)
		r = rsp_jit_name(s->jit, stack, frame - !leaf, &name);
	if (r == 0 && !name) {
		snprintf(text, sizeof(text), gone ? "[gone]+0x%llx" : "0x%llx",
			 gone ? RSP_FRAME_OFFSET(frame) : frame);
		r = keep_text(s, text, &name);
		module = gone ? "[gone]" : "?";
	}
	if (r == 0)
		put_frame(&s->later, name, module);
	return r;
}

/*
 * If the beginning of its function is known, all nameless places of the function get the same text.
 */
static int put_nameless(struct symbolizer *s, const char *module,
			const struct rsp_code_place *place, __u64 frame)
{
	__u64 off = place->function_off;
	const char *name = module;
	char text[NAME_BYTES_MAX];
	int r = 0;

	if (off == RSP_CODE_NO_FUNCTION)
		off = RSP_FRAME_OFFSET(frame);
	if (module[0] != '[') {
		snprintf(text, sizeof(text), "%s+0x%llx", module, off);
		r = keep_text(s, text, &name);
	}
	if (r == 0)
		put_frame(&s->later, name, module);
	return r;
}

static int put_frames(struct symbolizer *s, const struct rsp_ev_stack *stack, __u64 frame,
		      bool leaf)
{
	const struct rsp_code_place *place;
	const struct binary *binary;
	uint64_t i = 0;
	__u64 key;
	int r;

	r = find_place(s, frame, leaf, &binary, &key);
	if (r < 0)
		return r;
	if (!binary)
		return put_address(s, stack, frame, leaf);
	rsp_idmap_get(&s->place_by_key, key, &i);
	place = &s->places[i];
	if (!place->name_cnt)
		return put_nameless(s, binary->module, place, frame);
	for (size_t n = 0; n < place->name_cnt; n++)
		put_frame(&s->later, rsp_code_place_name(&s->names, place, n), binary->module);
	return 0;
}

static const struct named *choose(struct symbolizer *s, __u64 id)
{
	const size_t max = sizeof(s->merged.v) / sizeof(s->merged.v[0]);

	if (!s->keep || !rsp_trace_is_named(s->trace, id))
		return &s->later;
	s->former.cnt = rsp_trace_frames(s->trace, id, s->former.v, max);
	s->merged.cnt = rsp_frames_merge(s->former.v, s->former.cnt, s->later.v, s->later.cnt,
					 s->merged.v, max);
	return &s->merged;
}

static int add_stack(struct symbolizer *s, const struct rsp_ev_stack *stack)
{
	const struct named *named;
	int r = 0;

	s->later.cnt = 0;
	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		r = put_frames(s, stack, stack->frames[i], i == 0);
	if (r < 0)
		return r;
	named = choose(s, stack->id);
	r = rsp_symbols_add_stack(s->builder, stack->id);
	for (size_t i = 0; i < named->cnt && r == 0; i++)
		r = rsp_symbols_add_frame(s->builder, named->v[i].symbol, named->v[i].module);
	return r;
}

static int add_stacks(struct symbolizer *s)
{
	int r = 0;

	for (size_t i = 0; i < rsp_trace_stack_cnt(s->trace) && r == 0; i++)
		if (user_stack(s, i))
			r = add_stack(s, user_stack(s, i));
	return r;
}

/* --------------------------------------------------------------------------------------------- */

static int symbolizer_init(struct symbolizer *s, const struct rsp_trace *trace,
			   const struct rsp_symbolize_options *options)
{
	const struct rsp_files *files = options->files ? options->files : &rsp_files_direct;
	int r;

	s->trace = trace;
	s->keep = options->keep;
	if (!rsp_array_add(&s->files))
		return -ENOMEM;
	r = rsp_debugfiles_new(files, options->dirs, options->servers, &s->debugfiles);
	if (r < 0)
		return r;
	s->how = (struct rsp_places_how){files, s->debugfiles, options->elsewhere, EFFORT_BYTES};
	if (!options->elsewhere)
		r = rsp_jit_new(trace, files, &s->jit);
	return r < 0 ? r : rsp_symbols_builder_new(&s->builder);
}

static void symbolizer_done(struct symbolizer *s)
{
	rsp_jit_free(s->jit);
	rsp_debugfiles_free(s->debugfiles);
	free(s->files.v);
	rsp_idmap_done(&s->file_by_hash);
	free(s->binaries.v);
	rsp_idmap_done(&s->binary_by_number);
	free(s->keys.v);
	free(s->places);
	rsp_idmap_done(&s->place_by_key);
	rsp_code_names_done(&s->names);
	rsp_intern_done(&s->texts);
	rsp_symbols_builder_free(s->builder);
}

int rsp_symbolize_user(const struct rsp_trace *trace, const struct rsp_symbolize_options *options,
		       void **ret, size_t *ret_len)
{
	struct symbolizer *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	r = symbolizer_init(s, trace, options);
	if (r == 0)
		r = collect(s);
	if (r == 0)
		r = name_places(s);
	if (r == 0)
		r = add_stacks(s);
	if (r == 0)
		r = rsp_symbols_builder_finish(s->builder, ret, ret_len);
	symbolizer_done(s);
	free(s);
	return r;
}
