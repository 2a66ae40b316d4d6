/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symcopy.h. */
#include "lib/symbols/symcopy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/binary.h"

/*
 * Level 3 makes the copies a tenth smaller than level 1 and takes the same time, because reading
 * the symbols takes most of the time.
 */
#define LEVEL 3

struct text {
	char *v;
	size_t len, cap;
	const struct rsp_elf_code *code;
};

static int reserve(struct text *text, size_t len)
{
	size_t cap = text->cap ? text->cap * 2 : 65536;
	char *v;

	if (len > RSP_SYMCOPY_MAP_BYTES_MAX - text->len)
		return -EFBIG;
	if (text->len + len <= text->cap)
		return 0;
	if (cap < text->len + len)
		cap = text->len + len;
	v = realloc(text->v, cap);
	if (!v)
		return -ENOMEM;
	text->v = v;
	text->cap = cap;
	return 0;
}

/*
 * Only a hostile file has a name with a line break, which can only cause false names of its own
 * code.
 */
static int add_line(__u64 start, __u64 end, const char *name, void *userdata)
{
	struct text *text = userdata;
	size_t name_len = strlen(name);
	char numbers[40];
	size_t len;
	__u64 off;
	int r;

	if (!rsp_elf_code_off(text->code, start, &off))
		return 0;
	len = (size_t)snprintf(numbers, sizeof(numbers), "%llx %llx ", off, end - start);
	r = reserve(text, len + name_len + 1);
	if (r < 0)
		return r;
	memcpy(text->v + text->len, numbers, len);
	memcpy(text->v + text->len + len, name, name_len);
	text->len += len + name_len + 1;
	text->v[text->len - 1] = '\n';
	return 0;
}

static int compress(const struct text *text, void **ret, size_t *ret_len)
{
	size_t bound = ZSTD_compressBound(text->len), len;
	_cleanup_free_ void *bytes = malloc(bound);

	if (!bytes)
		return -ENOMEM;
	len = ZSTD_compress(bytes, bound, text->v, text->len, LEVEL);
	if (ZSTD_isError(len))
		return -ENOMEM;
	if (len > RSP_SYMCOPY_BYTES_MAX)
		return -EFBIG;
	*ret = rsp_take_ptr(bytes);
	*ret_len = len;
	return 0;
}

int rsp_symcopy_make(int fd, void **ret, size_t *ret_len)
{
	_cleanup_(rsp_binary_done) struct rsp_binary binary;
	struct text text = {.code = &binary.code};
	int r = rsp_binary_open_alone(fd, &binary);

	if (r == 0)
		r = rsp_elfsyms_each(binary.symbols, add_line, &text);
	if (r == 0)
		r = text.len ? compress(&text, ret, ret_len) : -ENODATA;
	free(text.v);
	return r;
}
