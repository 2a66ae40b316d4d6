/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Discards output and error messages, for fuzz targets that run parts of rspctl. */
#ifndef RSP_TESTS_FUZZ_CLI_QUIET_H
#define RSP_TESTS_FUZZ_CLI_QUIET_H

#include <stdarg.h>
#include <stdio.h>

#include "cli/rspctl.h"
#include "tests/fuzz/input.h"

/* In place of cli/failure.c. */
int rsp_fail(int error, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	return RSP_EXIT_FAILURE;
}

void rsp_warn(const char *format, ...)
{
	va_list args;
	char line[1024];

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
}

static inline void be_quiet(void)
{
	static bool quiet;

	if (!quiet)
		stdout = fopen("/dev/null", "we");
	quiet = true;
}

#endif
