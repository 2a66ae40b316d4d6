/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See debuginfod.h. */
#include "lib/symbols/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

/* Types of elfutils/debuginfod.h, which need not be installed. */
typedef void *begin_fn(void);
typedef int find_fn(void *client, const unsigned char *build_id, int len, char **ret_path);
typedef void end_fn(void *client);

struct rsp_debuginfod {
	void *library, *client;
	find_fn *find;
	end_fn *end;
};

struct rsp_debuginfod *rsp_debuginfod_new(void)
{
	struct rsp_debuginfod *d = calloc(1, sizeof(*d));
	begin_fn *begin;

	if (!d)
		return NULL;
	d->library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!d->library)
		return rsp_debuginfod_free(d);
	begin = (begin_fn *)dlsym(d->library, "debuginfod_begin");
	d->find = (find_fn *)dlsym(d->library, "debuginfod_find_debuginfo");
	d->end = (end_fn *)dlsym(d->library, "debuginfod_end");
	if (begin && d->find && d->end)
		d->client = begin();
	return d->client ? d : rsp_debuginfod_free(d);
}

struct rsp_debuginfod *rsp_debuginfod_free(struct rsp_debuginfod *d)
{
	if (!d)
		return NULL;
	if (d->client)
		d->end(d->client);
	if (d->library)
		dlclose(d->library);
	free(d);
	return NULL;
}

int rsp_debuginfod_open(struct rsp_debuginfod *d, const __u8 *build_id, size_t len)
{
	char *path = NULL;
	int fd = d->find(d->client, build_id, (int)len, &path);

	free(path);
	return fd;
}
