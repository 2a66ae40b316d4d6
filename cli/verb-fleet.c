/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl fleet QUESTION: runs rsp-fleet, which asks ClickHouse about all hosts. Loading the
 * libraries of libcurl would make each start of rspctl many times slower.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/rspctl.h"
#include "lib/base/cleanup.h"
#include "lib/files/program.h"

int rsp_verb_fleet(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char **argv = calloc((size_t)opt->arg_cnt + 3, sizeof(*argv));
	int n = 0, r;

	if (!argv)
		return rsp_fail(-ENOMEM, "cannot ask the fleet: %m");
	r = rsp_program_find("rsp-fleet", &path);
	if (r < 0)
		return rsp_fail(r, "cannot find rsp-fleet, which belongs to rspctl: %m");
	argv[n++] = path;
	if (opt->wants_help)
		argv[n++] = (char *)"--help";
	memcpy(argv + n, opt->args, (size_t)opt->arg_cnt * sizeof(*argv));
	execv(path, argv);
	return rsp_fail(-errno, "cannot run %s: %m", path);
}
