/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See names.h. */
#include "lib/live/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/ksyms/ksyms.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"
#include "lib/symbols/binary.h"
#include "lib/symbols/debugfiles.h"
#include "lib/symbols/demangle.h"

/*
 * Maximum numbers of binaries, and of functions whose names came from snapshots. Both lists only
 * grow, so they need a limit.
 */
#define BINARIES_MAX 2000
#define LEARNED_MAX  500000

struct known {
	struct rsp_ev_binary *record;
	bool is_open; /* open_known() was called, with or without success */
	struct rsp_elfsyms *symbols;
	struct rsp_elf_code code;
	char name[48];
};

struct rsp_live_names {
	const struct rsp_files *files;
	struct rsp_debugfiles *debugfiles;
	struct rsp_ksyms *kernel; /* NULL: unknown */
	struct rsp_idmap by_number;
	struct {
		struct known *v;
		size_t cnt, cap;
	} binaries;
	struct rsp_idmap learned;  /* from a frame to a number in strings */
	struct rsp_intern strings; /* "symbol\0module" */
};

/* --- binaries --------------------------------------------------------------------------------- */

static void close_known(struct known *k)
{
	rsp_elfsyms_free(k->symbols);
	free(k->record);
	*k = (struct known){0};
}

static bool is_same(const struct rsp_ev_binary *a, const struct rsp_ev_binary *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->build_id_len == b->build_id_len &&
	       memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0;
}

/*
 * Returns whether names may have changed. If the recorder uses the number of an earlier binary
 * again, the new record replaces the old one.
 */
static bool learn_binary(const struct rsp_ev_binary *binary, void *userdata)
{
	struct rsp_live_names *names = userdata;
	struct rsp_ev_binary *copy;
	struct known *k;
	uint64_t i;

	if (rsp_idmap_get(&names->by_number, binary->number, &i)) {
		k = &names->binaries.v[i];
		if (k->record && is_same(k->record, binary))
			return false;
		close_known(k);
	} else {
		k = names->binaries.cnt < BINARIES_MAX ? rsp_array_add(&names->binaries) : NULL;
		if (!k ||
		    rsp_idmap_put(&names->by_number, binary->number, names->binaries.cnt - 1) < 0)
			return false;
	}
	copy = malloc(binary->hdr.size);
	if (!copy)
		return false;
	k->record = memcpy(copy, binary, binary->hdr.size);
	rsp_binary_name(binary, k->name, sizeof(k->name));
	return true;
}

static void open_known(const struct rsp_live_names *names, struct known *k)
{
	const struct rsp_places_how how = {.files = names->files, .debugfiles = names->debugfiles};
	const struct rsp_ev_binary *record = k->record;
	struct rsp_binary binary;

	k->is_open = true;
	if (rsp_binary_open(&how, &record, 1, &binary) == 0 && binary.symbols) {
		k->symbols = rsp_take_ptr(binary.symbols);
		k->code = binary.code;
	}
	rsp_binary_done(&binary);
}

static const char *find_symbol(const struct rsp_live_names *names, __u64 frame,
			       struct known **ret_known)
{
	struct known *k;
	__u64 vaddr;
	uint64_t i;

	*ret_known = NULL;
	if (!rsp_idmap_get(&names->by_number, RSP_FRAME_BINARY(frame), &i))
		return NULL;
	k = *ret_known = &names->binaries.v[i];
	if (!k->is_open && k->record)
		open_known(names, k);
	if (!k->symbols || !rsp_elf_code_vaddr(&k->code, RSP_FRAME_OFFSET(frame), &vaddr))
		return NULL;
	return rsp_elfsyms_lookup(k->symbols, vaddr);
}

/* --- names ------------------------------------------------------------------------------------ */

static bool put_learned(const struct rsp_live_names *names, __u64 frame, char *name,
			size_t name_len, char *module, size_t module_len)
{
	const char *symbol;
	uint64_t number;

	if (!rsp_idmap_get(&names->learned, frame, &number))
		return false;
	symbol = rsp_intern_data(&names->strings, (uint32_t)number);
	snprintf(name, name_len, "%s", symbol);
	snprintf(module, module_len, "%s", symbol + strlen(symbol) + 1);
	return true;
}

static void put_kernel(const struct rsp_live_names *names, __u64 frame, char *name, size_t name_len,
		       char *module, size_t module_len)
{
	const char *found = "vmlinux", *symbol = NULL;

	if (names->kernel)
		symbol = rsp_ksyms_lookup(names->kernel, frame | RSP_FRAME_IN_BINARY, &found);
	if (!symbol && put_learned(names, frame, name, name_len, module, module_len))
		return;
	snprintf(name, name_len, "%s", symbol ? symbol : "[kernel]");
	snprintf(module, module_len, "%s", found);
}

