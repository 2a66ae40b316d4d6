/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the sections of a snapshot file into memory. The file may be hostile, so sizes in headers
 * are not trusted. The first damaged section ends the reading; the sections before it are kept.
 */
#include "lib/snapshot/snapshot-format.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/*
 * The file is read piece by piece rather than mapped: if it shrinks meanwhile, the reader must find
 * a damaged section and must not receive SIGBUS.
 */
struct source {
	const char *bytes; /* NULL: read from fd */
	int fd;
	uint64_t len;
};

struct reader {
	struct source src;
	uint64_t off; /* offset of the next section header */
	uint64_t raw_total, raw_max;
	bool have_meta;
	bool meta_only;
	rsp_records_filter_fn filter; /* NULL: all records are kept */
	void *filter_userdata;
	ZSTD_DCtx *dctx;
	char *in;
	size_t section_cap;
	struct rsp_snapshot *snap;
};

/*
 * Number of bytes that are read at once. If a piece contains a whole frame, zstd can write its
 * content directly to its destination.
 */
#define PIECE_BYTES (4 << 20)

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Reads len bytes at offset off. Returns 0; -EBADMSG: the source has fewer bytes; -errno. */
static int source_read(const struct source *src, uint64_t off, void *buf, size_t len)
{
	if (off > src->len || len > src->len - off)
		return -EBADMSG;
	if (src->bytes) {
		memcpy(buf, src->bytes + off, len);
		return 0;
	}
	while (len > 0) {
		ssize_t n = pread(src->fd, buf, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		buf = (char *)buf + n;
		off += (size_t)n;
		len -= (size_t)n;
	}
	return 0;
}

static int source_from_fd(int fd, struct source *ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret = (struct source){.fd = fd, .len = (uint64_t)st.st_size};
	return 0;
}

static int read_file_header(const struct source *src)
{
	struct rsp_file_header hdr;
	int r;

	r = source_read(src, 0, &hdr, MIN(src->len, sizeof(hdr)));
	if (r < 0)
		return r;
	if (src->len < sizeof(hdr.magic) ||
	    memcmp(hdr.magic, RSP_SNAPSHOT_MAGIC, sizeof(hdr.magic)) != 0)
		return -EPROTO;
	if (src->len < sizeof(hdr))
		return -EBADMSG;
	return hdr.version == RSP_SNAPSHOT_VERSION ? 0 : -ENOTSUP;
}

/* Checks that the header is valid and that the file contains the whole section. */
static int read_section_header(const struct source *src, uint64_t off,
			       struct rsp_section_header *ret)
{
	struct rsp_section_header hdr;
	uint64_t left;
	int r;

	r = source_read(src, off, &hdr, sizeof(hdr));
	if (r < 0)
		return r;
	if (hdr.check != rsp_section_header_check(&hdr))
		return -EBADMSG;
	left = src->len - off - sizeof(hdr);
	if (hdr.stored_len > left || rsp_section_padded(hdr.stored_len) > left)
		return -EBADMSG;
	if (hdr.type == RSP_SEC_END && (hdr.stored_len != 0 || hdr.raw_len != off))
		return -EBADMSG;
	*ret = hdr;
	return 0;
}

static uint64_t section_end(uint64_t off, const struct rsp_section_header *hdr)
{
	return off + sizeof(*hdr) + rsp_section_padded(hdr->stored_len);
}

/* --- one section ---------------------------------------------------------------------------- */

struct unpacking {
	ZSTD_inBuffer in;
	ZSTD_outBuffer out; /* size: number of allocated bytes, at most raw_len */
	uint64_t off;	    /* offset of the next piece in the file */
	uint64_t left;	    /* number of bytes of the frame that are not read yet */
};

static int fetch_piece(struct reader *rd, struct unpacking *u)
{
	size_t n = MIN(u->left, (uint64_t)PIECE_BYTES);
	int r;

	if (u->in.pos < u->in.size || n == 0)
		return 0;
	r = source_read(&rd->src, u->off, rd->in, n);
	if (r < 0)
		return r;
	u->in = (ZSTD_inBuffer){.src = rd->in, .size = n};
	u->off += n;
	u->left -= n;
	return 0;
}

static int grow_out(struct unpacking *u, size_t raw_len)
{
	size_t size = raw_len / 2 < u->out.size ? raw_len : u->out.size * 2;
	void *p;

	if (u->out.pos < u->out.size || u->out.size == raw_len)
		return 0;
	p = realloc(u->out.dst, size);
	if (!p)
		return -ENOMEM;
	u->out.dst = p;
	u->out.size = size;
	return 0;
}

/* zstd verifies the checksum. */
static int unpack_frame(struct reader *rd, struct unpacking *u, size_t raw_len)
{
	size_t hint, before;

	do {
		int r = fetch_piece(rd, u);

		if (r == 0)
			r = grow_out(u, raw_len);
		if (r < 0)
			return r;
		before = u->in.pos + u->out.pos;
		hint = ZSTD_decompressStream(rd->dctx, &u->out, &u->in);
		if (ZSTD_isError(hint))
			return -EBADMSG;
		/*
		 * no progress: the frame needs more input than the file contains, or more room than
		 * its header says
		 */
		if (hint > 0 && u->in.pos + u->out.pos == before)
			return -EBADMSG;
	} while (hint > 0);

	return u->left == 0 && u->in.pos == u->in.size && u->out.pos == raw_len ? 0 : -EBADMSG;
}

static int unpack(struct reader *rd, const struct rsp_section_header *hdr, void **ret)
{
	/* records rarely compress by more than a factor of 20 */
	size_t guess = MIN(hdr->raw_len, hdr->stored_len * 20 + 4096);
	_cleanup_free_ void *dst = malloc(guess ? guess : 1);
	struct unpacking u = {
		.out = {.dst = dst, .size = guess},
		.off = rd->off + sizeof(*hdr),
		.left = hdr->stored_len,
	};
	int r;

	if (!dst)
		return -ENOMEM;
	ZSTD_DCtx_reset(rd->dctx, ZSTD_reset_session_only);
	r = unpack_frame(rd, &u, hdr->raw_len);
	dst = u.out.dst;
	if (r < 0)
		return r;
	*ret = rsp_take_ptr(dst);
	return 0;
}

static int add_section(struct reader *rd, const struct rsp_section_header *hdr, void *data)
{
	struct rsp_snapshot *snap = rd->snap;
	void *v = snap->sections;

	if (rsp_array_reserve(&v, snap->section_cnt, &rd->section_cap, sizeof(*snap->sections)) < 0)
		return -ENOMEM;
	snap->sections = v;
	snap->sections[snap->section_cnt++] = (struct rsp_section){
		.type = hdr->type, .data = data, .len = hdr->raw_len};
	return 0;
}

/* Returns the records of a section that the filter keeps, and sets hdr->raw_len to their length. */
static void *keep_filtered(const struct reader *rd, struct rsp_section_header *hdr, void *data)
{
	void *shorter;

	if (!rd->filter || hdr->type != RSP_SEC_EVENTS)
		return data;
	hdr->raw_len = rd->filter(&rd->snap->meta, data, hdr->raw_len, rd->filter_userdata);
	shorter = realloc(data, hdr->raw_len ? hdr->raw_len : 1);
	return shorter ? shorter : data;
}

static int take_section(struct reader *rd, struct rsp_section_header *hdr)
{
	_cleanup_free_ void *data = NULL;
	int r;

	if (hdr->raw_len > rd->raw_max - rd->raw_total)
		return -E2BIG;
	if (hdr->type == RSP_SEC_META && hdr->raw_len > RSP_META_BYTES_MAX)
		return -EBADMSG;
	r = unpack(rd, hdr, &data);
	if (r < 0)
		return r;
	if (hdr->type == RSP_SEC_META) {
		r = rsp_meta_parse(data, hdr->raw_len, &rd->snap->meta);
		rd->have_meta |= r == 0;
		return r;
	}
	/* count dropped records, too, because reading them takes time */
	rd->raw_total += hdr->raw_len;
	data = keep_filtered(rd, hdr, data);
	r = add_section(rd, hdr, data);
	if (r < 0)
		return r;
	rsp_take_ptr(data);
	return 0;
}

/* --- the file ------------------------------------------------------------------------------- */

static bool is_wanted(const struct reader *rd, uint32_t type)
{
	if (type == RSP_SEC_EVENTS || type == RSP_SEC_SYMBOLS)
		return !rd->meta_only;
	return type == RSP_SEC_META;
}

/* Reads a section. Returns 1; 0: it was the end marker; -EBADMSG or another error. */
static int read_section(struct reader *rd)
{
	struct rsp_section_header hdr, taken;
	int r;

	r = read_section_header(&rd->src, rd->off, &hdr);
	if (r < 0)
		return r;
	if (is_wanted(rd, hdr.type)) {
		taken = hdr;
		r = take_section(rd, &taken);
		if (r < 0)
			return r;
	}
	rd->off = section_end(rd->off, &hdr);
	return hdr.type != RSP_SEC_END;
}

static int read_sections(struct reader *rd)
{
	int r;

	r = read_file_header(&rd->src);
	if (r < 0)
		return r;
	rd->off = sizeof(struct rsp_file_header);
	do
		r = read_section(rd);
	while (r > 0);
	if (r < 0 && r != -EBADMSG)
		return r;
	rd->snap->truncated = r < 0;
	rd->snap->usable_bytes = rd->off;
	rd->snap->file_bytes = rd->src.len;
	return rd->have_meta ? 0 : -EBADMSG;
}

static void reader_done(struct reader *rd)
{
	ZSTD_freeDCtx(rd->dctx);
	free(rd->in);
	rsp_snapshot_free(rd->snap);
}

/*
 * Data made to exhaust the memory of a reader compress by a factor of 30,000, records by much less.
 */
static uint64_t raw_max(uint64_t file_bytes)
{
	uint64_t times = RSP_SNAPSHOT_RATIO_MAX * MIN(file_bytes, RSP_SNAPSHOT_BYTES_MAX);

	return MIN(RSP_SNAPSHOT_RATIO_FREE + times, RSP_SNAPSHOT_BYTES_MAX);
}

static int open_source(const struct source *src, bool meta_only, rsp_records_filter_fn filter,
		       void *filter_userdata, struct rsp_snapshot **ret)
{
	_cleanup_(reader_done) struct reader rd = {
		.src = *src,
		.raw_max = raw_max(src->len),
		.meta_only = meta_only,
		.filter = filter,
		.filter_userdata = filter_userdata,
		.dctx = ZSTD_createDCtx(),
		.in = malloc(MIN(src->len, (uint64_t)PIECE_BYTES)),
		.snap = calloc(1, sizeof(*rd.snap)),
	};
	int r;

	if (!rd.dctx || !rd.in || !rd.snap)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(rd.dctx, ZSTD_d_windowLogMax, RSP_SNAPSHOT_ZSTD_WINDOW_LOG);
	r = read_sections(&rd);
	if (r < 0)
		return r;
	*ret = rsp_take_ptr(rd.snap);
	return 0;
}

int rsp_snapshot_open(const void *bytes, size_t len, struct rsp_snapshot **ret)
{
	/* bytes may be NULL if len is 0, but NULL in struct source means a file */
	const struct source src = {.bytes = bytes ? bytes : "", .fd = -1, .len = len};

	return open_source(&src, false, NULL, NULL, ret);
}

static int open_fd(int fd, bool meta_only, rsp_records_filter_fn filter, void *filter_userdata,
		   struct rsp_snapshot **ret)
{
	struct source src;
	int r;

	r = source_from_fd(fd, &src);
	if (r < 0)
		return r;
	return open_source(&src, meta_only, filter, filter_userdata, ret);
}

int rsp_snapshot_open_fd(int fd, struct rsp_snapshot **ret)
{
	return open_fd(fd, false, NULL, NULL, ret);
}

int rsp_snapshot_open_filtered_fd(int fd, rsp_records_filter_fn filter, void *userdata,
				  struct rsp_snapshot **ret)
{
	return open_fd(fd, false, filter, userdata, ret);
}

int rsp_snapshot_open_meta_fd(int fd, struct rsp_snapshot **ret)
{
	return open_fd(fd, true, NULL, NULL, ret);
}

struct rsp_snapshot *rsp_snapshot_free(struct rsp_snapshot *s)
{
	if (!s)
		return NULL;
	for (size_t i = 0; i < s->section_cnt; i++)
		free((void *)s->sections[i].data);
	free(s->sections);
	free(s);
	return NULL;
}

static int scan_headers(int fd, uint64_t *ret_off, uint64_t *ret_events_bytes)
{
	uint64_t off = sizeof(struct rsp_file_header);
	struct rsp_section_header hdr;
	struct source src = {.fd = -1};
	int r;

	*ret_events_bytes = 0;

	r = source_from_fd(fd, &src);
	if (r == 0)
		r = read_file_header(&src);
	if (r < 0)
		return r;
	for (;;) {
		r = read_section_header(&src, off, &hdr);
		if (r < 0)
			return r;
		if (hdr.type == RSP_SEC_END)
			break;
		if (hdr.type == RSP_SEC_EVENTS)
			*ret_events_bytes += hdr.raw_len;
		off = section_end(off, &hdr);
	}
	*ret_off = off;
	return 0;
}

int rsp_snapshot_find_end(int fd, uint64_t *ret_off)
{
	return scan_headers(fd, ret_off, &(uint64_t){0});
}

/*
 * If the snapshot is truncated, returns the length of the records in the sections before the
 * damage.
 */
uint64_t rsp_snapshot_events_bytes(int fd)
{
	uint64_t bytes;

	(void)scan_headers(fd, &(uint64_t){0}, &bytes);
	return bytes;
}
