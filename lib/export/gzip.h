/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses bytes into a file, in gzip's format. */
#ifndef RSP_LIB_EXPORT_GZIP_H
#define RSP_LIB_EXPORT_GZIP_H

#include <stddef.h>
#include <stdio.h>
#include <zlib.h>

struct rsp_gzip {
	FILE *out;
	z_stream stream;
};

/*
 * All functions that return int return 0 or -errno. Call rsp_gzip_done() even if rsp_gzip_begin()
 * failed.
 */
int rsp_gzip_begin(struct rsp_gzip *gz, FILE *out);
int rsp_gzip_put(struct rsp_gzip *gz, const void *data, size_t len);
int rsp_gzip_finish(struct rsp_gzip *gz);
void rsp_gzip_done(struct rsp_gzip *gz);

#endif
