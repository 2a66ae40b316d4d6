/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See perfmap.h. */
#include "lib/symbols/perfmap.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/array.h"

/*
 * Maximum length of a name; longer names are cut. A name may contain a whole signature and the path
 * of the source.
 */
#define NAME_LEN_MAX 1000

struct function {
	__u64 start, end;
	__u32 name_off; /* also shows the order of lines: later lines have larger offsets */
};

struct rsp_perfmap {
	struct {
		struct function *v;
		size_t cnt, cap;
	} functions; /* by start */
	char *names;
	size_t name_bytes;
};

/* Reads a hexadecimal number and the space after it. */
static bool read_number(const char **p, const char *end, __u64 *ret)
{
	const char *s = *p;
	__u64 n = 0;

	if (end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	for (*p = s; s < end && isxdigit((unsigned char)*s); s++) {
		if (n >> 60)
			return false;
		n = n << 4 | (__u64)(isdigit((unsigned char)*s) ? *s - '0' : (*s | 32) - 'a' + 10);
	}
	if (s == *p || s == end || *s != ' ')
		return false;
	*ret = n;
	*p = s + 1;
	return true;
}

static int read_line(struct rsp_perfmap *map, const char *line, const char *end)
{
	struct function *slot;
	__u64 start, size;
	size_t len;

	if (!read_number(&line, end, &start) || !read_number(&line, end, &size))
		return 0;
	len = (size_t)(end - line);
	if (!len || !size || size > UINT64_MAX - start)
		return 0;
	if (len > NAME_LEN_MAX)
		len = NAME_LEN_MAX;
	slot = rsp_array_add(&map->functions);
	if (!slot)
		return -ENOMEM;
	*slot = (struct function){start, start + size, (__u32)map->name_bytes};
	memcpy(map->names + map->name_bytes, line, len);
	map->names[map->name_bytes + len] = '\0';
	map->name_bytes += len + 1;
	return 0;
}

/*
 * Orders functions by start. Among functions with the same start, the one from the latest line
 * comes first.
 */
static int compare_functions(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name_off > b->name_off ? -1 : a->name_off < b->name_off;
}

static void sort_functions(struct rsp_perfmap *map)
{
	size_t kept = 0;

	if (!map->functions.cnt)
		return;
	qsort(map->functions.v, map->functions.cnt, sizeof(*map->functions.v), compare_functions);
	for (size_t i = 1; i < map->functions.cnt; i++)
		if (map->functions.v[i].start != map->functions.v[kept].start)
			map->functions.v[++kept] = map->functions.v[i];
	map->functions.cnt = kept + 1;
}

int rsp_perfmap_parse(const char *text, size_t len, struct rsp_perfmap **ret)
{
	struct rsp_perfmap *map;
	const char *end = text + len;
	int r = 0;

	if (len >= UINT32_MAX)
		return -E2BIG;
	map = calloc(1, sizeof(*map));
	if (!map)
		return -ENOMEM;
	/*
	 * Each name with its NUL is not longer than its line with the newline. Only the last line
	 * may lack a newline, so one more byte is needed.
	 */
	map->names = malloc(len + 1);
	if (!map->names)
		r = -ENOMEM;
	for (const char *line = text, *next; line < end && r == 0; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		r = read_line(map, line, next);
	}
	if (r < 0) {
		rsp_perfmap_free(map);
		return r;
	}
	sort_functions(map);
	*ret = map;
	return 0;
}

struct rsp_perfmap *rsp_perfmap_free(struct rsp_perfmap *map)
{
	if (!map)
		return NULL;
	free(map->functions.v);
	free(map->names);
	free(map);
	return NULL;
}

const char *rsp_perfmap_lookup(const struct rsp_perfmap *map, __u64 addr)
{
	size_t lo = 0, hi = map->functions.cnt;

	/* At the end, lo is the index of the first function after addr. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (map->functions.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr >= map->functions.v[lo - 1].end)
		return NULL;
	return map->names + map->functions.v[lo - 1].name_off;
}
