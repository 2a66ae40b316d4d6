/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See elfsyms.h. Symbols overlap, nest, alias and lack sizes; loading turns them into a list of
 * points where the name changes, so that a lookup is one binary search.
 */
#include "elfsyms.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <elfutils/libdwelf.h>

#include "lib/base/alias.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* A longer name is no name: it would only make sorting and demangling slow. */
#define SYMBOL_NAME_MAX 16384

/* Linkers make one or two. Each lookup goes through all of them. */
#define SEGMENTS_MAX 64

#define NO_NAME UINT32_MAX

struct segment {
	__u64 file_off, len, vaddr;
};

/* From vaddr on, until the next point. */
struct point {
	__u64 vaddr;
	__u32 name_off; /* NO_NAME: in no function */
};

enum quality {
	LABEL,	 /* of assembly code: no type, no size */
	UNSIZED, /* a function without a size */
	SIZED,
};

struct symbol {
	__u64 start, end; /* end of an unsized one: of its section */
	__u32 name_off;
	__u8 binding; /* as in struct rsp_alias */
	__u8 quality;
};

struct symbol_array {
	struct symbol *v;
	size_t cnt, cap;
};

struct rsp_elfsyms {
	struct {
		struct segment *v;
		size_t cnt, cap;
	} segments; /* executable ones */
	struct {
		struct point *v;
		size_t cnt, cap;
	} points;
	char *names; /* a copy of the string table */
	size_t name_bytes;
};

static void end_elf(Elf **elf)
{
	elf_end(*elf);
}
#define _cleanup_elf_ _cleanup_(end_elf)

static void free_symbols(struct symbol_array *symbols)
{
	free(symbols->v);
}

/* Plain reads, no mapping of the file: whoever truncates it must not kill us with SIGBUS. */
static int open_elf(int fd, Elf **ret)
{
	_cleanup_elf_ Elf *elf = NULL;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	if ((__u64)st.st_size > RSP_ELF_BYTES_MAX)
		return -EFBIG;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return -EBADMSG;
	*ret = rsp_take_ptr(elf);
	return 0;
}

static int load_segments(Elf *elf, struct rsp_elfsyms *e)
{
	size_t cnt;

	if (elf_getphdrnum(elf, &cnt) < 0)
		return -EBADMSG;
	for (size_t i = 0; i < cnt; i++) {
		struct segment *segment;
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr))
			return -EBADMSG;
		if (phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X))
			continue;
		if (e->segments.cnt == SEGMENTS_MAX)
			return -EBADMSG;
		segment = rsp_array_add(&e->segments);
		if (!segment)
			return -ENOMEM;
		*segment = (struct segment){phdr.p_offset, phdr.p_filesz, phdr.p_vaddr};
	}
	return 0;
}

/* --- reading a symbol table ------------------------------------------------------------------ */

static Elf_Scn *find_table(Elf *elf, GElf_Word type, GElf_Shdr *ret_shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, ret_shdr) && ret_shdr->sh_type == type)
			return scn;
	return NULL;
}

/* Copies the string table: at most the size of the file, and the handle need not stay open. */
static int copy_names(Elf *elf, size_t index, struct rsp_elfsyms *e)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	char *names;

	if (!data || !data->d_buf || !data->d_size)
		return -EBADMSG;
	names = malloc(data->d_size);
	if (!names)
		return -ENOMEM;
	memcpy(names, data->d_buf, data->d_size);
	names[data->d_size - 1] = '\0';
	free(e->names);
	e->names = names;
	e->name_bytes = data->d_size;
	return 0;
}

static __u8 binding_of(const GElf_Sym *sym)
{
	int binding = GELF_ST_BIND(sym->st_info);

	return binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
}

/* Finds where an unsized symbol ends at the latest; false if it is no code. */
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

/* Assemblers leave labels that name no function: .L123, and $x, $d for what follows. */
static bool name_ok(const struct rsp_elfsyms *e, const GElf_Sym *sym)
{
	const char *name = e->names + sym->st_name;

	if (sym->st_name >= e->name_bytes || !*name || *name == '$' || strncmp(name, ".L", 2) == 0)
		return false;
	return strnlen(name, SYMBOL_NAME_MAX) < SYMBOL_NAME_MAX;
}

