/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the files are that name places (places.h), and how much may be read of them. */
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
	__u64 effort;	/* effort left for DWARF of all files; see inlines.h */
};

#endif
