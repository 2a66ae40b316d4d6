/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See elfsyms.h. Symbols may overlap, contain others, be aliases, or lack sizes.
 * rsp_elfsyms_finish() converts them to a list of points at which the name changes.
 */
#include "lib/symbols/elfsyms.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>

#include "lib/base/alias.h"
#include "lib/base/array.h"

/*
 * Maximum length of a name. Longer names are not real, and would make sorting and demangling slow.
 */
#define SYMBOL_NAME_MAX 16384

#define NO_NAME UINT32_MAX

/* The name is valid from vaddr to the next point. */
struct point {
	__u64 vaddr;
	__u32 name_off; /* NO_NAME: the code at vaddr is not in a function */
};

enum quality {
	LABEL,	 /* a label in assembly code, without type and size */
	UNSIZED, /* a function without a size */
	SIZED,
};

struct symbol {
	__u64 start, end; /* an unsized symbol ends with its section */
	__u32 name_off;
	__u8 binding; /* as in struct rsp_alias */
	__u8 quality;
};

struct symbol_array {
	struct symbol *v;
	size_t cnt, cap;
};

struct rsp_elfsyms {
	struct symbol_array symbols; /* until rsp_elfsyms_finish() */
	struct {
		struct point *v;
		size_t cnt, cap;
	} points;
	char *names; /* copies of the string tables, one after the other */
	size_t name_bytes;
};

int rsp_elfsyms_new(struct rsp_elfsyms **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e)
{
	if (!e)
		return NULL;
	free(e->symbols.v);
	free(e->points.v);
	free(e->names);
	free(e);
	return NULL;
}

/* --- reading a symbol table ------------------------------------------------------------------ */

int rsp_elfsyms_add_names(struct rsp_elfsyms *e, const void *bytes, size_t len, size_t *ret_base)
{
	size_t base = e->name_bytes;
	char *names;

	if (len >= NO_NAME - base)
		return -E2BIG;
	names = realloc(e->names, base + len + 1);
	if (!names)
		return -ENOMEM;
	memcpy(names + base, bytes, len);
	names[base + len] = '\0';
	e->names = names;
	e->name_bytes = base + len + 1;
	*ret_base = base;
	return 0;
}

static int copy_names(Elf *elf, size_t index, struct rsp_elfsyms *e, size_t *ret_base)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data || !data->d_buf || !data->d_size)
		return -EBADMSG;
	return rsp_elfsyms_add_names(e, data->d_buf, data->d_size, ret_base);
}

static __u8 binding_of(const GElf_Sym *sym)
{
	int binding = GELF_ST_BIND(sym->st_info);

	return binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
}

/*
 * The end of an unsized symbol's section is the latest possible end of the symbol. Returns false if
 * the section is not code.
 */
static bool unsized_end(Elf *elf, const GElf_Sym *sym, __u64 *ret_end)
{
	Elf_Scn *scn = sym->st_shndx < SHN_LORESERVE ? elf_getscn(elf, sym->st_shndx) : NULL;
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR))
		return false;
	if (sym->st_value < shdr.sh_addr || sym->st_value - shdr.sh_addr >= shdr.sh_size)
		return false;
	*ret_end = shdr.sh_addr + shdr.sh_size;
	return *ret_end > sym->st_value;
}

/*
 * Assemblers leave labels that are not functions: .L123, and $x and $d, which mark code and data.
 */
static bool name_ok(const struct rsp_elfsyms *e, __u64 off)
{
	const char *name = e->names + off;

	if (off >= e->name_bytes || !*name || *name == '$' || strncmp(name, ".L", 2) == 0)
		return false;
	return strnlen(name, SYMBOL_NAME_MAX) < SYMBOL_NAME_MAX;
}

static void cut_version(struct rsp_elfsyms *e, size_t name_off)
{
	char *at = strchr(e->names + name_off, '@');

	if (at && at != e->names + name_off)
		*at = '\0';
}

/* Returns false if the symbol cannot be a function. */
static bool read_symbol(Elf *elf, struct rsp_elfsyms *e, size_t name_base, const GElf_Sym *sym,
			struct symbol *ret)
{
	int type = GELF_ST_TYPE(sym->st_info);
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	struct symbol symbol = {
		.start = sym->st_value,
		.end = sym->st_value + sym->st_size,
		.name_off = (__u32)(name_base + sym->st_name),
		.binding = binding_of(sym),
		.quality = !function	  ? LABEL
			   : sym->st_size ? SIZED
					  : UNSIZED,
	};

	if (!function && (type != STT_NOTYPE || sym->st_size))
		return false;
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS ||
	    !name_ok(e, (__u64)name_base + sym->st_name))
		return false;
	if (symbol.quality != SIZED && !unsized_end(elf, sym, &symbol.end))
		return false;
	cut_version(e, symbol.name_off);
	*ret = symbol;
	return symbol.end > symbol.start;
}

static int read_symbols(Elf *elf, Elf_Data *data, struct rsp_elfsyms *e, size_t name_base)
{
	size_t cnt = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);

	for (size_t i = 0; i < cnt && i < INT_MAX; i++) {
		struct symbol symbol, *new;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym))
			return -EBADMSG;
		if (!read_symbol(elf, e, name_base, &sym, &symbol))
			continue;
		new = rsp_array_add(&e->symbols);
		if (!new)
			return -ENOMEM;
		*new = symbol;
	}
	return 0;
}

