/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a failure as one line on stderr, and returns an exit status. */
#include "cli/rspctl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/progress.h"
#include "lib/base/text.h"

static void print_line(const char *format, va_list args)
{
	/*
	 * Formats the line first and writes it at once, because stderr is unbuffered: output of
	 * other processes must not appear within the line.
	 */
	char line[1024];

	vsnprintf(line, sizeof(line), format, args);
	rsp_progress_hide();
	rsp_text_clean(line); /* names in the line are not trusted */
	fprintf(stderr, "rspctl: %s\n", line);
}

int rsp_fail(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	errno = -error;
	print_line(format, args);
	va_end(args);
	return error == -EACCES || error == -EPERM ? RSP_EXIT_DENIED : RSP_EXIT_FAILURE;
}

void rsp_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line(format, args);
	va_end(args);
}
