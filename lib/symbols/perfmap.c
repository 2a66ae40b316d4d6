/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See perfmap.h. */
#include "lib/symbols/perfmap.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* A name may contain a whole signature and the path of the source. Longer names are cut. */
#define NAME_LEN_MAX 1000

struct function {
	__u64 start, end;
	__u32 name_off;
};

#define NO_NAME UINT32_MAX

/* A range ends where the next range begins; the last range has no name. */
struct range {
	__u64 start;
	__u32 name_off;
};

struct rsp_perfmap {
	struct {
		struct function *v;
		size_t cnt, cap;
	} functions; /* only while the map is parsed */
	struct {
		struct range *v;
		size_t cnt;
	} ranges; /* by start */
	char *names;
	size_t name_bytes;
};

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

static int compare_ranges(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Makes a range without a name at each address at which a function begins or ends. */
static void add_ranges(struct rsp_perfmap *map)
{
	struct range *v = map->ranges.v;
	size_t cnt = 0, kept = 0;

	if (!map->functions.cnt)
		return;
	for (size_t i = 0; i < map->functions.cnt; i++) {
		v[cnt++] = (struct range){map->functions.v[i].start, NO_NAME};
		v[cnt++] = (struct range){map->functions.v[i].end, NO_NAME};
	}
	qsort(v, cnt, sizeof(*v), compare_ranges);
	for (size_t i = 1; i < cnt; i++)
		if (v[i].start != v[kept].start)
			v[++kept] = v[i];
	map->ranges.cnt = kept + 1;
}

static size_t ranges_up_to(const struct rsp_perfmap *map, __u64 addr)
{
	size_t lo = 0, hi = map->ranges.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (map->ranges.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Returns the first range from i on that has no name. next[i] is i if range i has no name, and
 * otherwise a range up to the result.
 */
static size_t next_unnamed(size_t *next, size_t i)
{
	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

/* Names the ranges of all functions, later lines first. */
static int name_ranges(struct rsp_perfmap *map)
{
	_cleanup_free_ size_t *next = calloc(2 * map->functions.cnt + 1, sizeof(*next));

	map->ranges.v = calloc(2 * map->functions.cnt + 1, sizeof(*map->ranges.v));
	if (!map->ranges.v || !next)
		return -ENOMEM;
	add_ranges(map);
	for (size_t i = 0; i < map->ranges.cnt; i++)
		next[i] = i;
	for (size_t i = map->functions.cnt; i-- > 0;) {
		const struct function *f = &map->functions.v[i];
		size_t at = next_unnamed(next, ranges_up_to(map, f->start) - 1);

		/* The last range begins at or after f->end, and never gets a name. */
		while (map->ranges.v[at].start < f->end) {
			map->ranges.v[at].name_off = f->name_off;
			next[at] = at + 1;
			at = next_unnamed(next, at);
		}
	}
	return 0;
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
	 * Each name with its NUL is not longer than its line with the newline. The last line may
	 * lack a newline, so one more byte is needed.
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
	if (r == 0)
		r = name_ranges(map);
	free(map->functions.v);
	memset(&map->functions, 0, sizeof(map->functions));
	if (r < 0) {
		rsp_perfmap_free(map);
		return r;
	}
	*ret = map;
	return 0;
}

struct rsp_perfmap *rsp_perfmap_free(struct rsp_perfmap *map)
{
	if (!map)
		return NULL;
	free(map->ranges.v);
	free(map->names);
	free(map);
	return NULL;
}

const char *rsp_perfmap_lookup(const struct rsp_perfmap *map, __u64 addr)
{
	size_t cnt = ranges_up_to(map, addr);

	if (!cnt || map->ranges.v[cnt - 1].name_off == NO_NAME)
		return NULL;
	return map->names + map->ranges.v[cnt - 1].name_off;
}
