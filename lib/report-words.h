/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How reports and findings speak of categories, so that they speak alike. */
#ifndef RSP_LIB_REPORT_WORDS_H
#define RSP_LIB_REPORT_WORDS_H

#include "explain.h"

struct rsp_words {
	const char *name;   /* of its row in the table; rsp_category_text() explains it */
	const char *doing;  /* "waiting for the disk": after "was", and after "spent 3 s" */
	const char *label;  /* what a list of its objects or functions is called: "hottest" */
	const char *object; /* joins doing and one object: ", taken by " */
	const char *colour; /* SGR parameters */
	const char *mark;   /* " (inferred)", " (unknown)"; "" what was measured */
};

const struct rsp_words *rsp_category_words(enum rsp_category cat);

#endif
