/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See entries.h. */
#include "lib/unwind/entries.h"

#include <dwarf.h>
#include <stdlib.h>

#include "lib/base/array.h"

/* Linkers merge equal CIEs, so a program has about ten. */
#define CIE_CNT_MAX 65536

struct reader {
	const struct rsp_elf64 *elf;
	const struct rsp_elf64_section *section;
	struct rsp_unwind_entries entries;
};

static __u64 offset_of(const struct reader *reader, const __u8 *p)
{
	return (__u64)(p - reader->section->data);
}

/* --- common information ----------------------------------------------------------------------- */

/*
 * The augmentation string describes the data. If the string begins with 'z', the data begin with
 * their length, so that data of an unknown letter can be skipped.
 */
static void read_augmentation(struct rsp_unwind_cie *cie, const __u8 *string, struct rsp_bytes data)
{
	for (; *string && !data.bad; string++) {
		switch (*string) {
		case 'R':
			cie->encoding = (__u8)rsp_bytes_uint(&data, 1);
			break;
		case 'P':
			rsp_bytes_encoded(&data, (__u8)rsp_bytes_uint(&data, 1));
			break;
		case 'L':
			rsp_bytes_uint(&data, 1);
			break;
		case 'S':
			cie->is_signal_frame = true;
			break;
		default:
			return;
		}
	}
	cie->bad |= data.bad;
}

static const __u8 *take_string(struct rsp_bytes *b)
{
	const __u8 *end = memchr(b->p, 0, rsp_bytes_left(b));

	return rsp_bytes_take(b, end ? (__u64)(end + 1 - b->p) : rsp_bytes_left(b) + 1);
}

static void run_initial(struct rsp_unwind_cie *cie, struct rsp_bytes program)
{
	struct rsp_cfi cfi = {.program = program, .factors = cie->factors};
	__u64 bytes;

	/* A CIE belongs to no code, so its instructions must not advance the location. */
	if (rsp_cfi_step(&cfi, &bytes) || cfi.program.bad)
		cie->bad = true;
	cie->initial = cfi.now;
}

/*
 * b: the bytes after the id. A damaged CIE is kept and marked as bad, to show that the code of its
 * entries has no usable rule.
 */
static struct rsp_unwind_cie parse_cie(struct rsp_bytes b, __u32 off)
{
	struct rsp_unwind_cie cie = {.off = off, .encoding = DW_EH_PE_absptr};
	__u8 version = (__u8)rsp_bytes_uint(&b, 1);
	const __u8 *augmentation = take_string(&b), *data;
	__u64 ra_reg, len;

	cie.factors.code = rsp_bytes_uleb(&b);
	cie.factors.data = rsp_bytes_sleb(&b);
	ra_reg = version == 1 ? rsp_bytes_uint(&b, 1) : rsp_bytes_uleb(&b);
	if (b.bad || (version != 1 && version != 3) || ra_reg != RSP_CFI_REG_RA ||
	    (*augmentation && *augmentation != 'z')) {
		cie.bad = true;
		return cie;
	}
	if (*augmentation) {
		cie.has_augmentation = true;
		len = rsp_bytes_uleb(&b);
		data = rsp_bytes_take(&b, len);
		if (data)
			read_augmentation(&cie, augmentation + 1,
					  (struct rsp_bytes){data, data + len, false});
	}
	cie.bad |= b.bad;
	if (!cie.bad)
		run_initial(&cie, b);
	return cie;
}

static int add_cie(struct reader *reader, struct rsp_bytes b, __u32 off)
{
	struct rsp_unwind_cie *cie;

	if (reader->entries.cies.cnt == CIE_CNT_MAX)
		return -E2BIG;
	cie = rsp_array_add(&reader->entries.cies);
	if (!cie)
		return -ENOMEM;
	*cie = parse_cie(b, off);
	return 0;
}

static int compare_off(const void *off, const void *cie)
{
	__u32 a = *(const __u32 *)off, b = ((const struct rsp_unwind_cie *)cie)->off;

	return a < b ? -1 : a > b;
}

/*
 * Searches only CIEs that were already read, so no entry can refer to itself or to a later entry.
 */
