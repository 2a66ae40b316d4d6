/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a profile to a flame graph: either text that other tools read ("folded"), or a picture
 * (SVG) that the user can zoom and search in a browser. Names in a profile may contain any bytes.
 */
#ifndef RSP_LIB_FLAME_H
#define RSP_LIB_FLAME_H

#include <stdio.h>

#include "lib/profile/profile.h"

enum rsp_flame_colours {
	/* by the kind of a frame, such as user or kernel, and by whether it runs or waits */
	RSP_FLAME_BY_KIND,
	/* hue by the kind of the frame, shade by a hash of its name */
	RSP_FLAME_BY_NAME,
};

#define RSP_FLAME_WIDTH		    1200
#define RSP_FLAME_MIN_WIDTH_DEFAULT 0.1

struct rsp_flame_options {
	const char *title;
	const char *subtitle; /* second line of text, or NULL */
	const char *warning;  /* line about missing data, or NULL */
	const char *empty;    /* text in place of a graph without frames */
	const char *events;   /* name of the events that nodes count, like "samples" */
	enum rsp_flame_colours colours;
	bool inverted;	     /* root at the top (icicle graph) */
	bool embedded;	     /* the picture is an element of an HTML page */
	const __u64 *before; /* per node: earlier weight, for colors of growth; or NULL */
	double min_width;    /* in pixels, unzoomed; narrower frames are left out */
};

/*
 * Writes one line per stack: its frames from the root on, separated by ';', then a space and the
 * weight. A space in a name becomes '_', and a ';' becomes ':'. Names of kernel frames end in
 * "_[k]". Returns 0, -ENOMEM, or -errno of the stream.
 */
int rsp_flame_folded(const struct rsp_profile *p, FILE *out);

/*
 * Writes folded stacks with two weights, before and after, like difffolded.pl for flamegraph.pl.
 * before: the earlier weight of each node. Returns 0, -ENOMEM, or -errno of the stream.
 */
int rsp_flame_folded_sides(const struct rsp_profile *p, const __u64 *before, FILE *out);

/* The picture needs no other file. Returns 0, -ENOMEM, or -errno of the stream. */
int rsp_flame_svg(const struct rsp_profile *p, const struct rsp_flame_options *opt, FILE *out);

#endif
