/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See command-file.h. */
#include "cli/command-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* An empty folder stands for the current one. */
static bool join(const char *dir, size_t len, const char *name, char ret[static PATH_MAX])
{
	int cnt = len ? snprintf(ret, PATH_MAX, "%.*s/%s", (int)len, dir, name)
		      : snprintf(ret, PATH_MAX, "./%s", name);

	return cnt < PATH_MAX;
}

bool rsp_command_path(const char *name, char ret[static PATH_MAX])
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/')) {
		snprintf(ret, PATH_MAX, "%s", name);
		return is_program(ret);
	}
	for (dirs = dirs ? dirs : "/bin:/usr/bin";; dirs++) {
		size_t len = strcspn(dirs, ":");

		if (join(dirs, len, name, ret) && is_program(ret))
			return true;
		dirs += len;
		if (!*dirs)
			return false;
	}
}
