/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of the collector share. */
#ifndef RSP_EXPORT_COLLECTOR_PARTS_H
#define RSP_EXPORT_COLLECTOR_PARTS_H

#include "export/collector.h"

/*
 * Encodes a batch for a place and spools it, within the limits on the spool and on the bytes per
 * day. extra_bytes: number of bytes that the place will send in addition to the encoded bytes.
 * Returns 0, even if a limit excludes the batch. On -errno, the cursor of the place has not moved.
 */
int rsp_collector_deliver(struct rsp_collector *c, struct rsp_place *place, struct rsp_batch *batch,
			  const struct rsp_spool_content *content, uint64_t extra_bytes);

/* Ends a collection. After an error, logs once that batches can be spooled again. */
void rsp_collector_end_round(struct rsp_place *place);

/* collector-snapshots.c */
void rsp_collect_snapshots(struct rsp_collector *c);

#endif