int rsp_elfsyms_add(struct rsp_elfsyms *e, Elf *elf, GElf_Word type)
{
	size_t before = e->symbols.cnt, name_base;
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, NULL, type, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	int r;

	if (!scn)
		return 0;
	if (!data)
		return -EBADMSG;
	r = copy_names(elf, shdr.sh_link, e, &name_base);
	if (r == 0)
		r = read_symbols(elf, data, e, name_base);
	if (r < 0) {
		e->symbols.cnt = before;
		return r;
	}
	return (int)(e->symbols.cnt - before);
}

int rsp_elfsyms_add_function(struct rsp_elfsyms *e, __u64 start, __u64 end, __u64 name_off)
{
	struct symbol *new;

	if (end <= start || !name_ok(e, name_off))
		return 0;
	new = rsp_array_add(&e->symbols);
	if (!new)
		return -ENOMEM;
	*new = (struct symbol){
		.start = start, .end = end, .name_off = (__u32)name_off, .quality = SIZED};
	return 0;
}

/* --- turning symbols into points ------------------------------------------------------------- */

/* Symbols at the same address are in the order of their quality, the best one first. */
static int compare_symbols(const void *pa, const void *pb, void *names)
{
	const struct symbol *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->quality != b->quality)
		return a->quality > b->quality ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return rsp_alias_compare((struct rsp_alias){(char *)names + a->name_off, a->binding},
				 (struct rsp_alias){(char *)names + b->name_off, b->binding});
}

static void sort_symbols(struct symbol_array *symbols, char *names)
{
	size_t kept = 0;

	qsort_r(symbols->v, symbols->cnt, sizeof(*symbols->v), compare_symbols, names);
	for (size_t i = 1; i < symbols->cnt; i++)
		if (symbols->v[i].start != symbols->v[kept].start)
			symbols->v[++kept] = symbols->v[i];
	symbols->cnt = kept + 1;
	for (size_t i = 0; i + 1 < symbols->cnt; i++) {
		struct symbol *s = &symbols->v[i];

		if (s->quality != SIZED && s->end > s[1].start)
			s->end = s[1].start;
	}
}

static int add_point(struct rsp_elfsyms *e, __u64 vaddr, __u32 name_off)
{
	struct point *p = e->points.cnt ? &e->points.v[e->points.cnt - 1] : NULL;

	if (!p || p->vaddr != vaddr)
		p = rsp_array_add(&e->points);
	if (!p)
		return -ENOMEM;
	*p = (struct point){vaddr, name_off};
	return 0;
}

/* A stack of the symbols that contain the current address, the innermost one last. */
struct nest {
	const struct symbol **v;
	size_t cnt, cap;
};

static void free_nest(struct nest *nest)
{
	free(nest->v);
}

/*
 * Removes the symbols that end at or before vaddr. At each end, adds a point at which the name of
 * the enclosing symbol begins.
 */
static int close_symbols(struct rsp_elfsyms *e, struct nest *open, __u64 vaddr)
{
	while (open->cnt && open->v[open->cnt - 1]->end <= vaddr) {
		__u64 end = open->v[open->cnt - 1]->end;
		int r;

		while (open->cnt && open->v[open->cnt - 1]->end <= end)
			open->cnt--;
		r = add_point(e, end, open->cnt ? open->v[open->cnt - 1]->name_off : NO_NAME);
		if (r < 0)
			return r;
	}
	return 0;
}

static int make_points(struct rsp_elfsyms *e, const struct symbol_array *symbols)
{
	_cleanup_(free_nest) struct nest open = {0};
	int r;

	for (size_t i = 0; i < symbols->cnt; i++) {
		const struct symbol *s = &symbols->v[i], **innermost;

		r = close_symbols(e, &open, s->start);
		if (r < 0)
			return r;
		/* A label or unsized symbol within a function is not a function. */
		if (s->quality != SIZED && open.cnt)
			continue;
		r = add_point(e, s->start, s->name_off);
		if (r < 0)
			return r;
		innermost = rsp_array_add(&open);
		if (!innermost)
			return -ENOMEM;
		*innermost = s;
	}
	return close_symbols(e, &open, UINT64_MAX);
}

int rsp_elfsyms_finish(struct rsp_elfsyms *e)
{
	int r;

	if (!e->symbols.cnt)
		return 0;
	sort_symbols(&e->symbols, e->names);
	r = make_points(e, &e->symbols);
	free(e->symbols.v);
	memset(&e->symbols, 0, sizeof(e->symbols));
	return r;
}

/* The last point has no name: it is the end of the last function. */
int rsp_elfsyms_each(const struct rsp_elfsyms *e, rsp_elfsyms_fn *fn, void *userdata)
{
	const struct point *p = e->points.v;
	int r = 0;

	for (size_t i = 0; i + 1 < e->points.cnt && r == 0; i++)
		if (p[i].name_off != NO_NAME)
			r = fn(p[i].vaddr, p[i + 1].vaddr, e->names + p[i].name_off, userdata);
	return r;
}

const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 vaddr)
{
	size_t lo = 0, hi = e->points.cnt;

	/* At the end, lo is the index of the first point after vaddr. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (e->points.v[mid].vaddr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || e->points.v[lo - 1].name_off == NO_NAME)
		return NULL;
	return e->names + e->points.v[lo - 1].name_off;
}
