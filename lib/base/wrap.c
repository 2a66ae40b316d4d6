/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See wrap.h. */
#include "lib/base/wrap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A line must not end between a number and its unit, as in "92 %". */
static bool is_before_unit(const char *text, size_t i)
{
	size_t len = strcspn(text + i + 1, " ,;:.()");

	return i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9' && len <= strlen("µs");
}

/*
 * Returns the number of bytes for the next line: as many words as fit into room columns, but at
 * least one. If the text begins with a space and its first word does not fit, returns 0.
 */
static size_t line_bytes(const char *text, size_t room)
{
	size_t cols = 0, fits = SIZE_MAX;

	for (size_t i = 0; text[i]; i++) {
		if (text[i] == ' ' && (cols <= room || fits == SIZE_MAX) &&
		    !is_before_unit(text, i))
			fits = i;
		cols += (text[i] & 0xc0) != 0x80; /* count code points */
		if (cols > room && fits != SIZE_MAX)
			return fits;
	}
	return cols <= room || fits == SIZE_MAX ? strlen(text) : fits;
}

void rsp_wrap(FILE *out, const char *text, size_t used, size_t indent, size_t width)
{
	size_t len, room = width > used ? width - used : 1;

	while (width && (len = line_bytes(text, room)) < strlen(text)) {
		fprintf(out, "%.*s\n%*s", (int)len, text, (int)indent, "");
		text += len + strspn(text + len, " ");
		room = width > indent ? width - indent : 1;
	}
	fputs(text, out);
}
