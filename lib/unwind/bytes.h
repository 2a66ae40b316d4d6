/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads values in the encodings of DWARF from untrusted bytes. A read beyond the end returns 0,
 * sets bad, and moves the reader to the end. So the caller can check bad once after several reads.
 */
#ifndef RSP_LIB_UNWIND_BYTES_H
#define RSP_LIB_UNWIND_BYTES_H

#include <dwarf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct rsp_bytes {
	const __u8 *p, *end;
	bool bad;
};

static inline size_t rsp_bytes_left(const struct rsp_bytes *b)
{
	return (size_t)(b->end - b->p);
}

/* Returns NULL if fewer than len bytes are left. */
static inline const __u8 *rsp_bytes_take(struct rsp_bytes *b, __u64 len)
{
	const __u8 *p = b->p;

	if (len > rsp_bytes_left(b)) {
		b->p = b->end;
		b->bad = true;
		return NULL;
	}
	b->p += len;
	return p;
}

/* Reads a little-endian number. len is at most 8. */
static inline __u64 rsp_bytes_uint(struct rsp_bytes *b, size_t len)
{
	const __u8 *p = rsp_bytes_take(b, len);
	__u64 value = 0;

	if (p)
		memcpy(&value, p, len);
	return value;
}

static inline __s64 rsp_bytes_sint(struct rsp_bytes *b, size_t len)
{
	unsigned int unused = 64 - 8 * (unsigned int)len;

	return (__s64)(rsp_bytes_uint(b, len) << unused) >> unused;
}

/* Reads a LEB128 number. Bits beyond the 64th are dropped. */
static inline __u64 rsp_bytes_leb(struct rsp_bytes *b, bool is_signed)
{
	unsigned int shift = 0;
	__u64 value = 0, byte;

	do {
		byte = rsp_bytes_uint(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && (byte & 0x40) && shift < 64)
		value |= ~0ULL << shift;
	return value;
}

static inline __u64 rsp_bytes_uleb(struct rsp_bytes *b)
{
	return rsp_bytes_leb(b, false);
}

static inline __s64 rsp_bytes_sleb(struct rsp_bytes *b)
{
	return (__s64)rsp_bytes_leb(b, true);
}

/* The low bits of the encoding (DW_EH_PE_*) define the format. Does not add the base. */
static inline __u64 rsp_bytes_encoded(struct rsp_bytes *b, __u8 encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return rsp_bytes_uint(b, 8);
	case DW_EH_PE_udata2:
		return rsp_bytes_uint(b, 2);
	case DW_EH_PE_udata4:
		return rsp_bytes_uint(b, 4);
	case DW_EH_PE_sdata2:
		return (__u64)rsp_bytes_sint(b, 2);
	case DW_EH_PE_sdata4:
		return (__u64)rsp_bytes_sint(b, 4);
	case DW_EH_PE_uleb128:
		return rsp_bytes_uleb(b);
	case DW_EH_PE_sleb128:
		return (__u64)rsp_bytes_sleb(b);
	default:
		b->bad = true;
		return 0;
	}
}

/*
 * Reads a pointer that is stored at address vaddr. Sets bad if only the running process knows the
 * base.
 */
static inline __u64 rsp_bytes_pointer(struct rsp_bytes *b, __u8 encoding, __u64 vaddr)
{
	__u64 value = rsp_bytes_encoded(b, encoding);
	__u8 relation = encoding & 0xf0;

	if (relation == DW_EH_PE_pcrel)
		value += vaddr;
	else if (relation != DW_EH_PE_absptr)
		b->bad = true;
	return value;
}

#endif
