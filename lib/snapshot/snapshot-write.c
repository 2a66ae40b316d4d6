/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes sections to a snapshot file, each compressed separately. Keeps only the compressed bytes
 * of the current section in memory. Does not check the data.
 */
#include "lib/snapshot/snapshot-format.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "lib/base/cleanup.h"

struct rsp_snapshot_writer {
	int fd;
	int error;    /* the first error, which all later calls return */
	uint64_t off; /* from the beginning of the snapshot */
	ZSTD_CCtx *cctx;
	char *out; /* a section as it is stored: header, frame, padding */
	size_t out_cap;
};

static uint32_t fnv1a(uint32_t hash, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

uint32_t rsp_section_header_check(const struct rsp_section_header *hdr)
{
	uint32_t hash = fnv1a(2166136261u, &hdr->type, sizeof(hdr->type));

	hash = fnv1a(hash, &hdr->stored_len, sizeof(hdr->stored_len));
	return fnv1a(hash, &hdr->raw_len, sizeof(hdr->raw_len));
}

static int emit(struct rsp_snapshot_writer *w, const void *data, size_t len)
{
	int r = rsp_write_all(w->fd, data, len);

	if (r == 0)
		w->off += len;
	return r;
}

static void free_writer(struct rsp_snapshot_writer **w)
{
	rsp_snapshot_writer_free(*w);
}

static int writer_alloc(int fd, uint64_t off, struct rsp_snapshot_writer **ret)
{
	_cleanup_(free_writer) struct rsp_snapshot_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->fd = fd;
	w->off = off;
	w->cctx = ZSTD_createCCtx();
	if (!w->cctx)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(w->cctx, ZSTD_c_compressionLevel, RSP_SNAPSHOT_ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(w->cctx, ZSTD_c_checksumFlag, 1);
	*ret = rsp_take_ptr(w);
	return 0;
}

int rsp_snapshot_writer_new(int fd, struct rsp_snapshot_writer **ret)
{
	_cleanup_(free_writer) struct rsp_snapshot_writer *w = NULL;
	struct rsp_file_header hdr = {.version = RSP_SNAPSHOT_VERSION};
	int r;

	memcpy(hdr.magic, RSP_SNAPSHOT_MAGIC, sizeof(hdr.magic));
	r = writer_alloc(fd, 0, &w);
	if (r < 0)
		return r;
	r = emit(w, &hdr, sizeof(hdr));
	if (r < 0)
		return r;
	*ret = rsp_take_ptr(w);
	return 0;
}

struct rsp_snapshot_writer *rsp_snapshot_writer_free(struct rsp_snapshot_writer *w)
{
	if (!w)
		return NULL;
	ZSTD_freeCCtx(w->cctx);
	free(w->out);
	free(w);
	return NULL;
}

static int reserve_out(struct rsp_snapshot_writer *w, size_t len)
{
	size_t bound = ZSTD_compressBound(len), need;
	char *out;

	if (ZSTD_isError(bound))
		return -E2BIG;
	need = sizeof(struct rsp_section_header) + rsp_section_padded(bound);
	if (need <= w->out_cap)
		return 0;
	out = malloc(need);
	if (!out)
		return -ENOMEM;
	free(w->out);
	w->out = out;
	w->out_cap = need;
	return 0;
}

static int emit_section(struct rsp_snapshot_writer *w, uint32_t type, const void *data, size_t len)
{
	struct rsp_section_header hdr = {.type = type, .raw_len = len};
	size_t stored, padded;
	int r;

	r = reserve_out(w, len);
	if (r < 0)
		return r;
	stored = ZSTD_compress2(w->cctx, w->out + sizeof(hdr), w->out_cap - sizeof(hdr), data, len);
	if (ZSTD_isError(stored))
		return -ENOMEM; /* the only possible reason, because the buffer is large enough */
	padded = rsp_section_padded(stored);
	hdr.stored_len = stored;
	hdr.check = rsp_section_header_check(&hdr);
	memcpy(w->out, &hdr, sizeof(hdr));
	memset(w->out + sizeof(hdr) + stored, 0, padded - stored);
	return emit(w, w->out, sizeof(hdr) + padded);
}

int rsp_snapshot_write_section(struct rsp_snapshot_writer *w, enum rsp_section_type type,
			       const void *data, size_t len)
{
	if (w->error == 0)
		w->error = emit_section(w, type, data, len);
	return w->error;
}

int rsp_snapshot_write_meta(struct rsp_snapshot_writer *w, const struct rsp_meta *meta)
{
	_cleanup_free_ char *json = NULL;
	size_t len = 0;

	if (w->error == 0)
		w->error = rsp_meta_format(meta, &json, &len);
	if (w->error < 0)
		return w->error;
	return rsp_snapshot_write_section(w, RSP_SEC_META, json, len);
}

int rsp_snapshot_write_all(struct rsp_snapshot_writer *w, const struct rsp_snapshot *snap)
{
	int r = rsp_snapshot_write_meta(w, &snap->meta);

	for (size_t i = 0; r == 0 && i < snap->section_cnt; i++)
		r = rsp_snapshot_write_section(w, snap->sections[i].type, snap->sections[i].data,
					       snap->sections[i].len);
	return r;
}

int rsp_snapshot_writer_finish(struct rsp_snapshot_writer *w)
{
	struct rsp_section_header hdr = {.type = RSP_SEC_END, .raw_len = w->off};

	hdr.check = rsp_section_header_check(&hdr);
	if (w->error == 0)
		w->error = emit(w, &hdr, sizeof(hdr));
	return w->error;
}

/* --- adding to a finished snapshot ---------------------------------------------------------- */

int rsp_snapshot_reopen(int fd, struct rsp_snapshot_writer **ret)
{
	uint64_t end_off = 0;
	int r;

	r = rsp_snapshot_find_end(fd, &end_off);
	if (r < 0)
		return r;
	if (ftruncate(fd, (off_t)end_off) < 0 || lseek(fd, (off_t)end_off, SEEK_SET) < 0)
		return -errno;
	return writer_alloc(fd, end_off, ret);
}

int rsp_snapshot_append(int fd, enum rsp_section_type type, const void *data, size_t len)
{
	struct rsp_snapshot_writer *w = NULL;
	int r;

	r = rsp_snapshot_reopen(fd, &w);
	if (r < 0)
		return r;
	r = rsp_snapshot_write_section(w, type, data, len);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	rsp_snapshot_writer_free(w);
	return r;
}
