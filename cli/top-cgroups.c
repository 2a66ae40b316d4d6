/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top-cgroups.h. The ID of a cgroup is the inode number of its directory. */
#include "cli/top-cgroups.h"

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/when.h"
#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "lib/base/text.h"

#define ROOT	    "/sys/fs/cgroup"
#define CGROUPS_MAX 20000
#define AGAIN_NS    5000000000ULL

struct rsp_top_cgroups {
	struct rsp_idmap of; /* ID -> index */
	struct {
		char **v;
		size_t cnt, cap;
	} names;
	uint64_t read_ns;
};

int rsp_top_cgroups_new(struct rsp_top_cgroups **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

static void forget(struct rsp_top_cgroups *c)
{
	for (size_t i = 0; i < c->names.cnt; i++)
		free(c->names.v[i]);
	c->names.cnt = 0;
	rsp_idmap_done(&c->of);
}

struct rsp_top_cgroups *rsp_top_cgroups_free(struct rsp_top_cgroups *c)
{
	if (!c)
		return NULL;
	forget(c);
	free(c->names.v);
	free(c);
	return NULL;
}

static void add(struct rsp_top_cgroups *c, const FTSENT *entry)
{
	char **slot = c->names.cnt < CGROUPS_MAX ? rsp_array_add(&c->names) : NULL;

	if (!slot)
		return;
	*slot = strdup(entry->fts_level ? entry->fts_name : "/");
	if (!*slot) {
		c->names.cnt--;
		return;
	}
	rsp_text_clean(*slot);
	(void)rsp_idmap_put(&c->of, entry->fts_statp->st_ino, c->names.cnt - 1);
}

static void read_tree(struct rsp_top_cgroups *c)
{
	char *const roots[] = {(char *)ROOT, NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *entry;

	forget(c);
	while (fts && (entry = fts_read(fts)))
		if (entry->fts_info == FTS_D)
			add(c, entry);
	if (fts)
		fts_close(fts);
	c->read_ns = rsp_when_now_ns();
}

const char *rsp_top_cgroups_name(struct rsp_top_cgroups *c, __u64 id)
{
	uint64_t i;

	if (!rsp_idmap_get(&c->of, id, &i)) {
		if (c->read_ns && rsp_when_now_ns() - c->read_ns < AGAIN_NS)
			return NULL;
		read_tree(c);
		if (!rsp_idmap_get(&c->of, id, &i))
			return NULL;
	}
	return c->names.v[i];
}
