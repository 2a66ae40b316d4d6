/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the text of /proc/kallsyms into a sorted table of code symbols, with one symbol per
 * address. Skips lines of any other form.
 */
#include "lib/ksyms/ksyms.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/alias.h"
#include "lib/base/array.h"
#include "lib/snapshot/symbols.h"

/*
 * Maximum distance of an address from its symbol. kallsyms contains no sizes. An address at a
 * larger distance is after the last function of a module, or in a JIT program that has been
 * removed.
 */
#define FUNCTION_BYTES_MAX (1U << 20)

struct ksym {
	__u64 addr;
	__u32 name_off;
	__u32 module_off;
	int binding;
};

struct rsp_ksyms {
	struct {
		struct ksym *v;
		size_t cnt, cap;
	} syms;
	char *names;
	size_t name_bytes;
	/* memory of rsp_ksyms_load() that contains syms and names; NULL: both are allocated */
	void *loaded;
};

/* The strings point into the text and are not NUL-terminated. */
struct line {
	__u64 addr;
	char type;
	const char *name, *module;
	size_t name_len, module_len;
};

/* Parses a line like "ffffffff81000000 T name\t[module]". The module includes its brackets. */
static bool parse_line(const char *p, const char *end, struct line *ret)
{
	struct line line = {0};
	const char *start = p;

	for (; p < end && isxdigit((unsigned char)*p); p++)
		line.addr = line.addr << 4 | (__u64)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	if (p == start || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	line.type = p[1];
	line.name = p += 3;
	while (p < end && *p != '\t' && *p != ' ')
		p++;
	line.name_len = (size_t)(p - line.name);
	while (p < end && *p != '[')
		p++;
	line.module = p;
	line.module_len = (size_t)(end - p);
	*ret = line;
	return line.name_len > 0;
}

static int binding_of(char type)
{
	return type == 'T' ? 2 : type == 'w' || type == 'W' ? 1 : 0;
}

/* "__pfx_f", the padding before each function f, is never executed. */
static bool wanted(const struct line *line)
{
	static const char pad[] = "__pfx_";

	if (!strchr("tTwW", line->type))
		return false;
	return line->name_len < sizeof(pad) || memcmp(line->name, pad, sizeof(pad) - 1) != 0;
}

/*
 * All names together need at most the length of the text plus "vmlinux", so there is enough room.
 */
static __u32 add_name(struct rsp_ksyms *k, const char *s, size_t len)
{
	__u32 off = (__u32)k->name_bytes;

	memcpy(k->names + off, s, len);
	k->names[off + len] = '\0';
	k->name_bytes += len + 1;
	return off;
}

/*
 * The symbols of a module are adjacent, so this function compares only with the module of the
 * previous line (last).
 */
static __u32 module_of(struct rsp_ksyms *k, const struct line *line, __u32 last)
{
	const char *name = line->module;
	size_t len = line->module_len;

	if (!len)
		return 0;
	if (len == strlen("[bpf]") && memcmp(name, "[bpf]", len) == 0) {
		name++;
		len -= 2;
	}
	if (strlen(k->names + last) == len && memcmp(k->names + last, name, len) == 0)
		return last;
	return add_name(k, name, len);
}

static int add_symbols(struct rsp_ksyms *k, const char *text, size_t len)
{
	const char *p = text, *text_end = text + len, *end;
	__u32 module = 0;

	for (; p < text_end; p = end + 1) {
		struct line line;
		struct ksym *sym;

		end = memchr(p, '\n', (size_t)(text_end - p));
		if (!end)
			end = text_end;
		if (!parse_line(p, end, &line) || !wanted(&line) || !line.addr)
			continue;
		sym = rsp_array_add(&k->syms);
		if (!sym)
			return -ENOMEM;
		module = module_of(k, &line, module);
		*sym = (struct ksym){
			.addr = line.addr,
			.name_off = add_name(k, line.name, line.name_len),
			.module_off = module,
			.binding = binding_of(line.type),
		};
	}
	return k->syms.cnt ? 0 : -ENODATA;
}

static int compare_syms(const void *pa, const void *pb, void *names)
{
	const struct ksym *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return rsp_alias_compare((struct rsp_alias){(char *)names + a->name_off, a->binding},
				 (struct rsp_alias){(char *)names + b->name_off, b->binding});
}

/* Keeps only the best name of each address (lib/base/alias.h). */
static void finish(struct rsp_ksyms *k)
{
	size_t kept = 0;

	qsort_r(k->syms.v, k->syms.cnt, sizeof(*k->syms.v), compare_syms, k->names);
	for (size_t i = 1; i < k->syms.cnt; i++)
		if (k->syms.v[i].addr != k->syms.v[kept].addr)
			k->syms.v[++kept] = k->syms.v[i];
	k->syms.cnt = kept + 1;
}

int rsp_ksyms_parse(const char *text, size_t len, struct rsp_ksyms **ret)
{
	static const char vmlinux[] = "vmlinux";
	struct rsp_ksyms *k;
	char *trimmed;
	int r;

	if (len > UINT32_MAX - sizeof(vmlinux))
		return -E2BIG;
	k = calloc(1, sizeof(*k));
	if (!k)
		return -ENOMEM;
	k->names = malloc(sizeof(vmlinux) + len);
	r = -ENOMEM;
	if (!k->names)
		goto fail;
	add_name(k, vmlinux, strlen(vmlinux));
	r = add_symbols(k, text, len);
	if (r < 0)
		goto fail;
	finish(k);
	trimmed = realloc(k->names, k->name_bytes);
	if (trimmed)
		k->names = trimmed;
	*ret = k;
	return 0;
fail:
	rsp_ksyms_free(k);
	return r;
}

struct rsp_ksyms *rsp_ksyms_free(struct rsp_ksyms *k)
{
	if (!k)
		return NULL;
	if (!k->loaded) {
		free(k->syms.v);
		free(k->names);
	}
	free(k->loaded);
	free(k);
	return NULL;
}

const char *rsp_ksyms_lookup(const struct rsp_ksyms *k, __u64 addr, const char **ret_module)
{
	size_t lo = 0, hi = k->syms.cnt;

	/* At the end, lo is the index of the first symbol after addr. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->syms.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr - k->syms.v[lo - 1].addr >= FUNCTION_BYTES_MAX)
		return NULL;
	*ret_module = k->names + k->syms.v[lo - 1].module_off;
	return k->names + k->syms.v[lo - 1].name_off;
}

/* --- saving and loading ----------------------------------------------------------------------- */

int rsp_ksyms_save(const struct rsp_ksyms *k, void **ret, size_t *ret_len)
{
	const __u64 cnt = k->syms.cnt;
	size_t syms_bytes = k->syms.cnt * sizeof(*k->syms.v);
	char *bytes = malloc(sizeof(cnt) + syms_bytes + k->name_bytes);

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, &cnt, sizeof(cnt));
	memcpy(bytes + sizeof(cnt), k->syms.v, syms_bytes);
	memcpy(bytes + sizeof(cnt) + syms_bytes, k->names, k->name_bytes);
	*ret = bytes;
	*ret_len = sizeof(cnt) + syms_bytes + k->name_bytes;
	return 0;
}

int rsp_ksyms_load(void *bytes, size_t len, struct rsp_ksyms **ret)
{
	struct rsp_ksyms *k = calloc(1, sizeof(*k));
	size_t syms_bytes;
	__u64 cnt = 0;

	if (!k) {
		free(bytes);
		return -ENOMEM;
	}
	k->loaded = bytes;
	if (len >= sizeof(cnt))
		memcpy(&cnt, bytes, sizeof(cnt));
	if (!cnt || cnt > (len - sizeof(cnt)) / sizeof(*k->syms.v)) {
		rsp_ksyms_free(k);
		return -EBADMSG;
	}
	syms_bytes = cnt * sizeof(*k->syms.v);
	k->syms.v = (void *)((char *)bytes + sizeof(cnt));
	k->syms.cnt = cnt;
	k->names = (char *)bytes + sizeof(cnt) + syms_bytes;
	k->name_bytes = len - sizeof(cnt) - syms_bytes;
	*ret = k;
	return 0;
}

/* --- stacks ---------------------------------------------------------------------------------- */

/*
 * call: the frame's address, or the byte before it. Without a name, the frame gets the address in
 * hexadecimal.
 */
static int add_frame(const struct rsp_ksyms *k, __u64 address, __u64 call,
		     struct rsp_symbols_builder *b)
{
	const char *module;
	const char *name = rsp_ksyms_lookup(k, call, &module);
	char text[24];

	if (name)
		return rsp_symbols_add_frame(b, name, module);
	snprintf(text, sizeof(text), "0x%llx", address);
	return rsp_symbols_add_frame(b, text, "?");
}

int rsp_ksyms_name_stack(const struct rsp_ksyms *k, const struct rsp_ev_stack *stack,
			 struct rsp_symbols_builder *b)
{
	int r = rsp_symbols_add_stack(b, stack->id);

	/*
	 * If a call is the last instruction of a function, the return address is after the
	 * function. Therefore look up the byte before a return address.
	 */
	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		r = add_frame(k, stack->frames[i], stack->frames[i] - (i > 0), b);
	return r;
}

int rsp_ksyms_name_function(const struct rsp_ksyms *k, __u64 address, struct rsp_symbols_builder *b)
{
	int r = rsp_symbols_add_stack(b, address);

	return r < 0 ? r : add_frame(k, address, address, b);
}
