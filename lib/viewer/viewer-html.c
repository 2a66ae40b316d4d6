/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The template of web/, and in it the recording: compressed, in characters that HTML leaves alone.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "viewer-parts.h"
#include "lib/base/cleanup.h"

/* What `web/fold` makes of web/, with a NUL behind it. */
__asm__(".pushsection .rodata\n"
	".global rsp_viewer_template\n"
	"rsp_viewer_template: .incbin \"viewer.html\"\n"
	".byte 0\n"
	".popsection\n");
extern const char rsp_viewer_template[];

/* Where the recording goes. */
#define MARKER "<!-- recording -->"

/* A multiple of 3: only the last piece of base64 is padded. */
#define CHUNK (3 << 14)

struct packer {
	FILE *out;
	z_stream stream;
	size_t cnt;
	unsigned char chunk[CHUNK];
};

static void put_base64(FILE *out, const unsigned char *p, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (; len > 0; p += 3) {
		size_t n = len < 3 ? len : 3;
		unsigned int bits = (unsigned int)p[0] << 16 | (n > 1 ? p[1] << 8 : 0) |
				    (n > 2 ? p[2] : 0);

		putc_unlocked(digits[bits >> 18], out);
		putc_unlocked(digits[bits >> 12 & 63], out);
		putc_unlocked(n > 1 ? digits[bits >> 6 & 63] : '=', out);
		putc_unlocked(n > 2 ? digits[bits & 63] : '=', out);
		len -= n;
	}
}

/* flush: Z_NO_FLUSH, or Z_FINISH with the last bytes. */
static void pack(struct packer *p, const void *data, size_t len, int flush)
{
	int r;

	p->stream.next_in = (unsigned char *)data;
	p->stream.avail_in = (unsigned int)len;
	do {
		p->stream.next_out = p->chunk + p->cnt;
		p->stream.avail_out = (unsigned int)(CHUNK - p->cnt);
		r = deflate(&p->stream, flush);
		p->cnt = CHUNK - p->stream.avail_out;
		if (p->cnt == CHUNK || r == Z_STREAM_END) {
			put_base64(p->out, p->chunk, p->cnt);
			p->cnt = 0;
		}
	} while (p->stream.avail_in > 0 || (flush == Z_FINISH && r == Z_OK));
}

/* zlib counts in 32 bits. */
static void pack_column(struct packer *p, const struct rsp_column *c)
{
	static const size_t step = 1 << 30;

	for (size_t at = 0; at < c->bytes.cnt; at += step)
		pack(p, c->bytes.v + at, c->bytes.cnt - at < step ? c->bytes.cnt - at : step,
		     Z_NO_FLUSH);
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

	if (head_len > UINT32_MAX)
		return -E2BIG;
	if (!p || deflateInit(&p->stream, Z_BEST_COMPRESSION) != Z_OK)
		return -ENOMEM;
	p->out = out;
	pack(p, size, sizeof(size), Z_NO_FLUSH);
	pack(p, head, head_len, Z_NO_FLUSH);
	for (size_t i = 0; i < RSP_COL_MAX; i++)
		pack_column(p, &v->columns.v[i]);
	pack(p, NULL, 0, Z_FINISH);
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
