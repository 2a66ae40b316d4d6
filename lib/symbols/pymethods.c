/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See pymethods.h. Searches the data of the program for tables of methods, and then for pointers to
 * these tables in the definitions of modules and types.
 */
#include "lib/symbols/pymethods.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/unwind/entries.h"

/* Maximum size of the data to search. The data of the Python interpreter have 4 MiB. */
#define DATA_BYTES_MAX (64U << 20)

#define RELOCATION_BYTES_MAX (64U << 20)

/* Maximum number of methods. The Python interpreter has 1,700 methods. */
#define METHODS_MAX 65536

#define IDENTIFIER_MAX 96

/* A struct PyMethodDef contains a name, a function, flags and documentation. */
#define METHOD_BYTES	 32
#define METHOD_FLAGS_MAX 0x3ff

/*
 * A module (struct PyModuleDef) and a static type contain a pointer to their table of methods and a
 * pointer to their own name. MODULE_NAME_BACK and TYPE_NAME_BACK are the distances from the first
 * pointer back to the second. A type that is made from a PyType_Spec has a list of slots instead,
 * and one slot points to the table.
 */
#define MODULE_NAME_BACK    24
#define TYPE_NAME_BACK	    208
#define SPEC_NAME_BACK	    24
#define SLOT_BYTES	    16
#define SLOT_METHODS	    64 /* Py_tp_methods */
#define SLOT_MAX	    99
#define SLOTS_OF_A_TYPE_MAX 99

struct segment {
	struct rsp_elf64_section bytes;
	bool writable; /* writable at least until the loader has relocated it */
};

struct method {
	__u64 vaddr, end;
	__u64 name; /* address */
	__u64 table;
};

struct reader {
	const struct rsp_elf64 *elf;
	struct segment segments[RSP_ELF64_SEGMENT_MAX];
	size_t segment_cnt;
	struct rsp_unwind_entries entries;
	struct {
		struct method *v;
		size_t cnt, cap;
	} methods;
	struct rsp_idmap
		/* keys: addresses of tables; values: of names of modules or types, 0: unknown */
		owner_of_table;
	struct rsp_idmap table_of_slots; /* keys: addresses of lists of slots; values: of tables */
};

static void reader_done(struct reader *r)
{
	for (size_t i = 0; i < r->segment_cnt; i++)
		free(r->segments[i].bytes.data);
	rsp_unwind_entries_done(&r->entries);
	free(r->methods.v);
	rsp_idmap_done(&r->owner_of_table);
	rsp_idmap_done(&r->table_of_slots);
}

/* --- data ------------------------------------------------------------------------------------ */

static int read_segments(struct reader *r)
{
	size_t left = DATA_BYTES_MAX;

	for (size_t i = 0; i < r->elf->phdr_cnt; i++) {
		const Elf64_Phdr *phdr = &r->elf->phdrs[i];
		struct segment *s = &r->segments[r->segment_cnt];
		int e;

		if (phdr->p_type != PT_LOAD || phdr->p_flags & PF_X)
			continue;
		e = rsp_elf64_read_section(r->elf, phdr->p_offset, phdr->p_filesz, phdr->p_vaddr,
					   left, &s->bytes);
		if (e < 0)
			return e;
		s->writable = phdr->p_flags & PF_W;
		left -= s->bytes.len;
		r->segment_cnt++;
	}
	return 0;
}

/* Returns the data from vaddr to the end of its segment, or NULL if no segment contains vaddr. */
static __u8 *data_at(const struct reader *r, __u64 vaddr, size_t *ret_len)
{
	for (size_t i = 0; i < r->segment_cnt; i++) {
		const struct rsp_elf64_section *s = &r->segments[i].bytes;

		if (vaddr < s->vaddr || vaddr - s->vaddr >= s->len)
			continue;
		*ret_len = s->len - (vaddr - s->vaddr);
		return s->data + (vaddr - s->vaddr);
	}
	return NULL;
}

static __u64 word_at(const struct reader *r, __u64 vaddr)
{
	size_t len;
	const __u8 *p = data_at(r, vaddr, &len);
	__u64 word = 0;

	if (p && len >= sizeof(word))
		memcpy(&word, p, sizeof(word));
	return word;
}

/*
 * In a position-independent file, the pointers themselves are 0. Their values are in relocations.
 */
