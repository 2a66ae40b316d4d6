/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps copies of symbols (lib/symbols/symcopy.h) in memory, within a budget. Equal copies share
 * their memory.
 */
#ifndef RSP_DAEMON_SYMCOPIES_H
#define RSP_DAEMON_SYMCOPIES_H

#include <linux/types.h>
#include <stddef.h>

struct rsp_symcopies;

struct rsp_symcopies_stats {
	unsigned int cnt;
	size_t bytes;
	__u64 dropped_cnt;
};

int rsp_symcopies_new(size_t budget_bytes, struct rsp_symcopies **ret); /* 0 or -ENOMEM */
struct rsp_symcopies *rsp_symcopies_free(struct rsp_symcopies *s);

/*
 * If necessary, drops the copies that were stored longest ago; storing equal bytes again renews a
 * copy. Returns the number of the copy, which is never reused; 0: the bytes are larger than the
 * budget, or memory runs out.
 */
__u64 rsp_symcopies_put(struct rsp_symcopies *s, const void *bytes, size_t len);

/* Returns NULL if the copy was dropped. The result is valid until the next rsp_symcopies_put(). */
const void *rsp_symcopies_get(const struct rsp_symcopies *s, __u64 number, size_t *ret_len);

void rsp_symcopies_get_stats(const struct rsp_symcopies *s, struct rsp_symcopies_stats *ret);

#endif
