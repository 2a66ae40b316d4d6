/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks functions: some name the place of a wait or of computing, others only lead there. Views
 * with whole stacks do not use the ranks.
 */
#ifndef RSP_LIB_REPORT_FRAME_RULES_H
#define RSP_LIB_REPORT_FRAME_RULES_H

#include "lib/trace/trace.h"

/* Best first. */
enum rsp_frame_rank {
	RSP_FRAME_INFORMATIVE, /* names the place */
	/* names the place: a function of a script that calls the interpreter directly */
	RSP_FRAME_SCRIPT,
	RSP_FRAME_ENTRY,   /* main(): names the place if nothing inside it does, or beside
			    * another */
	RSP_FRAME_RUNTIME, /* a runtime's function: names the place if no caller does */
	/*
	 * The loop of an interpreter. It runs a function of a script, not the code of its callers.
	 * It names the place if no RSP_FRAME_SCRIPT does.
	 */
	RSP_FRAME_INTERPRETER,
	/*
	 * functions with which a runtime waits or calls: name the place only if no other frame does
	 */
	RSP_FRAME_MACHINERY,
	RSP_FRAME_PLUMBING, /* never names the place: every stack of its kind contains it */
};

enum rsp_frame_question {
	RSP_FRAME_OF_WAIT, /* the place of a wait */
	RSP_FRAME_OF_RUN,  /* the activity of a run */
};

/* Returns the rank of a frame that has a name. */
enum rsp_frame_rank rsp_frame_rank(const struct rsp_frame *f, enum rsp_frame_question question);

#endif
