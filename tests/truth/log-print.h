/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the logs of all tasks (log.h). */
#ifndef TESTS_TRUTH_LOG_PRINT_H
#define TESTS_TRUTH_LOG_PRINT_H

#include <stdio.h>

#include "tests/truth/log.h"

void log_print(FILE *f, const struct plan *plan, const struct log_task *logs);

#endif
