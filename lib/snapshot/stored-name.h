/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of snapshot files in the recorder's store: ID.rsp, or ID.SLO.rsp if an SLO triggered the
 * snapshot. Files with other names do not belong to the store.
 */
#ifndef RSP_LIB_STORED_NAME_H
#define RSP_LIB_STORED_NAME_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct rsp_stored_name {
	char id[40];  /* lower-case hex digits, at least one */
	char slo[64]; /* name of the SLO; "": a user requested the snapshot */
};

static inline bool rsp_stored_part(const char *s, size_t len, const char *accept, char *ret,
				   size_t size)
{
	if (len == 0 || len >= size || strspn(s, accept) < len)
		return false;
	memcpy(ret, s, len);
	ret[len] = '\0';
	return true;
}

/*
 * Parses the name of a file. Returns 0; -EINVAL: the file is not a stored snapshot, and *ret is
 * undefined.
 */
static inline int rsp_stored_name_parse(const char *file, struct rsp_stored_name *ret)
{
	static const char slo_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-";
	const char *dot = strchr(file, '.'), *end = strrchr(file, '.');

	if (!dot || strcmp(end, ".rsp") != 0 ||
	    !rsp_stored_part(file, (size_t)(dot - file), "0123456789abcdef", ret->id,
			     sizeof(ret->id)))
		return -EINVAL;
	ret->slo[0] = '\0';
	if (dot == end)
		return 0;
	dot++;
	return rsp_stored_part(dot, (size_t)(end - dot), slo_letters, ret->slo, sizeof(ret->slo))
		       ? 0
		       : -EINVAL;
}

#endif
