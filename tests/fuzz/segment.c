/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Appends valid records to a segment, and checks that it reads back the same records. */
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/segment.h"

#define SEGMENT_BYTES ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

static struct rsp_segment *seg;
static struct rsp_coder *coder;

/*
 * Moves the valid records among len bytes to the front, and appends them to the segment. Returns
 * their total length.
 */
static size_t fill(char *bytes, size_t len)
{
	size_t off = 0, kept = 0;

	while (off < len) {
		struct rsp_ev_hdr *hdr = (void *)(bytes + off);
		size_t size;

		if (rsp_record_check(hdr, len - off) < 0) {
			off += 8;
			continue;
		}
		size = hdr->size;
		if (rsp_segment_append(seg, coder, hdr) < 0)
			abort(); /* the segment has room for the largest input */
		memmove(bytes + kept, hdr, size);
		kept += size;
		off += size;
	}
	return kept;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	char *in = malloc(len + 1), *out = malloc(RSP_SEGMENT_READ_BYTES_MIN);
	size_t pos = 0, done = 0, n;

	if (!in || !out ||
	    (!seg && (rsp_segment_new(SEGMENT_BYTES, &seg) < 0 || rsp_coder_new(0, &coder) < 0)))
		abort();
	memcpy(in, data, len);
	rsp_segment_clear(seg);
	rsp_coder_reset(coder);
	len = fill(in, len / 8 * 8);
	rsp_coder_reset(coder);
	while ((n = rsp_segment_read(seg, coder, &pos, out, RSP_SEGMENT_READ_BYTES_MIN)) > 0) {
		if (done + n > len || memcmp(in + done, out, n) != 0)
			abort();
		done += n;
	}
	if (done != len)
		abort();
	free(in);
	free(out);
	return 0;
}
