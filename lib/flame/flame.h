/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a profile to a flame graph: either text that other tools read ("folded"), or a picture
 * (SVG) that the user can zoom and search in a browser. Names in a profile may contain any bytes.
 * Both writers escape or replace the bytes that their format does not allow.
 */
#ifndef RSP_LIB_FLAME_H
#define RSP_LIB_FLAME_H

#include <stdio.h>

#include "lib/profile/profile.h"

enum rsp_flame_colours {
	/* The kind of the frame selects the color: user, kernel, wait, waker; running, waiting. */
	RSP_FLAME_BY_KIND,
	/* The kind of the frame selects the hue, and a hash of the name selects the shade. */
	RSP_FLAME_BY_NAME,
};

#define RSP_FLAME_WIDTH		    1200
#define RSP_FLAME_MIN_WIDTH_DEFAULT 0.1

struct rsp_flame_options {
	const char *title;
	const char *subtitle; /* second line, or NULL */
	const char *warning;  /* line about missing data, or NULL */
	const char *empty;    /* text to show if the graph has no frames */
	const char *events;   /* word for the events that cnt of a node counts: "samples" */
	enum rsp_flame_colours colours;
	bool inverted;	     /* root at the top (icicle graph) */
	bool embedded;	     /* the picture is an element of an HTML page */
	const __u64 *before; /* per node: earlier weight; colors show growth. NULL: no comparison */
	double min_width;    /* pixels of the unzoomed picture; narrower frames are left out */
};

/*
 * Writes one line per stack: its frames from the root on, separated by ';', then a space and the
 * weight. A space in a name becomes '_' and a ';' becomes ':'. Names of kernel frames end in
 * "_[k]". Returns 0, -ENOMEM, or -errno of the stream.
 */
int rsp_flame_folded(const struct rsp_profile *p, FILE *out);

/*
 * Writes folded stacks with two weights, before and after, like difffolded.pl for flamegraph.pl.
 * before contains the earlier weight of each node; self of a node is the later weight.
 */
int rsp_flame_folded_sides(const struct rsp_profile *p, const __u64 *before, FILE *out);

/* Writes a picture that needs no other file. Returns 0, -ENOMEM, or -errno of the stream. */
int rsp_flame_svg(const struct rsp_profile *p, const struct rsp_flame_options *opt, FILE *out);

#endif
