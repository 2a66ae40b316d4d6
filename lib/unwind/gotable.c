/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gotable.h. */
#include "lib/unwind/gotable.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"

/* The largest known Go programs have half as much. */
#define SECTION_BYTES_MAX (128U << 20)

/* Alignment of the table in memory, even if the table is a part of another section. */
#define SECTION_ALIGN 32

/* The largest known programs have fewer bytes. */
#define SEARCH_BYTES_MAX (256U << 20)
#define SEARCH_CHUNK	 65536

#define HEADER_BYTES   72
#define TEXT_VADDR_OFF 24 /* offset in the header */

/*
 * Offset of the text's address in struct moduledata of runtime/symtab.go, and the maximum size of
 * this struct.
 */
#define MODULE_TEXT_OFF	 176
#define MODULE_BYTES_MAX 65536

void rsp_gotable_done(struct rsp_gotable *tab)
{
	free(tab->section.data);
	tab->section.data = NULL;
}

static void free_section(struct rsp_elf64_section *section)
{
	free(section->data);
}

/* --- the header ------------------------------------------------------------------------------- */

/*
 * Reads struct pcHeader of runtime/symtab.go. len: maximum size of the table in bytes. Returns 0;
 * -ENODATA: unknown version of Go; -EBADMSG.
 */
static int read_header(struct rsp_bytes b, __u64 len, struct rsp_gotable *tab)
{
	__u8 unit, address_bytes;
	__u64 padding, units_off;

	tab->version = (__u32)rsp_bytes_uint(&b, 4);
	padding = rsp_bytes_uint(&b, 2);
	unit = (__u8)rsp_bytes_uint(&b, 1); /* size of an instruction */
	address_bytes = (__u8)rsp_bytes_uint(&b, 1);
	tab->function_cnt = rsp_bytes_uint(&b, 8);
	rsp_bytes_take(&b, 8); /* number of files */
	tab->text_vaddr = tab->version == RSP_GO_116 ? 0 : rsp_bytes_uint(&b, 8);
	tab->name_off = rsp_bytes_uint(&b, 8);
	/* offset of the compilation units, which follow the names */
	units_off = rsp_bytes_uint(&b, 8);
	rsp_bytes_take(&b, 8); /* offset of the file names */
	tab->depth_off = rsp_bytes_uint(&b, 8);
	tab->function_off = rsp_bytes_uint(&b, 8);
	if (tab->version != RSP_GO_116 && tab->version != RSP_GO_118 && tab->version != RSP_GO_120)
		return -ENODATA;
	if (b.bad || padding || unit != 1 || address_bytes != 8 || tab->name_off > len ||
	    tab->depth_off > len || tab->function_off > len)
		return -EBADMSG;
	tab->name_end = units_off >= tab->name_off && units_off <= len ? units_off : len;
	return 0;
}

static struct rsp_bytes bytes_at(const struct rsp_elf64_section *section, __u64 off)
{
	struct rsp_bytes b = {section->data, section->data + section->len, false};

	rsp_bytes_take(&b, off);
	return b;
}

static int read_section_header(struct rsp_gotable *tab)
{
	return read_header(bytes_at(&tab->section, 0), tab->section.len, tab);
}

/* --- the section ------------------------------------------------------------------------------ */

/* Drops the bytes before the table's header. */
static int trim(struct rsp_elf64_section *section)
{
	struct rsp_gotable tab;

	for (size_t off = 0; off < section->len; off += SECTION_ALIGN) {
		size_t left = section->len - off;

		if (read_header(bytes_at(section, off), left, &tab) < 0)
			continue;
		memmove(section->data, section->data + off, left);
		section->len = left;
		section->vaddr += off;
		return 0;
	}
	return -ENODATA;
}

/* left: number of bytes from off to the end of the segment */
static bool is_table(const struct rsp_elf64 *elf, __u64 off, __u64 left)
{
	__u8 header[HEADER_BYTES];
	struct rsp_gotable tab;

	if (rsp_elf64_read(elf, off, header, sizeof(header)) < 0)
		return false;
	return read_header((struct rsp_bytes){header, header + sizeof(header), false}, left,
			   &tab) == 0 &&
	       tab.function_cnt && tab.function_cnt < left / 8;
}

/*
 * left: number of bytes from off to the end of the segment. Returns 0 and the offset of the table;
 * -ENODATA: the bytes contain no table.
 */
