/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads for `rspctl top` what the recorder sends, and the binaries that it names: a process in the
 * sandbox, for as long as `top` runs. Functions return 0 or -errno; after -EPIPE, -EBADMSG or
 * -ETIME the reader is of no use any more.
 */
#ifndef RSP_CLI_TOP_READER_H
#define RSP_CLI_TOP_READER_H

#include <stdint.h>

#include "lib/live/live.h"

struct rsp_top_reader;

int rsp_top_reader_start(struct rsp_top_reader **ret);
struct rsp_top_reader *rsp_top_reader_free(struct rsp_top_reader *reader);

/* All of them leave fd to the caller. */
/* /proc/kallsyms. */
int rsp_top_reader_kernel(struct rsp_top_reader *reader, int fd);
/* A snapshot; *ret_until_ns: the end of its events. */
int rsp_top_reader_snapshot(struct rsp_top_reader *reader, int fd, uint64_t *ret_until_ns);
/* Records of io.rsp.Recorder.Recent. Events before since_ns are known already. */
int rsp_top_reader_records(struct rsp_top_reader *reader, int fd, uint64_t since_ns);
/* ret: clean, as if by rsp_live_view_clean(). */
int rsp_top_reader_look(struct rsp_top_reader *reader, const struct rsp_live_how *how,
			struct rsp_live_view *ret);
/* Begins to count samples anew. */
int rsp_top_reader_reset(struct rsp_top_reader *reader);
/* Forgets everything but names. */
int rsp_top_reader_restart(struct rsp_top_reader *reader);
/* CPU time that it has used. */
uint64_t rsp_top_reader_cpu_ns(const struct rsp_top_reader *reader);

#endif