static void put_user(const struct rsp_live_names *names, __u64 frame, char *name, size_t name_len,
		     char *module, size_t module_len)
{
	struct known *known;
	const char *symbol = find_symbol(names, frame, &known);
	char *plain;

	if (!symbol && put_learned(names, frame, name, name_len, module, module_len))
		return;
	plain = symbol ? rsp_demangle(symbol) : NULL;
	if (symbol)
		snprintf(name, name_len, "%s", plain ? plain : symbol);
	else
		snprintf(name, name_len, "[no name]");
	free(plain);
	snprintf(module, module_len, "%s", known ? known->name : "?");
}

static void put_name(__u64 frame, char *name, size_t name_len, char *module, size_t module_len,
		     void *userdata)
{
	const struct rsp_live_names *names = userdata;

	if (!frame) {
		snprintf(name, name_len, "[no stack]");
		snprintf(module, module_len, "?");
	} else if (frame & RSP_FRAME_IN_BINARY) {
		put_user(names, frame, name, name_len, module, module_len);
	} else if (frame & RSP_LIVE_KERNEL) {
		put_kernel(names, frame, name, name_len, module, module_len);
	} else if (!put_learned(names, frame, name, name_len, module, module_len)) {
		snprintf(name, name_len, "[code made at run time]");
		snprintf(module, module_len, "[jit]");
	}
}

struct rsp_live_namer rsp_live_names_namer(struct rsp_live_names *names)
{
	return (struct rsp_live_namer){put_name, learn_binary, names};
}

/* --- other sources ---------------------------------------------------------------------------- */

int rsp_live_names_kernel(struct rsp_live_names *names, const char *text, size_t len)
{
	struct rsp_ksyms *kernel;
	int r = rsp_ksyms_parse(text, len, &kernel);

	if (r < 0)
		return r;
	rsp_ksyms_free(names->kernel);
	names->kernel = kernel;
	return 0;
}

static int learn_frame(struct rsp_live_names *names, __u64 frame, const char *symbol,
		       const char *module)
{
	char buf[256];
	uint32_t number;
	size_t len;
	int r;

	if (names->learned.cnt >= LEARNED_MAX)
		return 0;
	len = (size_t)snprintf(buf, 160, "%s", symbol) + 1;
	if (len > 160)
		len = 160;
	snprintf(buf + len, sizeof(buf) - len, "%s", module);
	r = rsp_intern_put(&names->strings, buf, len + strlen(buf + len), &number);
	return r < 0 ? r : rsp_idmap_put(&names->learned, frame, number);
}

/*
 * From a user stack, takes only the innermost frame: inlined functions have names but no frames, so
 * the other names do not match the frames.
 */
static int learn_stack(struct rsp_live_names *names, const struct rsp_symbols *symbols,
		       const struct rsp_ev_stack *stack)
{
	int cnt = rsp_symbols_frame_cnt(symbols, stack->id), r = 0;
	bool all = stack->hdr.flags & RSP_STACK_KERNEL && cnt == (int)stack->frame_cnt;
	const char *symbol, *module;

	for (int i = 0; r == 0 && i < cnt && i < (all ? cnt : 1) && stack->frame_cnt; i++) {
		rsp_symbols_frame(symbols, stack->id, i, &symbol, &module);
		r = learn_frame(names, rsp_live_frame(stack, (__u32)i), symbol, module);
	}
	return r;
}

static int learn_from(struct rsp_live_names *names, const struct rsp_symbols *symbols,
		      const struct rsp_snapshot *snap)
{
	const struct rsp_ev_hdr *rec;
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *s = &snap->sections[i];
		size_t off = 0;

		if (s->type != RSP_SEC_EVENTS)
			continue;
		while (r == 0 && rsp_record_next(s->data, s->len, &off, &rec) > 0)
			if (rec->kind == RSP_EV_STACK)
				r = learn_stack(names, symbols, (const void *)rec);
	}
	return r;
}

int rsp_live_names_learn(struct rsp_live_names *names, const struct rsp_snapshot *snap)
{
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt && r == 0; i++) {
		const struct rsp_section *s = &snap->sections[i];
		struct rsp_symbols *symbols;

		if (s->type != RSP_SEC_SYMBOLS || rsp_symbols_open(s->data, s->len, &symbols) < 0)
			continue;
		r = learn_from(names, symbols, snap);
		rsp_symbols_free(symbols);
	}
	return r;
}

/* --- life ------------------------------------------------------------------------------------- */

int rsp_live_names_new(const struct rsp_files *files, struct rsp_live_names **ret)
{
	struct rsp_live_names *names = calloc(1, sizeof(*names));
	int r = names ? rsp_debugfiles_new(files, false, false, &names->debugfiles) : -ENOMEM;

	if (r < 0) {
		free(names);
		return r;
	}
	names->files = files;
	*ret = names;
	return 0;
}