static int search_chunk(const struct rsp_elf64 *elf, __u64 off, size_t len, __u64 left, __u64 *ret)
{
	_cleanup_free_ __u8 *chunk = malloc(len);
	int r;

	if (!chunk)
		return -ENOMEM;
	r = rsp_elf64_read(elf, off, chunk, len);
	if (r < 0)
		return r;
	for (size_t at = 0; at + 8 <= len; at += SECTION_ALIGN) {
		/* these bytes are the same in all versions, so most positions fail here */
		if (memcmp(chunk + at + 1, "\xff\xff\xff\0\0\1\x8", 7) != 0 ||
		    !is_table(elf, off + at, left - at))
			continue;
		*ret = off + at;
		return 0;
	}
	return -ENODATA;
}

static int search_segment(const struct rsp_elf64 *elf, const Elf64_Phdr *phdr, __u64 *budget,
			  struct rsp_elf64_section *ret)
{
	__u64 size = phdr->p_filesz, skip, at;

	if (phdr->p_offset > elf->len || size > elf->len - phdr->p_offset)
		return -EBADMSG;
	/* the address of the table is aligned, its file offset need not be */
	skip = (SECTION_ALIGN - phdr->p_vaddr % SECTION_ALIGN) % SECTION_ALIGN;
	for (; skip < size && *budget; skip += SEARCH_CHUNK) {
		__u64 left = size - skip, len = left < SEARCH_CHUNK ? left : SEARCH_CHUNK;
		int r = search_chunk(elf, phdr->p_offset + skip, len, left, &at);

		*budget -= *budget < len ? *budget : len;
		if (r == -ENODATA)
			continue;
		if (r < 0)
			return r;
		skip = at - phdr->p_offset;
		left = size - skip;
		return rsp_elf64_read_section(elf, at,
					      left < SECTION_BYTES_MAX ? left : SECTION_BYTES_MAX,
					      phdr->p_vaddr + skip, SECTION_BYTES_MAX, ret);
	}
	return -ENODATA;
}

/* Linkers put the table beside the constants, which may share a segment with code. */
static int search(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret)
{
	__u64 budget = SEARCH_BYTES_MAX;
	int r = -ENODATA;

	for (size_t i = 0; i < elf->phdr_cnt && r == -ENODATA; i++)
		if (elf->phdrs[i].p_type == PT_LOAD)
			r = search_segment(elf, &elf->phdrs[i], &budget, ret);
	return r;
}

/*
 * In a position-independent program, Go's linker calls the section .data.rel.ro.gopclntab, and
 * other linkers make it a part of .data.rel.ro.
 */
static int find_section(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret)
{
	_cleanup_(free_section) struct rsp_elf64_section info = {0};
	int r;

	if (!rsp_elf64_has_sections(elf))
		return search(elf, ret);
	r = rsp_elf64_section(elf, ".gopclntab", SECTION_BYTES_MAX, ret);
	if (r == -ENODATA)
		r = rsp_elf64_section(elf, ".data.rel.ro.gopclntab", SECTION_BYTES_MAX, ret);
	if (r != -ENODATA)
		return r;
	/* only Go programs have this section; do not search other programs */
	r = rsp_elf64_section(elf, ".go.buildinfo", SECTION_BYTES_MAX, &info);
	if (r == 0)
		r = rsp_elf64_section(elf, ".data.rel.ro", SECTION_BYTES_MAX, ret);
	return r == 0 ? trim(ret) : r;
}

/* --- the address of the text ---------------------------------------------------------------- */

/*
 * In a position-independent program, the file contains 0 instead of the text's address, and a
 * relocation contains the offset to add to the load address.
 */
static int relocated(const struct rsp_elf64 *elf, const char *name, __u64 at, __u64 *ret_vaddr)
{
	_cleanup_(free_section) struct rsp_elf64_section section = {0};
	Elf64_Rela rela;
	int r = rsp_elf64_section(elf, name, SECTION_BYTES_MAX, &section);

	if (r < 0)
		return r;
	for (size_t off = 0; section.len - off >= sizeof(rela); off += sizeof(rela)) {
		memcpy(&rela, section.data + off, sizeof(rela));
		if (rela.r_offset == at && ELF64_R_TYPE(rela.r_info) == R_X86_64_RELATIVE) {
			*ret_vaddr = (__u64)rela.r_addend;
			return 0;
		}
	}
	return -ENODATA;
}

