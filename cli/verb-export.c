/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl export [SNAPSHOT] --format=FORMAT -o FILE: converts a snapshot to a file for another
 * program.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/document.h"
#include "cli/recent.h"
#include "cli/source.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"
#include "lib/export/export.h"

static void export_done(struct rsp_export **x)
{
	rsp_export_free(*x);
}

static enum rsp_export_format format_of(const struct rsp_options *opt)
{
	enum rsp_export_format format = RSP_EXPORT_NONE;

	if (opt->format)
		rsp_export_parse(opt->format, &format);
	return format;
}

static int write_export(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
			bool *lossy)
{
	_cleanup_(export_done) struct rsp_export *x = NULL;
	const char *const *notes;
	size_t note_cnt;
	int r = rsp_export_new(opened->snap, opened->trace, opt->pid || opt->of_target, &x);

	if (r == 0)
		r = rsp_export_write(x, format_of(opt), out);
	if (r < 0)
		return r;
	note_cnt = rsp_export_notes(x, &notes);
	for (size_t i = 0; i < note_cnt; i++)
		rsp_warn("incomplete: %s", notes[i]);
	*lossy = rsp_export_lossy(x);
	return 0;
}

static const struct rsp_document document = {write_export, "file", "export", true};

int rsp_verb_export(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r;

	if (format_of(opt) == RSP_EXPORT_NONE) {
		if (opt->format)
			rsp_fail(0, "'%s' is not a format (" RSP_EXPORT_NAMES ")", opt->format);
		else
			rsp_fail(0, "export needs --format=, one of " RSP_EXPORT_NAMES);
		return RSP_EXIT_USAGE;
	}
	if (!opt->output && isatty(STDOUT_FILENO)) {
		rsp_fail(0, "export does not write to a terminal: name a file with -o");
		return RSP_EXIT_USAGE;
	}
	r = rsp_source_open(opt, &source);
	if (r)
		return r;
	all.of_target = rsp_target_is_resolved(opt) || (source.is_recent && opt->comm);
	return rsp_document_make(&document, source.fd, source.name, &all, opt->output);
}