/* False: not a function. */
static bool read_symbol(Elf *elf, const struct rsp_elfsyms *e, const GElf_Sym *sym,
			struct symbol *ret)
{
	int type = GELF_ST_TYPE(sym->st_info);
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	struct symbol symbol = {
		.start = sym->st_value,
		.end = sym->st_value + sym->st_size,
		.name_off = sym->st_name,
		.binding = binding_of(sym),
		.quality = !function	  ? LABEL
			   : sym->st_size ? SIZED
					  : UNSIZED,
	};

	if (!function && (type != STT_NOTYPE || sym->st_size))
		return false;
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS || !name_ok(e, sym))
		return false;
	if (symbol.quality != SIZED && !unsized_end(elf, sym, &symbol.end))
		return false;
	*ret = symbol;
	return symbol.end > symbol.start;
}

/* 0 without symbols if there is no such table. */
static int read_table(Elf *elf, GElf_Word type, struct rsp_elfsyms *e, struct symbol_array *symbols)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = find_table(elf, type, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t cnt;
	int r;

	if (!scn)
		return 0;
	if (!data)
		return -EBADMSG;
	r = copy_names(elf, shdr.sh_link, e);
	if (r < 0)
		return r;
	cnt = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 0; i < cnt; i++) {
		struct symbol symbol, *new;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym))
			return -EBADMSG;
		if (!read_symbol(elf, e, &sym, &symbol))
			continue;
		new = rsp_array_add(symbols);
		if (!new)
			return -ENOMEM;
		*new = symbol;
	}
	return 0;
}

/* --- from symbols to points ------------------------------------------------------------------ */

/* By address; the best of several at one address first. */
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

/* Symbols that began and have not ended, innermost last. */
struct nest {
	const struct symbol **v;
	size_t cnt, cap;
};

static void free_nest(struct nest *nest)
{
	free(nest->v);
}

/* Ends what ends at or before vaddr: the enclosing symbol goes on, or none does. */
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
		/* A label within a function is no function. */
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

/* --- the table ------------------------------------------------------------------------------- */

static int load(Elf *elf, struct rsp_elfsyms *e)
{
	_cleanup_(free_symbols) struct symbol_array symbols = {0};
	int r;

	r = load_segments(elf, e);
	if (r < 0)
		return r;
	r = read_table(elf, SHT_SYMTAB, e, &symbols);
	if (r == 0 && !symbols.cnt)
		r = read_table(elf, SHT_DYNSYM, e, &symbols);
	if (r < 0 || !symbols.cnt)
		return r;
	sort_symbols(&symbols, e->names);
	return make_points(e, &symbols);
}

int rsp_elfsyms_load(int fd, struct rsp_elfsyms **ret)
{
	_cleanup_elf_ Elf *elf = NULL;
	struct rsp_elfsyms *e;
	int r;

	r = open_elf(fd, &elf);
	if (r < 0)
		return r;
	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	r = load(elf, e);
	if (r < 0) {
		rsp_elfsyms_free(e);
		return r;
	}
	*ret = e;
	return 0;
}

struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e)
{
	if (!e)
		return NULL;
	free(e->segments.v);
	free(e->points.v);
	free(e->names);
	free(e);
	return NULL;
}

static bool find_vaddr(const struct rsp_elfsyms *e, __u64 file_off, __u64 *ret_vaddr)
{
	for (size_t i = 0; i < e->segments.cnt; i++) {
		const struct segment *s = &e->segments.v[i];

		if (file_off >= s->file_off && file_off - s->file_off < s->len) {
			*ret_vaddr = file_off - s->file_off + s->vaddr;
			return true;
		}
	}
	return false;
}

const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 file_off)
{
	size_t lo = 0, hi = e->points.cnt;
	__u64 vaddr;

	if (!find_vaddr(e, file_off, &vaddr))
		return NULL;
	/* lo: the first point beyond vaddr. */
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

int rsp_elfsyms_build_id(int fd, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len)
{
	_cleanup_elf_ Elf *elf = NULL;
	const void *id;
	ssize_t len;
	int r;

	r = open_elf(fd, &elf);
	if (r < 0)
		return r;
	len = dwelf_elf_gnu_build_id(elf, &id);
	if (len < 0)
		return -EBADMSG;
	if (len == 0 || len > RSP_BUILD_ID_MAX)
		return -ENODATA;
	memcpy(ret, id, (size_t)len);
	*ret_len = (size_t)len;
	return 0;
}
