/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See program.h. */
#include "lib/files/program.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int candidate(const char *dir, int dir_len, const char *name, char **ret_path)
{
	char *path;

	if (asprintf(&path, "%.*s/%s", dir_len, dir, name) < 0)
		return -ENOMEM;
	if (access(path, X_OK) < 0) {
		free(path);
		return -ENOENT;
	}
	*ret_path = path;
	return 0;
}

static int find_near(const char *dir, const char *name, char **ret_path)
{
	static const char *const places[] = {"", "../lib/rsp/", "../libexec/", "../sbin/"};
	int r = -ENOENT;

	for (size_t i = 0; r == -ENOENT && i < sizeof(places) / sizeof(places[0]); i++) {
		char file[64];

		snprintf(file, sizeof(file), "%s%s", places[i], name);
		r = candidate(dir, (int)strlen(dir), file, ret_path);
	}
	return r;
}

static int find_in_path(const char *path, const char *name, char **ret_path)
{
	int r = -ENOENT;

	while (path && r == -ENOENT) {
		int len = (int)strcspn(path, ":");

		/*
		 * An empty entry means the working directory: no program of RSP may be started from
		 * there.
		 */
		if (len > 0)
			r = candidate(path, len, name, ret_path);
		path = path[len] ? path + len + 1 : NULL;
	}
	return r;
}

int rsp_program_find(const char *name, char **ret_path)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int r = -ENOENT;

	if (n > 0) {
		self[n] = '\0';
		r = find_near(dirname(self), name, ret_path);
	}
	return r == -ENOENT ? find_in_path(getenv("PATH"), name, ret_path) : r;
}
