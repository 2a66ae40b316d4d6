/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile -> a flame graph: as text that other tools read ("folded"), or as a picture (SVG) that
 * a browser lets the user zoom and search. Names in a profile are strangers' bytes: both writers
 * make them fit for their format.
 */
#ifndef RSP_LIB_FLAME_H
#define RSP_LIB_FLAME_H

#include <stdio.h>

#include "lib/profile/profile.h"

enum rsp_flame_colours {
	RSP_FLAME_BY_KIND, /* of frame: user, kernel, wait, waker; running or waiting */
	RSP_FLAME_BY_NAME, /* a hash of the name selects the shade; the kind selects the hue */
};

#define RSP_FLAME_WIDTH_DEFAULT	    1200
#define RSP_FLAME_MIN_WIDTH_DEFAULT 0.1

struct rsp_flame_options {
	const char *title;
	const char *subtitle; /* a second line, or NULL */
	const char *warning;  /* what is missing from the graph, or NULL */
	const char *empty;    /* shown in place of a graph without frames */
	const char *events;   /* what cnt of a node counts: "samples" */
	enum rsp_flame_colours colours;
	bool inverted; /* the root is at the top (icicle graph) */
	/* Of each node: its weight before. Colours then show growth. NULL: the graph has one side.
	 */
	const __u64 *before;
	double min_width; /* in pixels of the unzoomed picture; narrower frames are left out */
};

/*
 * Writes a line for each stack: its frames from the root on, separated by ';', a blank, the weight.
 * A space in a name becomes '_' and a ';' becomes ':'; names of kernel frames end in "_[k]". 0;
 * -ENOMEM; -errno of the stream.
 */
int rsp_flame_folded(const struct rsp_profile *p, FILE *out);

/*
 * The same with two weights, before and after, as difffolded.pl writes them for flamegraph.pl.
 * before: of each node, beside its self.
 */
int rsp_flame_folded_sides(const struct rsp_profile *p, const __u64 *before, FILE *out);

/* Writes a picture that needs no other file. Returns as above. */
int rsp_flame_svg(const struct rsp_profile *p, const struct rsp_flame_options *opt, FILE *out);

#endif
