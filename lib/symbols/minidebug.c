/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See minidebug.h. */
#include "lib/symbols/minidebug.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "lib/symbols/elf.h"

/* Decoding data that was compressed with xz -9 needs 65 MiB. */
#define DECODER_BYTES_MAX (128ULL << 20)

#define FIRST_BYTES 65536

static int decode(lzma_stream *xz, __u8 **buf)
{
	size_t size = 0;
	lzma_ret status = LZMA_OK;

	while (status == LZMA_OK) {
		size_t used = size;
		__u8 *larger;

		if (size >= RSP_MINIDEBUG_BYTES_MAX)
			return -EFBIG;
		size = size ? size * 2 : FIRST_BYTES;
		larger = realloc(*buf, size);
		if (!larger)
			return -ENOMEM;
		*buf = larger;
		xz->next_out = larger + used;
		xz->avail_out = size - used;
		while (status == LZMA_OK && xz->avail_out)
			status = lzma_code(xz, LZMA_FINISH);
	}
	if (status == LZMA_MEM_ERROR)
		return -ENOMEM;
	return status == LZMA_STREAM_END ? 0 : -EBADMSG;
}

int rsp_minidebug_read(Elf *elf, void **ret, size_t *ret_len)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	_cleanup_free_ __u8 *buf = NULL;
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, ".gnu_debugdata", 0, &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	int r;

	if (!scn)
		return -ENODATA;
	if (!data || !data->d_buf)
		return -EBADMSG;
	if (lzma_stream_decoder(&xz, DECODER_BYTES_MAX, 0) != LZMA_OK)
		return -ENOMEM;
	xz.next_in = data->d_buf;
	xz.avail_in = data->d_size;
	r = decode(&xz, &buf);
	lzma_end(&xz);
	if (r < 0)
		return r;
	*ret_len = xz.total_out;
	*ret = rsp_take_ptr(buf);
	return 0;
}
