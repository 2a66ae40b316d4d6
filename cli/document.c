/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See document.h. */
#include "cli/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/fresh.h"
#include "cli/isolated.h"
#include "cli/pager.h"
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

	if (r)
		return r;
	r = x->doc->write(&opened, x->opt, x->out, &lossy);
	if (r == 0 && (fflush(x->out) != 0 || ferror(x->out)))
		r = errno ? -errno : -EIO;
	if (r == -ESRCH)
		return rsp_opened_fail_absent(&opened, x->name, x->opt);
	if (r < 0)
		return rsp_opened_fail(x->doc->verb, r, x->name);
	return rsp_opened_is_lossy(&opened) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

static int isolate(struct writing *x, int output)
{
	const struct rsp_isolated job = {write_document, x,    x->name,		x->fd,
					 output,	 NULL, x->doc->is_large};

	return output < 0 ? rsp_paged(x->opt, &job) : rsp_isolated(&job);
}

/* Opens a nameless file in the directory of output, or returns -1. */
static int open_nameless(const char *output)
{
	const char *slash = strrchr(output, '/');
	_cleanup_free_ char *dir = slash ? strndup(output, (size_t)(slash + 1 - output))
					 : strdup(".");

	return dir ? open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
}

/*
 * The process that writes the document may not open files, so it gets an open one: a memfd, or a
 * nameless file if the document is large and the file system supports nameless files.
 */
static int open_scratch(const struct rsp_document *doc, const char *output)
{
	int fd = doc->is_large ? open_nameless(output) : -1;

	return fd < 0 ? memfd_create(doc->noun, MFD_CLOEXEC) : fd;
}

static int write_file(struct writing *x, const char *output)
{
	_cleanup_close_ int memory = open_scratch(x->doc, output);
	int r, saved;

	x->out = memory < 0 ? NULL : fdopen(memory, "w");
	if (!x->out)
		return rsp_fail(-errno, "cannot make room for the %s: %m", x->doc->noun);
	r = isolate(x, memory);
	if (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY) {
		saved = rsp_fresh_save(memory, output);
		if (saved < 0)
			r = rsp_fail(saved, "cannot save the %s as %s: %m", x->doc->noun, output);
	}
	fclose(x->out);
	memory = -1;
	return r;
}

int rsp_document_make(const struct rsp_document *doc, int fd, const char *name,
		      const struct rsp_options *opt, const char *output)
{
	struct writing x = {doc, fd, name, opt, stdout};

	return output ? write_file(&x, output) : isolate(&x, -1);
}
