/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes values from the fuzzer's bytes. When no bytes are left, all further values are zero. */
#ifndef RSP_TESTS_FUZZ_INPUT_H
#define RSP_TESTS_FUZZ_INPUT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

struct input {
	const __u8 *bytes;
	size_t len; /* bytes left */
};

/* Checks a property that must hold for any input. */
#define must(holds) ((holds) ? (void)0 : fail(__FILE__, __LINE__, #holds))

static inline _Noreturn void fail(const char *file, int line, const char *property)
{
	fprintf(stderr, "%s:%d: ERROR: does not hold: %s\n", file, line, property);
	abort();
}

static inline void take(struct input *in, void *ret, size_t len)
{
	size_t n = len < in->len ? len : in->len;

	memset(ret, 0, len);
	if (n == 0)
		return;
	memcpy(ret, in->bytes, n);
	in->bytes += n;
	in->len -= n;
}

static inline __u8 take_u8(struct input *in)
{
	__u8 n;

	take(in, &n, sizeof(n));
	return n;
}

static inline __u16 take_u16(struct input *in)
{
	__u16 n;

	take(in, &n, sizeof(n));
	return n;
}

static inline __u32 take_u32(struct input *in)
{
	__u32 n;

	take(in, &n, sizeof(n));
	return n;
}

static inline __u64 take_u64(struct input *in)
{
	__u64 n;

	take(in, &n, sizeof(n));
	return n;
}

/* Usually returns one of 16 values, so that several records refer to the same ID. */
static inline __u64 take_id(struct input *in)
{
	__u8 n = take_u8(in);

	return n < 0xf8 ? n & 15 : take_u64(in);
}

static inline __u32 take_tid(struct input *in)
{
	return (__u32)take_id(in);
}

/*
 * Takes the length of the text first, then its bytes, and appends a NUL. The length is below size.
 */
static inline void take_text(struct input *in, char *ret, size_t size)
{
	size_t len = take_u8(in) % size;

	take(in, ret, len);
	ret[len] = '\0';
}

#endif
