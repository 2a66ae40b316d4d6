/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash map from 64-bit ids to 64-bit values: open addressing, linear probing, grows at 2/3. */
#ifndef RSP_LIB_IDMAP_H
#define RSP_LIB_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rsp_idmap {
	struct rsp_idmap_slot *slots;
	size_t cap; /* power of two, or 0 */
	size_t cnt;
	unsigned int shift;
};

/* Embedded: all zeroes is an empty map. _done leaves it empty again. */
void rsp_idmap_done(struct rsp_idmap *m);
/* Sets key's value, replacing an earlier one. 0 or -ENOMEM. */
int rsp_idmap_put(struct rsp_idmap *m, uint64_t key, uint64_t value);
bool rsp_idmap_get(const struct rsp_idmap *m, uint64_t key, uint64_t *ret_value);
bool rsp_idmap_remove(struct rsp_idmap *m, uint64_t key);
/* Memory that it takes. */
size_t rsp_idmap_bytes(const struct rsp_idmap *m);
/* Steps through all pairs in no particular order; *pos starts at 0. False at the end. */
bool rsp_idmap_next(const struct rsp_idmap *m, size_t *pos, uint64_t *ret_key, uint64_t *ret_value);

#endif
