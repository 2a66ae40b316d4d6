/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See browser.h. */
#include "cli/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/rspctl.h"
#include "lib/base/cleanup.h"

int rsp_browser_name(char **ret)
{
	_cleanup_free_ char *dir = NULL;
	const char *tmp = getenv("TMPDIR");
	int r = 0;

	if (asprintf(&dir, "%s/rsp-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp") < 0)
		return rsp_fail(-ENOMEM, "cannot make a file for the page: %m");
	if (!mkdtemp(dir))
		r = rsp_fail(-errno, "cannot make the directory %s for the page: %m", dir);
	else if (asprintf(ret, "%s/page.html", dir) < 0)
		r = rsp_fail(-ENOMEM, "cannot make a file for the page: %m");
	return r;
}

void rsp_browser_forget(const char *name)
{
	_cleanup_free_ char *dir = name ? strdup(name) : NULL;

	if (!dir)
		return;
	*strrchr(dir, '/') = '\0';
	(void)rmdir(dir);
}

/* execlp() starts no shell, so the name needs no quoting. */
static _Noreturn void become_opener(const char *file)
{
	execlp("xdg-open", "xdg-open", file, (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
}

int rsp_browser_open(const char *address, const char *file)
{
	int status, r;
	pid_t pid;

	printf("%s\n", address);
	r = rsp_output_flush();
	if (r)
		return r;
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot run xdg-open: %m");
	if (pid == 0)
		become_opener(file);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return rsp_fail(-errno, "cannot wait for xdg-open: %m");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return RSP_EXIT_OK;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return rsp_fail(
			0,
			"cannot find xdg-open (package xdg-utils): open %s in a browser yourself",
			address);
	return rsp_fail(0, "xdg-open failed: open %s in a browser yourself", address);
}
