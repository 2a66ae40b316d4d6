/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See log.h. */
#include "export/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/text.h"

/* In the journal, a line begins with its priority (sd-daemon(3)). */
void rsp_export_log(int priority, const char *format, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	rsp_text_clean(text);
	if (getenv("JOURNAL_STREAM"))
		fprintf(stderr, "<%d>%s\n", priority, text);
	else
		fprintf(stderr, "rsp-export: %s\n", text);
}