/* Go's linker calls the section of relocations .rela, other linkers call it .rela.dyn. */
static int relocated_text(const struct rsp_elf64 *elf, __u64 at, __u64 *ret_vaddr)
{
	int r = relocated(elf, ".rela", at, ret_vaddr);

	return r == -ENODATA ? relocated(elf, ".rela.dyn", at, ret_vaddr) : r;
}

/* Since Go 1.26, the table does not contain the address of the text. */
static int text_of_module(const struct rsp_elf64 *elf, __u64 *ret_vaddr)
{
	_cleanup_(free_section) struct rsp_elf64_section module = {0};
	int r = rsp_elf64_section(elf, ".go.module", MODULE_BYTES_MAX, &module);
	struct rsp_bytes b;
	__u64 vaddr;

	if (r < 0)
		return r;
	b = bytes_at(&module, MODULE_TEXT_OFF);
	vaddr = rsp_bytes_uint(&b, 8);
	if (b.bad)
		return -EBADMSG;
	if (!vaddr)
		return relocated_text(elf, module.vaddr + MODULE_TEXT_OFF, ret_vaddr);
	*ret_vaddr = vaddr;
	return 0;
}

static int find_text(const struct rsp_elf64 *elf, struct rsp_gotable *tab)
{
	int r;

	if (tab->version == RSP_GO_116 || tab->text_vaddr)
		return 0;
	r = relocated_text(elf, tab->section.vaddr + TEXT_VADDR_OFF, &tab->text_vaddr);
	return r == -ENODATA ? text_of_module(elf, &tab->text_vaddr) : r;
}

int rsp_gotable_open(const struct rsp_elf64 *elf, struct rsp_gotable *ret)
{
	_cleanup_(rsp_gotable_done) struct rsp_gotable tab = {0};
	int r;

	r = find_section(elf, &tab.section);
	if (r == 0)
		r = read_section_header(&tab);
	if (r == 0)
		r = find_text(elf, &tab);
	if (r < 0)
		return r;
	*ret = tab;
	tab.section.data = NULL;
	return 0;
}

/* --- functions -------------------------------------------------------------------------------- */

static __u64 read_start(struct rsp_gotable_walk *walk)
{
	if (walk->tab->version == RSP_GO_116)
		return rsp_bytes_uint(&walk->starts, 8);
	return walk->tab->text_vaddr + rsp_bytes_uint(&walk->starts, 4);
}

void rsp_gotable_begin(const struct rsp_gotable *tab, struct rsp_gotable_walk *ret)
{
	*ret = (struct rsp_gotable_walk){
		.tab = tab,
		.starts = bytes_at(&tab->section, tab->function_off),
		.left = tab->function_cnt,
	};
	ret->start = read_start(ret);
}

/* Reads struct _func of runtime/runtime2.go. */
static bool read_function(const struct rsp_gotable *tab, __u64 off, struct rsp_go_function *ret)
{
	struct rsp_bytes b = bytes_at(&tab->section, off);

	if (tab->version == RSP_GO_116)
		ret->vaddr = rsp_bytes_uint(&b, 8);
	else
		ret->vaddr = tab->text_vaddr + rsp_bytes_uint(&b, 4);
	ret->name_off = tab->name_off + rsp_bytes_uint(&b, 4);
	rsp_bytes_take(&b, 8); /* size of the arguments, offset of the code for deferred calls */
	ret->depth_off = (__u32)rsp_bytes_uint(&b, 4);
	rsp_bytes_take(&b, tab->version == RSP_GO_120 ? 20 : 16);
	/* number of the function in the runtime, which differs between releases */
	rsp_bytes_take(&b, 1);
	ret->flags = (__u8)rsp_bytes_uint(&b, 1);
	return !b.bad;
}

int rsp_gotable_next(struct rsp_gotable_walk *walk, struct rsp_go_function *ret)
{
	size_t off_bytes = walk->tab->version == RSP_GO_116 ? 8 : 4;

	while (walk->left) {
		__u64 start = walk->start, off = rsp_bytes_uint(&walk->starts, off_bytes);

		walk->left--;
		walk->start = read_start(walk);
		if (walk->starts.bad)
			return -EBADMSG;
		if (walk->start <= start ||
		    !read_function(walk->tab, walk->tab->function_off + off, ret) ||
		    ret->vaddr != start)
			continue;
		ret->len = walk->start - start;
		return 1;
	}
	return 0;
}
