/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the activities of the last hops of chains into classes, such as computing and waiting for
 * the disk.
 */
#ifndef RSP_LIB_FINDINGS_CLASS_H
#define RSP_LIB_FINDINGS_CLASS_H

#include <stdio.h>

#include "lib/report/findings-cover.h"

/*
 * Returns whether the chain ends in a different task than it begins, and this last task ran, waited
 * for a CPU, slept, waited for a timeout, was stopped, or was not recorded.
 */
bool rsp_class_is_wait(const struct rsp_cover *t);
/*
 * Writes the activities of the selected chains, like "computing (312 samples: lex 61 % ± 3 %)".
 * Returns 0 or -ENOMEM.
 */
int rsp_put_activities(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s);

#endif