static const struct rsp_unwind_cie *find_cie(const struct rsp_unwind_entries *entries, __u32 off)
{
	size_t last = entries->cies.cnt - 1;

	if (!entries->cies.cnt)
		return NULL;
	if (entries->cies.v[last].off == off)
		return &entries->cies.v[last];
	return bsearch(&off, entries->cies.v, entries->cies.cnt, sizeof(*entries->cies.v),
		       compare_off);
}

/* --- functions -------------------------------------------------------------------------------- */

/*
 * b: the bytes after the pointer to the CIE. Returns false if the entry is damaged, or is not for
 * code of this file.
 */
static bool parse_fde(const struct reader *reader, const struct rsp_unwind_cie *cie,
		      struct rsp_bytes b, struct rsp_unwind_fde *ret)
{
	__u64 vaddr, len;

	vaddr = rsp_bytes_pointer(&b, cie->encoding,
				  reader->section->vaddr + offset_of(reader, b.p));
	len = rsp_bytes_encoded(&b, cie->encoding);
	if (b.bad || !rsp_elf64_find_code(reader->elf, vaddr, len, &ret->start, &ret->end))
		return false;
	if (cie->has_augmentation)
		rsp_bytes_take(&b, rsp_bytes_uleb(&b));
	ret->cie = (__u32)(cie - reader->entries.cies.v);
	ret->program_off = (__u32)offset_of(reader, b.p);
	ret->program_len = (__u32)rsp_bytes_left(&b);
	return true;
}

static int add_fde(struct reader *reader, struct rsp_bytes b, __u32 cie_off)
{
	const struct rsp_unwind_cie *cie = find_cie(&reader->entries, cie_off);
	struct rsp_unwind_fde fde = {.kind = RSP_FDE_CFI}, *new;

	if (!cie || !parse_fde(reader, cie, b, &fde))
		return 0;
	new = rsp_array_add(&reader->entries.fdes);
	if (!new)
		return -ENOMEM;
	*new = fde;
	return 0;
}

/* --- the section ------------------------------------------------------------------------------ */

/* b: the bytes after the length of the entry. */
static int add_entry(struct reader *reader, struct rsp_bytes b)
{
	__u32 off = (__u32)offset_of(reader, b.p);
	__u32 id = (__u32)rsp_bytes_uint(&b, 4);

	if (b.bad)
		return -EBADMSG;
	/*
	 * id is 0 for a CIE. For any other entry, id is the distance from the id back to the length
	 * field of the entry's CIE.
	 */
	if (id == 0)
		return add_cie(reader, b, off - 4);
	return id <= off ? add_fde(reader, b, off - id) : 0;
}

static int read_all(struct reader *reader)
{
	const __u8 *data = reader->section->data;
	struct rsp_bytes b = {data, data + reader->section->len, false};
	int r = 0;

	while (r == 0 && rsp_bytes_left(&b)) {
		__u32 len = (__u32)rsp_bytes_uint(&b, 4);
		const __u8 *entry = rsp_bytes_take(&b, len);

		if (!entry)
			return -EBADMSG;
		if (!len)
			break; /* the end mark, from crtend.o of the C runtime */
		r = add_entry(reader, (struct rsp_bytes){entry, entry + len, false});
	}
	return r;
}

static int compare_fdes(const void *pa, const void *pb)
{
	const struct rsp_unwind_fde *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->program_off < b->program_off ? -1 : a->program_off > b->program_off;
}

void rsp_unwind_entries_sort(struct rsp_unwind_entries *entries)
{
	if (entries->fdes.cnt)
		qsort(entries->fdes.v, entries->fdes.cnt, sizeof(*entries->fdes.v), compare_fdes);
}

int rsp_unwind_entries_read(const struct rsp_elf64 *elf, const struct rsp_elf64_section *section,
			    struct rsp_unwind_entries *ret)
{
	struct reader reader = {.elf = elf, .section = section};
	int r = read_all(&reader);

	if (r < 0) {
		rsp_unwind_entries_done(&reader.entries);
		return r;
	}
	rsp_unwind_entries_sort(&reader.entries);
	*ret = reader.entries;
	return 0;
}

void rsp_unwind_entries_done(struct rsp_unwind_entries *entries)
{
	free(entries->cies.v);
	free(entries->fdes.v);
	*entries = (struct rsp_unwind_entries){0};
}
