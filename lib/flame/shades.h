/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines the class and the legend text of the boxes of a flame graph. */
#ifndef RSP_LIB_FLAME_SHADES_H
#define RSP_LIB_FLAME_SHADES_H

#include "lib/profile/profile.h"

enum rsp_shade {
	RSP_SHADE_NAME, /* name of a process or thread */
	RSP_SHADE_USER, /* frame in which threads run */
	RSP_SHADE_KERNEL,
	RSP_SHADE_USER_OFF, /* frame in which threads wait */
	RSP_SHADE_KERNEL_OFF,
	RSP_SHADE_USER_BOTH, /* frame in which threads run and wait */
	RSP_SHADE_KERNEL_BOTH,
	RSP_SHADE_WAIT,
	RSP_SHADE_DISK,
	RSP_SHADE_QUEUE,
	RSP_SHADE_NETWORK,
	RSP_SHADE_CPU,
	RSP_SHADE_WAKER,
	RSP_SHADE_NOTE,
	RSP_SHADE_MAX,
};

/* off: the part of total in which threads had no CPU. */
enum rsp_shade rsp_shade_of(enum rsp_profile_ink ink, __u64 off, __u64 total);
const char *rsp_shade_class(enum rsp_shade shade);
const char *rsp_shade_words(enum rsp_shade shade); /* "": not in the legend */

/* Writes a style attribute. A hash of the name selects a color of the shade. */
#define RSP_SHADE_FILL_MAX 40
void rsp_shade_fill(enum rsp_shade shade, const char *name, char ret[static RSP_SHADE_FILL_MAX]);

/*
 * Writes a style attribute with red for growth and blue for shrinkage. most: the largest change in
 * the graph.
 */
void rsp_shade_growth(__u64 after, __u64 before, __u64 most, char ret[static RSP_SHADE_FILL_MAX]);

#endif
