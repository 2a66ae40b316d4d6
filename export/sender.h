/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends the batches of a place, oldest first. Logs once when the server fails, and once when it
 * works again.
 */
#ifndef RSP_EXPORT_SENDER_H
#define RSP_EXPORT_SENDER_H

#include "export/place.h"

#define RSP_SENDER_IDLE UINT64_MAX

/*
 * Sends the oldest batch. Returns the time in us after which to call this function again;
 * RSP_SENDER_IDLE: there are no more batches.
 */
uint64_t rsp_sender_step(struct rsp_place *place, const char *machine);

/*
 * Writes the token of a batch: the ID of the machine, and the unique part of the batch's file name.
 */
#define RSP_TOKEN_BYTES 192
void rsp_sender_token(const struct rsp_spool_batch *batch, const char *machine,
		      char token[static RSP_TOKEN_BYTES]);

#endif
