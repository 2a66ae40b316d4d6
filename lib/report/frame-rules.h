/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates functions: those that a developer would name as the place of a wait or of computing, and
 * those that only lead there. Whole stacks are shown whole.
 */
#ifndef RSP_LIB_REPORT_FRAME_RULES_H
#define RSP_LIB_REPORT_FRAME_RULES_H

#include "lib/trace/trace.h"

/* Best first. */
enum rsp_frame_rank {
	RSP_FRAME_TELLING, /* names it */
	RSP_FRAME_SCRIPT,  /* names it, and is what the interpreter right inside it runs */
	RSP_FRAME_ENTRY,   /* main(): names it if nothing inside it does, or beside another */
	RSP_FRAME_RUNTIME, /* a runtime's own: names it if no caller does */
	/*
	 * The loop of an interpreter. It runs a function of a script, and whoever is above it did
	 * not do that: names it as far as RSP_FRAME_SCRIPT does not.
	 */
	RSP_FRAME_INTERPRETER,
	RSP_FRAME_MACHINERY, /* how a runtime waits or calls: if there is nothing else */
	RSP_FRAME_PLUMBING,  /* never: every stack of its kind has it */
};

enum rsp_frame_question {
	RSP_FRAME_OF_WAIT, /* where does it wait? */
	RSP_FRAME_OF_RUN,  /* what does it compute? */
};

/* Of a frame that has a name. */
enum rsp_frame_rank rsp_frame_rank(const struct rsp_frame *f, enum rsp_frame_question question);

#endif
