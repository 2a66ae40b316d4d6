/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations for the files of the collector only. */
#ifndef RSP_EXPORT_COLLECTOR_PARTS_H
#define RSP_EXPORT_COLLECTOR_PARTS_H

#include "export/collector.h"

/*
 * Encodes a batch for a place and adds it to the spool, within the limits on the spool and on the
 * bytes per day. extra_bytes: number of bytes that the place will send in addition to the encoded
 * bytes. Returns 0, even if a limit excludes the batch. After -errno, the cursor of the place is
 * unchanged.
 */
int rsp_collector_deliver(struct rsp_collector *c, struct rsp_place *place, struct rsp_batch *batch,
			  const struct rsp_spool_content *content, uint64_t extra_bytes);

/* If spooling failed before and works again, logs this once. */
void rsp_collector_end_round(struct rsp_place *place);

/* collector-snapshots.c */
void rsp_collect_snapshots(struct rsp_collector *c);

#endif
