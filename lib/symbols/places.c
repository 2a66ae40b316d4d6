/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See places.h. */
#include "places.h"

#include <stdint.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "demangle.h"
#include "elffiles.h"
#include "elfsyms.h"

void rsp_place_names_done(struct rsp_place_names *names)
{
	rsp_intern_done(&names->strings);
	free(names->list.v);
}

const char *rsp_place_name(const struct rsp_place_names *names, const struct rsp_place *place,
			   __u32 i)
{
	return rsp_intern_data(&names->strings, names->list.v[place->first_name + i]);
}

static int open_any(const struct rsp_ev_binary *const *binaries, size_t cnt)
{
	int fd = -ENOENT;

	for (size_t i = 0; i < cnt && fd < 0; i++)
		fd = rsp_elffiles_open(binaries[i]);
	return fd;
}

static int add_name(struct rsp_place_names *names, const char *mangled, __u32 *ret)
{
	_cleanup_free_ char *plain = rsp_demangle(mangled);
	const char *name = plain ? plain : mangled;

	return rsp_intern_put(&names->strings, name, strlen(name), ret);
}

static int name_by_symbols(const struct rsp_elfsyms *e, struct rsp_place *places, size_t cnt,
			   struct rsp_place_names *names)
{
	const char *last = NULL;
	__u32 string = 0, *slot;
	int r;

	for (size_t i = 0; i < cnt; i++) {
		const char *symbol = rsp_elfsyms_lookup(e, places[i].off);

		if (!symbol)
			continue;
		/* Sorted: what lies in one function comes together. */
		if (symbol != last) {
			r = add_name(names, symbol, &string);
			if (r < 0)
				return r;
			last = symbol;
		}
		slot = rsp_array_add(&names->list);
		if (!slot)
			return -ENOMEM;
		*slot = string;
		places[i].first_name = (__u32)(names->list.cnt - 1);
		places[i].name_cnt = 1;
	}
	return 0;
}

int rsp_places_name(const struct rsp_ev_binary *const *binaries, size_t binary_cnt,
		    struct rsp_place *places, size_t cnt, struct rsp_place_names *names)
{
	_cleanup_close_ int fd = open_any(binaries, binary_cnt);
	struct rsp_elfsyms *e;
	int r;

	for (size_t i = 0; i < cnt; i++) {
		places[i].name_cnt = 0;
		places[i].function_off = RSP_PLACE_NO_FUNCTION;
	}
	if (fd < 0)
		return 0;
	r = rsp_elfsyms_load(fd, &e);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = name_by_symbols(e, places, cnt, names);
	rsp_elfsyms_free(e);
	return r;
}
