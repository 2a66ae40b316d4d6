/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks functions by how well they name the place of a wait or the activity of a run. Views with
 * whole stacks do not use the ranks.
 */
#ifndef RSP_LIB_REPORT_FRAME_RULES_H
#define RSP_LIB_REPORT_FRAME_RULES_H

#include "lib/trace/trace.h"

/* Ranks, best first. */
enum rsp_frame_rank {
	RSP_FRAME_INFORMATIVE, /* names the place */
	/* a function of a script that calls the interpreter directly: names the place */
	RSP_FRAME_SCRIPT,
	/* main(): names the place if no function that it called does */
	RSP_FRAME_ENTRY,
	RSP_FRAME_RUNTIME, /* function of a runtime: names the place if none of its callers does */
	/*
	 * The loop of an interpreter, which runs one function of a script. The time of this
	 * function must not be attributed to the callers of the loop.
	 */
	RSP_FRAME_INTERPRETER,
	/*
	 * functions by which a runtime waits or calls: name the place only if no other frame does
	 */
	RSP_FRAME_MACHINERY,
	RSP_FRAME_PLUMBING, /* never names the place: all stacks of some kind contain it */
};

enum rsp_frame_question {
	RSP_FRAME_OF_WAIT, /* the place of a wait */
	RSP_FRAME_OF_RUN,  /* the activity of a run */
};

/* Returns the rank of a frame. Only the rule "*" of its module matches a frame without a name. */
enum rsp_frame_rank rsp_frame_rank(const struct rsp_frame *f, enum rsp_frame_question question);

#endif
