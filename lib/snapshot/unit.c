/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See unit.h. */
#include "lib/snapshot/unit.h"

#include <stdbool.h>
#include <string.h>

#include "lib/snapshot/container.h"

static bool ends_with(const char *s, size_t len, const char *suffix)
{
	size_t suffix_len = strlen(suffix);

	return len > suffix_len && memcmp(s + len - suffix_len, suffix, suffix_len) == 0;
}

static bool is_unit(const char *s, size_t len)
{
	static const char *const types[] = {".service", ".scope", ".socket", ".mount", ".swap"};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (ends_with(s, len, types[i]))
			return true;
	return false;
}

/* Finds the outermost unit, which is directly below the slices of systemd. */
static void find_unit(const char *path, struct rsp_unit *ret)
{
	size_t at = 0;

	while (path[at] == '/') {
		size_t off = at + 1, len = strcspn(path + off, "/");

		if (is_unit(path + off, len)) {
			*ret = (struct rsp_unit){off, len, off + len};
			return;
		}
		if (!ends_with(path + off, len, ".slice"))
			return;
		at = off + len;
	}
}

void rsp_unit_of_path(const char *path, struct rsp_unit *ret)
{
	struct rsp_container container;
	size_t len;

	*ret = (struct rsp_unit){0};
	find_unit(path, ret);
	if (rsp_container_of_path(path, &container, &len) && len > ret->group_len)
		ret->group_len = len;
	if (!ret->group_len)
		ret->group_len = strlen(path);
}
