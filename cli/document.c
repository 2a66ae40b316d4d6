/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See document.h. */
#include "cli/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/save.h"
#include "lib/base/cleanup.h"

struct writing {
	const struct rsp_document *doc;
	int fd;
	const char *name;
	const struct rsp_options *opt;
	FILE *out;
};

static int write_document(void *userdata)
{
	const struct writing *x = userdata;
	_cleanup_(rsp_opened_done) struct rsp_opened opened = {0};
	bool lossy = false;
	int r = rsp_opened_read(x->fd, x->name, x->opt, UINT64_MAX, &opened);

	if (r == 0 && x->doc->is_about_one)
		r = rsp_opened_choose_comm(&opened, x->name, x->opt);
	if (r)
		return r;
	if (x->out == stdout)
		rsp_progress_hide();
	r = x->doc->write(&opened, x->opt, x->out, &lossy);
	if (r == 0 && (fflush(x->out) != 0 || ferror(x->out)))
		r = errno ? -errno : -EIO;
	if (r == -ESRCH)
		return rsp_opened_fail_absent(&opened, x->name, x->opt);
	if (r < 0)
		return rsp_opened_fail(x->doc->verb, r, x->name);
	return rsp_opened_is_lossy(&opened) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

/* Returns -1 on failure. */
static int open_nameless(const char *output)
{
	const char *slash = strrchr(output, '/');
	_cleanup_free_ char *dir = slash ? strndup(output, (size_t)(slash + 1 - output))
					 : strdup(".");

	return dir ? open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
}

/*
 * Returns a nameless file if the document is large and the file system supports nameless files;
 * otherwise a memfd.
 */
static int open_scratch(const struct rsp_isolated *job, const char *noun, const char *output)
{
	int fd = job->is_large ? open_nameless(output) : -1;

	return fd < 0 ? memfd_create(noun, MFD_CLOEXEC) : fd;
}

int rsp_document_save(struct rsp_isolated *job, FILE **out, const char *noun, const char *output)
{
	_cleanup_close_ int scratch = open_scratch(job, noun, output);
	int r, saved;

	*out = scratch < 0 ? NULL : fdopen(scratch, "w");
	if (!*out)
		return rsp_fail(-errno, "cannot create a file for the %s: %m", noun);
	job->output = scratch;
	rsp_progress_begin("reading the records");
	r = rsp_isolated(job);
	rsp_progress_end();
	if (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY) {
		saved = rsp_save(scratch, output);
		if (saved < 0)
			r = rsp_fail(saved, "cannot save the %s as %s: %m", noun, output);
	}
	fclose(*out);
	scratch = -1;
	return r;
}

int rsp_document_make(const struct rsp_document *doc, int fd, const char *name,
		      const struct rsp_options *opt, const char *output)
{
	struct writing x = {doc, fd, name, opt, stdout};
	struct rsp_isolated job = {
		.work = write_document,
		.userdata = &x,
		.name = name,
		.input = fd,
		.output = -1,
		.is_large = doc->is_large,
	};

	return output ? rsp_document_save(&job, &x.out, doc->noun, output) : rsp_paged(opt, &job);
}
