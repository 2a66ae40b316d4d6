/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompresses any bytes as .gnu_debugdata, which contains an xz stream. Random bytes never have
 * valid checksums, so the target corrects those of the headers.
 */
#include <errno.h>
#include <lzma.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/minidebug.h"
#include "tests/fuzz/elf-image.h"

#define STREAM_HEADER_BYTES 12

static const struct elf_image_section sections[] = {{".gnu_debugdata", SHT_PROGBITS, 0, 0}};

static void put_sum(__u8 *bytes, size_t from, size_t to)
{
	__u32 sum = lzma_crc32(bytes + from, to - from, 0);

	memcpy(bytes + to, &sum, sizeof(sum));
}

static void put_sums(__u8 *xz, size_t len)
{
	size_t block_bytes;

	if (len < STREAM_HEADER_BYTES + 1)
		return;
	put_sum(xz, 6, 8);
	block_bytes = (xz[STREAM_HEADER_BYTES] + 1U) * 4;
	if (STREAM_HEADER_BYTES + block_bytes <= len)
		put_sum(xz, STREAM_HEADER_BYTES, STREAM_HEADER_BYTES + block_bytes - 4);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct elf_image image;
	struct input in = {data, len};
	size_t offset = (sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 7) / 8 * 8, xz_len = 0;
	void *bytes;
	Elf *elf;
	int r;

	if (len >= 2)
		xz_len = (data[0] | data[1] << 8U) % 2048;
	elf_image_take(&in, sections, 1, &image);
	put_sums((__u8 *)image.bytes + offset, xz_len);
	must(rsp_elf_open_memory(image.bytes, image.len, &elf) == 0);
	r = rsp_minidebug_read(elf, &bytes, &len);
	must(r == 0 || r == -ENODATA || r == -EBADMSG || r == -EFBIG || r == -ENOMEM);
	if (r == 0)
		free(bytes);
	elf_end(elf);
	return 0;
}
