/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of names for rsp_code_places_name() (places.h), and a limit for its work. */
#ifndef RSP_LIB_PLACES_HOW_H
#define RSP_LIB_PLACES_HOW_H

#include <linux/types.h>
#include <stdbool.h>

struct rsp_debugfiles;
struct rsp_files;
struct rsp_places_how {
	const struct rsp_files *files;
	const struct rsp_debugfiles *debugfiles;
	bool elsewhere; /* see elffiles.h */
	__u64 effort;	/* remaining effort for the DWARF of all files (inlines.h) */
};

#endif
