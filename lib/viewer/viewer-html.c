/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the page: the template of web/ with the compressed recording in it. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "lib/base/cleanup.h"
#include "lib/viewer/viewer-parts.h"

extern const char rsp_viewer_template[]; /* viewer-template.S */

/* The writer replaces this text in the template by the recording. */
#define MARKER "<!-- recording -->"

#define CHUNK (1 << 15)

struct packer {
	FILE *out;
	z_stream stream;
	unsigned int bits, bit_cnt; /* bits not yet written, and their number */
	unsigned char in[CHUNK], packed[CHUNK];
};

/*
 * Each character of the encoded recording contains seven bits. All characters are ASCII, so the
 * encoding of the page does not matter. A character that HTML does not preserve is written as
 * ESCAPE and the character with a flipped bit.
 */
#define ESCAPE	   0x01
#define ESCAPE_XOR 0x40

static void put_septet(FILE *out, unsigned int c)
{
	if (c == 0 || c == ESCAPE || c == '\r' || c == '<') {
		putc_unlocked(ESCAPE, out);
		c ^= ESCAPE_XOR;
	}
	putc_unlocked((int)c, out);
}

static void put_bytes(struct packer *p, const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		p->bits = p->bits << 8 | bytes[i];
		for (p->bit_cnt += 8; p->bit_cnt >= 7; p->bit_cnt -= 7)
			put_septet(p->out, p->bits >> (p->bit_cnt - 7) & 0x7f);
	}
}

/* flush: Z_NO_FLUSH, or Z_FINISH with the last bytes. */
static void pack(struct packer *p, const void *data, size_t len, int flush)
{
	p->stream.next_in = (unsigned char *)data;
	p->stream.avail_in = (unsigned int)len;
	do {
		p->stream.next_out = p->packed;
		p->stream.avail_out = CHUNK;
		deflate(&p->stream, flush);
		put_bytes(p, p->packed, CHUNK - p->stream.avail_out);
	} while (p->stream.avail_out == 0);
}

static void pack_column(struct packer *p, const struct rsp_column *col)
{
	size_t size = rsp_column_size(col), len;

	for (size_t off = 0; off < size; off += len) {
		len = size - off < CHUNK ? size - off : CHUNK;
		rsp_column_read(col, off, p->in, len);
		pack(p, p->in, len, Z_NO_FLUSH);
	}
}

static int put_recording(const struct rsp_viewer *v, const char *head, size_t head_len, FILE *out)
{
	_cleanup_free_ struct packer *p = calloc(1, sizeof(*p));
	const unsigned char size[4] = {
		(unsigned char)head_len,
		(unsigned char)(head_len >> 8),
		(unsigned char)(head_len >> 16),
		(unsigned char)(head_len >> 24),
	};

	if (head_len > INT32_MAX)
		return -E2BIG;
	if (!p || deflateInit(&p->stream, Z_DEFAULT_COMPRESSION) != Z_OK)
		return -ENOMEM;
	p->out = out;
	pack(p, size, sizeof(size), Z_NO_FLUSH);
	pack(p, head, head_len, Z_NO_FLUSH);
	for (size_t i = 0; i < RSP_COL_MAX; i++)
		pack_column(p, &v->columns.v[i]);
	pack(p, NULL, 0, Z_FINISH);
	put_septet(out, p->bits << (7 - p->bit_cnt) & 0x7f);
	deflateEnd(&p->stream);
	return 0;
}

int rsp_viewer_html(const struct rsp_viewer *v, const char *head, size_t head_len, FILE *out)
{
	const char *marker = strstr(rsp_viewer_template, MARKER);
	int r;

	errno = 0;
	fwrite(rsp_viewer_template, 1, (size_t)(marker - rsp_viewer_template), out);
	r = put_recording(v, head, head_len, out);
	if (r < 0)
		return r;
	fputs(marker + strlen(MARKER), out);
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
