/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See demangle.h. libiberty demangles the names; this file limits the length of the result. */
#include "lib/symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Maximum length of a demangled name. Substitutions can expand a name of 200 characters to
 * terabytes.
 */
#define NAME_BYTES_MAX 16384

struct output {
	jmp_buf overflow;
	size_t len;
	char text[NAME_BYTES_MAX];
};

/*
 * Both demanglers use memory on the stack, so the jump leaks nothing, except the small buffer for a
 * punycode identifier of Rust.
 */
static void append(const char *s, size_t len, void *opaque)
{
	struct output *out = opaque;

	if (len >= sizeof(out->text) - out->len)
		longjmp(out->overflow, 1);
	memcpy(out->text + out->len, s, len);
	out->len += len;
}

/*
 * The recursion limit of the demanglers stays, because names come from untrusted files. Rust comes
 * first: older Rust names are also valid C++ names, but only the Rust demangler drops their hash.
 */
static bool demangle(const char *mangled, struct output *out)
{
	if (setjmp(out->overflow))
		return false;
	if (rust_demangle_callback(mangled, DMGL_NO_OPTS, append, out))
		return true;
	out->len = 0;
	return cplus_demangle_v3_callback(mangled, DMGL_NO_OPTS, append, out);
}

char *rsp_demangle(const char *mangled)
{
	struct output *out;
	char *name = NULL;

	if (strncmp(mangled, "_Z", 2) != 0 && strncmp(mangled, "_R", 2) != 0)
		return NULL;
	out = malloc(sizeof(*out));
	if (!out)
		return NULL;
	out->len = 0;
	if (demangle(mangled, out))
		name = strndup(out->text, out->len);
	free(out);
	return name;
}
