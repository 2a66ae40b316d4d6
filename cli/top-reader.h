/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the reader of `rspctl top`: a process in the sandbox, which runs as long as `top`.
 * Functions return 0 or -errno. After -EPIPE, -EBADMSG or -ETIME the reader is unusable.
 */
#ifndef RSP_CLI_TOP_READER_H
#define RSP_CLI_TOP_READER_H

#include <stdint.h>

#include "lib/live/live.h"

struct rsp_top_reader;

int rsp_top_reader_start(struct rsp_top_reader **ret);
struct rsp_top_reader *rsp_top_reader_free(struct rsp_top_reader *reader);

/* Functions with the parameter fd do not close this descriptor. */
int rsp_top_reader_kernel(struct rsp_top_reader *reader, int fd);
/* Reads a snapshot. *ret_until_ns is the end of its events. */
int rsp_top_reader_snapshot(struct rsp_top_reader *reader, int fd, uint64_t *ret_until_ns);
/* Skips events before since_ns, which the reader has read already. */
int rsp_top_reader_records(struct rsp_top_reader *reader, int fd, uint64_t since_ns);
/* Makes a view, and cleans it with rsp_live_view_clean(). */
int rsp_top_reader_look(struct rsp_top_reader *reader, const struct rsp_live_how *how,
			struct rsp_live_view *ret);
/* Resets the counts of samples. */
int rsp_top_reader_reset(struct rsp_top_reader *reader);
/* Drops all state except names. */
int rsp_top_reader_restart(struct rsp_top_reader *reader);
/* Returns the CPU time that the reader has used. */
uint64_t rsp_top_reader_cpu_ns(const struct rsp_top_reader *reader);

#endif
