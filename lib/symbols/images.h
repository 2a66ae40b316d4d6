/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TASK and MMAP records in time order -> what each process has mapped where, as of the last record.
 * To ask about a time, ask between the records before and after it. A new process inherits its
 * parent's mappings, exec drops them, a mapping replaces what it overlaps. Opens no files.
 */
#ifndef RSP_LIB_IMAGES_H
#define RSP_LIB_IMAGES_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_images;

int rsp_images_new(struct rsp_images **ret);
struct rsp_images *rsp_images_free(struct rsp_images *images);

/*
 * Takes note of one checked record (decode.h), which must outlive images; of kinds that say nothing
 * of mappings, none is taken. Records come in time order. 0, -ENOMEM.
 */
int rsp_images_apply(struct rsp_images *images, const struct rsp_ev_hdr *ev);

/*
 * The mapping of process tgid that holds addr now, NULL if none is known. The address comes from
 * file offset map->pgoff_bytes + (addr - map->start).
 */
const struct rsp_ev_mmap *rsp_images_find(const struct rsp_images *images, __u32 tgid, __u64 addr);

#endif
