/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores stacks as a tree, in which stacks share the frames of common callers. */
#include <errno.h>
#include <string.h>

#include "lib/export/export-parts.h"

static __u32 put(struct rsp_export_trie *trie, struct rsp_intern *table, const void *key,
		 size_t len)
{
	__u32 id = 0;
	int r = rsp_intern_put(table, key, len, &id);

	if (r < 0)
		trie->error = r;
	return id;
}

static __u32 put_frames(struct rsp_export_trie *trie, const struct rsp_export *x, __u64 kstack,
			__u64 ustack)
{
	size_t cnt = rsp_export_frames(x, kstack, ustack, trie->scratch);
	__u32 node = 0;

	while (cnt-- > 0) {
		const struct rsp_export_frame *f = &trie->scratch[cnt];
		const struct rsp_export_node key = {
			.parent = node,
			.symbol = put(trie, &trie->texts, f->symbol, strlen(f->symbol)),
			.module = put(trie, &trie->texts, f->module, strlen(f->module)),
			.is_kernel = f->is_kernel,
		};

		node = put(trie, &trie->nodes, &key, sizeof(key)) + 1;
	}
	return node;
}

__u32 rsp_export_trie_put(struct rsp_export_trie *trie, const struct rsp_export *x, __u64 kstack,
			  __u64 ustack)
{
	__u64 key = rsp_names_stack_key(kstack, ustack);
	uint64_t known;

	if (rsp_idmap_get(&trie->of_stack, key, &known))
		return (__u32)known;
	known = put_frames(trie, x, kstack, ustack);
	if (rsp_idmap_put(&trie->of_stack, key, known) < 0)
		trie->error = -ENOMEM;
	return (__u32)known;
}

const struct rsp_export_node *rsp_export_trie_node(const struct rsp_export_trie *trie, __u32 id)
{
	return rsp_intern_data(&trie->nodes, id - 1);
}

void rsp_export_trie_done(struct rsp_export_trie *trie)
{
	rsp_intern_done(&trie->texts);
	rsp_intern_done(&trie->nodes);
	rsp_idmap_done(&trie->of_stack);
}
