/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private header of steps.c and steps-calls.c, which carry out the steps of a plan. */
#ifndef TESTS_TRUTH_STEPS_PARTS_H
#define TESTS_TRUTH_STEPS_PARTS_H

#include "tests/truth/steps.h"

void steps_do_one(struct world *w, unsigned int task, const struct step *s);

void steps_call(struct world *w, unsigned int task, const struct step *s);

#endif