static int relocate(struct reader *r)
{
	struct rsp_elf64_section section = {0};
	Elf64_Rela rela;
	int e = rsp_elf64_section(r->elf, ".rela.dyn", RELOCATION_BYTES_MAX, &section);

	if (e < 0)
		return e == -ENOMEM ? e : 0;
	for (size_t off = 0; section.len - off >= sizeof(rela); off += sizeof(rela)) {
		size_t len;
		__u8 *p;

		memcpy(&rela, section.data + off, sizeof(rela));
		if (ELF64_R_TYPE(rela.r_info) != R_X86_64_RELATIVE)
			continue;
		p = data_at(r, rela.r_offset, &len);
		if (p && len >= sizeof(rela.r_addend))
			memcpy(p, &rela.r_addend, sizeof(rela.r_addend));
	}
	free(section.data);
	return 0;
}

/* --- names ----------------------------------------------------------------------------------- */

static bool is_letter(__u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/*
 * dots: the identifier may contain dots. Returns its length, or 0 if there is no identifier at
 * vaddr.
 */
static size_t identifier_at(const struct reader *r, __u64 vaddr, bool dots, const char **ret)
{
	size_t len = 0, i = 0;
	const __u8 *p = vaddr ? data_at(r, vaddr, &len) : NULL;

	if (!p || !is_letter(*p))
		return 0;
	while (i < len && i < IDENTIFIER_MAX &&
	       (is_letter(p[i]) || (p[i] >= '0' && p[i] <= '9') || (dots && p[i] == '.')))
		i++;
	if (i == len || p[i])
		return 0;
	*ret = (const char *)p;
	return i;
}

/* --- tables ---------------------------------------------------------------------------------- */

/* Returns the end of the function that begins at vaddr, or 0 if there is none. */
static __u64 end_of_function(const struct reader *r, __u64 vaddr)
{
	size_t lo = 0, hi = r->entries.fdes.cnt;
	__u32 start, end;

	if (!vaddr || !rsp_elf64_find_code(r->elf, vaddr, 1, &start, &end))
		return 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->entries.fdes.v[mid].start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == r->entries.fdes.cnt || r->entries.fdes.v[lo].start != start)
		return 0;
	return vaddr + (r->entries.fdes.v[lo].end - start);
}

static bool read_method(const struct reader *r, const __u8 *data, struct method *ret)
{
	struct {
		__u64 name, function, flags, doc;
	} def;
	const char *name;
	size_t len;

	memcpy(&def, data, sizeof(def));
	/* Cheap checks come first, because most data is not a method. */
	if (!def.flags || def.flags > METHOD_FLAGS_MAX)
		return false;
	if (!identifier_at(r, def.name, false, &name) || (def.doc && !data_at(r, def.doc, &len)))
		return false;
	ret->name = def.name;
	ret->vaddr = def.function;
	ret->end = end_of_function(r, ret->vaddr);
	return ret->end > ret->vaddr;
}

static int find_tables(struct reader *r, const struct rsp_elf64_section *data)
{
	/* address of the table that contains the previous method; 0: there is none */
	__u64 table = 0;

	for (size_t off = -data->vaddr % 8; off + METHOD_BYTES <= data->len;) {
		struct method method, *new;

		if (!read_method(r, data->data + off, &method)) {
			off += 8;
			table = 0;
			continue;
		}
		if (r->methods.cnt == METHODS_MAX)
			return -E2BIG;
		if (!table) {
			table = data->vaddr + off;
			if (rsp_idmap_put(&r->owner_of_table, table, 0) < 0)
				return -ENOMEM;
		}
		method.table = table;
		new = rsp_array_add(&r->methods);
		if (!new)
			return -ENOMEM;
		*new = method;
		off += METHOD_BYTES;
	}
	return 0;
}

/* --- owners ---------------------------------------------------------------------------------- */

static bool is_name(const struct reader *r, __u64 vaddr)
{
	const char *name;

	return identifier_at(r, vaddr, true, &name) > 0;
}

static __u64 find_slots(const struct reader *r, __u64 slot)
{
	for (int i = 0; i < SLOTS_OF_A_TYPE_MAX; i++) {
		__u64 number = word_at(r, slot - SLOT_BYTES);

		if (!number || number > SLOT_MAX || !word_at(r, slot - SLOT_BYTES + 8))
			break;
		slot -= SLOT_BYTES;
	}
	return slot;
}

