/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a profile as folded stacks, the text format of flamegraph.pl, speedscope and others. The
 * format has no quoting.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/flame/flame.h"
#include "lib/flame/layout.h"

/* names of all nodes, by index of the node */
struct names {
	char **v;
	size_t cnt;
};

static void names_done(struct names *n)
{
	for (size_t i = 0; n->v && i < n->cnt; i++)
		free(n->v[i]);
	free(n->v);
}

static void escape(char *name)
{
	for (; *name; name++) {
		if (*name == ' ')
			*name = '_';
		else if (*name == ';')
			*name = ':';
	}
}

static int make_names(const struct rsp_profile *p, struct names *ret)
{
	*ret = (struct names){calloc(p->nodes.cnt + 1, sizeof(*ret->v)), p->nodes.cnt};
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < p->nodes.cnt; i++) {
		ret->v[i] = rsp_flame_name(p, &p->nodes.v[i]);
		if (!ret->v[i])
			return -ENOMEM;
		escape(ret->v[i]);
	}
	return 0;
}

/* before NULL: the line has only one weight. */
static void put_stack(const struct rsp_profile *p, const struct names *names, __u32 *path,
		      __u32 leaf, const __u64 *before, FILE *out)
{
	size_t cnt = 0;

	for (__u32 i = leaf; i != RSP_PROFILE_ROOT; i = p->nodes.v[i].parent)
		path[cnt++] = i;
	while (cnt-- > 0) {
		fputs(names->v[path[cnt]], out);
		if (rsp_profile_is_kernel(&p->nodes.v[path[cnt]]))
			fputs("_[k]", out);
		fputc(cnt ? ';' : ' ', out);
	}
	if (before)
		fprintf(out, "%llu ", before[leaf]);
	fprintf(out, "%llu\n", p->nodes.v[leaf].self);
}

/* Lists the nodes at which a stack ends. Nodes that only have an earlier weight come last. */
static size_t list_nodes(const struct rsp_profile *p, const struct rsp_flame_layout *l,
			 const __u64 *before, __u32 *ret)
{
	size_t cnt = 0;

	for (size_t i = 0; i < l->cnt; i++)
		if (p->nodes.v[l->order[i]].self)
			ret[cnt++] = l->order[i];
	for (size_t i = 0; i < p->nodes.cnt && before; i++)
		if (before[i] && !p->nodes.v[i].self)
			ret[cnt++] = (__u32)i;
	return cnt;
}

static int put_stacks(const struct rsp_profile *p, const __u64 *before, FILE *out)
{
	_cleanup_(rsp_flame_layout_done) struct rsp_flame_layout l = {0};
	_cleanup_(names_done) struct names names = {0};
	_cleanup_free_ __u32 *path = calloc(p->nodes.cnt + 1, sizeof(*path));
	_cleanup_free_ __u32 *list = calloc(p->nodes.cnt + 1, sizeof(*list));
	size_t cnt;
	int r = make_names(p, &names);

	if (r == 0)
		r = rsp_flame_layout_make(p, &l);
	if (r < 0 || !path || !list)
		return -ENOMEM;
	errno = 0;
	cnt = list_nodes(p, &l, before, list);
	for (size_t i = 0; i < cnt; i++)
		put_stack(p, &names, path, list[i], before, out);
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}

int rsp_flame_folded(const struct rsp_profile *p, FILE *out)
{
	return put_stacks(p, NULL, out);
}

int rsp_flame_folded_sides(const struct rsp_profile *p, const __u64 *before, FILE *out)
{
	return put_stacks(p, before, out);
}
