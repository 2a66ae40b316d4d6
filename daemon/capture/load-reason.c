/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See loader.h. Does not use libbpf, so that tests do not need it. */
#include "daemon/capture/loader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The oldest kernel version with which RSP is tested. */
enum { LEAST_MAJOR = 6, LEAST_MINOR = 1 };

/*
 * Finds a field that a program reads and the kernel lacks, in a line that libbpf writes into the
 * verifier's log:
 *
 * failed to resolve CO-RE relocation <byte_off> [31] struct page.lru (0:1 @ offset 8)
 */
static bool missing_field(const char *log, struct rsp_reason *ret)
{
	const char *spec = strstr(log, "failed to resolve CO-RE relocation "), *flavor, *member;
	char name[160];
	size_t len;

	if (spec)
		spec = strstr(spec, "] ");
	if (!spec)
		return false;
	spec += 2;
	len = strcspn(spec, "(\n");
	while (len && spec[len - 1] == ' ')
		len--;
	snprintf(name, sizeof(name), "%.*s", (int)len, spec);
	/* The BPF programs use the name "struct page___old" for an old form of struct page. */
	flavor = strstr(name, "___");
	member = flavor ? flavor + strcspn(flavor, ".") : "";
	snprintf(ret->text, sizeof(ret->text),
		 "this kernel has no field '%.*s%s' of the type that rspd reads",
		 (int)(flavor ? flavor - name : (long)strlen(name)), name, member);
	return true;
}

/* Returns whether the line belongs to the statistics at the end of the verifier's log. */
static bool is_statistics(const char *line)
{
	static const char *const begins[] = {"processed ", "verification time", "stack depth",
					     "peak_states", "mark_read"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(line, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool last_line_with_words(const char *log, struct rsp_reason *ret)
{
	const char *found = NULL;

	for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (*line != '\n' && !is_statistics(line))
			found = line;
	if (!found)
		return false;
	snprintf(ret->text, sizeof(ret->text), "the kernel's verifier says: %.*s",
		 (int)strcspn(found, "\n"), found);
	return true;
}

void rsp_load_reason(int error, const char *log, struct rsp_reason *ret)
{
	if (missing_field(log, ret) || last_line_with_words(log, ret))
		return;
	if (error == EPERM || error == EACCES)
		snprintf(ret->text, sizeof(ret->text),
			 "the kernel refuses it: run as root or with CAP_BPF and CAP_PERFMON");
	else
		snprintf(ret->text, sizeof(ret->text), "the kernel does not load it: %s",
			 strerror(error));
}

void rsp_load_add_version(const char *release, struct rsp_reason *reason)
{
	unsigned int major, minor;
	size_t len = strlen(reason->text);

	if (sscanf(release, "%u.%u", &major, &minor) == 2 &&
	    (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR)))
		snprintf(reason->text + len, sizeof(reason->text) - len,
			 "; rspd needs Linux %d.%d or newer, this is %s", LEAST_MAJOR, LEAST_MINOR,
			 release);
}