/* at is the address of a pointer to the table. */
static int find_owner(struct reader *r, __u64 at, __u64 table)
{
	__u64 module = word_at(r, at - MODULE_NAME_BACK), type = word_at(r, at - TYPE_NAME_BACK);

	if (word_at(r, at - 8) == SLOT_METHODS && r->table_of_slots.cnt < METHODS_MAX)
		return rsp_idmap_put(&r->table_of_slots, find_slots(r, at - 8), table);
	if (is_name(r, module))
		return rsp_idmap_put(&r->owner_of_table, table, module);
	if (is_name(r, type))
		return rsp_idmap_put(&r->owner_of_table, table, type);
	return 0;
}

static int find_owners(struct reader *r, const struct rsp_elf64_section *data, bool specs)
{
	int e = 0;

	for (size_t off = -data->vaddr % 8; off + 8 <= data->len && e == 0; off += 8) {
		__u64 at = data->vaddr + off, word;
		uint64_t found;

		memcpy(&word, data->data + off, sizeof(word));
		if (!word)
			continue;
		if (!specs && rsp_idmap_get(&r->owner_of_table, word, &found))
			e = find_owner(r, at, word);
		else if (specs && rsp_idmap_get(&r->table_of_slots, word, &found) &&
			 is_name(r, word_at(r, at - SPEC_NAME_BACK)))
			e = rsp_idmap_put(&r->owner_of_table, found,
					  word_at(r, at - SPEC_NAME_BACK));
	}
	return e;
}

/* --------------------------------------------------------------------------------------------- */

static int search(struct reader *r)
{
	int e = 0;

	for (size_t i = 0; i < r->segment_cnt && e == 0; i++)
		if (r->segments[i].writable)
			e = find_tables(r, &r->segments[i].bytes);
	if (!r->methods.cnt)
		return e;
	for (int specs = 0; specs < 2; specs++)
		for (size_t i = 0; i < r->segment_cnt && e == 0; i++)
			if (r->segments[i].writable)
				e = find_owners(r, &r->segments[i].bytes, specs);
	return e;
}

static int read_entries(struct reader *r)
{
	struct rsp_elf64_section section = {0};
	int e = rsp_elf64_eh_frame(r->elf, &section);

	if (e == 0)
		e = rsp_unwind_entries_read(r->elf, &section, &r->entries);
	free(section.data);
	return e;
}

/* The name is "sleep()" if the module or type is unknown. */
static void put_name(const struct reader *r, const struct method *method, FILE *f)
{
	const char *owner, *name = "";
	uint64_t at = 0;
	size_t owner_len, name_len = identifier_at(r, method->name, false, &name);

	rsp_idmap_get(&r->owner_of_table, method->table, &at);
	owner_len = identifier_at(r, at, true, &owner);
	if (owner_len)
		fprintf(f, "%.*s.", (int)owner_len, owner);
	fprintf(f, "%.*s()", (int)name_len, name);
	fputc('\0', f);
}

static int add_methods(struct rsp_elfsyms *e, const struct reader *r)
{
	_cleanup_free_ char *names = NULL;
	size_t len = 0, base, off = 0;
	FILE *f = open_memstream(&names, &len);
	int ret = 0;

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < r->methods.cnt; i++)
		put_name(r, &r->methods.v[i], f);
	if (fclose(f) != 0)
		return -ENOMEM;
	ret = rsp_elfsyms_add_names(e, names, len, &base);
	for (size_t i = 0; i < r->methods.cnt && ret == 0; i++) {
		ret = rsp_elfsyms_add_function(e, r->methods.v[i].vaddr, r->methods.v[i].end,
					       base + off);
		off += strlen(names + off) + 1;
	}
	return ret < 0 ? ret : (int)r->methods.cnt;
}

int rsp_pymethods_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf)
{
	_cleanup_(reader_done) struct reader reader = {.elf = elf};
	int r;

	r = read_segments(&reader);
	if (r == 0)
		r = read_entries(&reader);
	if (r == 0)
		r = relocate(&reader);
	if (r == 0)
		r = search(&reader);
	if (r < 0)
		return r == -ENODATA ? 0 : r;
	return reader.methods.cnt ? add_methods(e, &reader) : 0;
}
