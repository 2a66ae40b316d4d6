/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as a snapshot file. If the first byte is 0, the other bytes are a whole file.
 * Otherwise they are uncompressed sections: the target compresses them and adds headers with valid
 * checksums.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "lib/snapshot/snapshot-format.h"
#include "lib/snapshot/symbols.h"
#include "tests/fuzz/input.h"

#define FILE_BYTES_MAX (64 << 10)

static size_t put_section(char *file, size_t len, struct input *in)
{
	static char raw[4096];
	struct rsp_section_header hdr = {.type = take_u8(in) & 3};
	size_t raw_len = take_u16(in) % sizeof(raw), stored;
	__u8 lie = take_u8(in);

	take(in, raw, raw_len);
	stored = ZSTD_compress(file + len + sizeof(hdr), ZSTD_compressBound(raw_len), raw, raw_len,
			       1);
	must(!ZSTD_isError(stored));
	hdr.stored_len = stored;
	hdr.raw_len = hdr.type == RSP_SEC_END ? len : raw_len;
	if (hdr.type == RSP_SEC_END)
		hdr.stored_len = stored = 0;
	if (lie & 1)
		hdr.raw_len = take_u64(in);
	if (lie & 2)
		hdr.stored_len = take_u64(in);
	hdr.check = rsp_section_header_check(&hdr);
	memcpy(file + len, &hdr, sizeof(hdr));
	memset(file + len + sizeof(hdr) + stored, 0, 8);
	return sizeof(hdr) + rsp_section_padded(stored);
}

static size_t put_file(char *file, struct input *in)
{
	const struct rsp_file_header hdr = {.magic = RSP_SNAPSHOT_MAGIC,
					    .version = RSP_SNAPSHOT_VERSION};
	size_t len = sizeof(hdr);

	memcpy(file, &hdr, sizeof(hdr));
	while (in->len > 0 && len + 8192 < FILE_BYTES_MAX)
		len += put_section(file, len, in);
	return len;
}

static void check(const struct rsp_snapshot *s)
{
	must(s->usable_bytes <= s->file_bytes);
	for (size_t i = 0; i < s->section_cnt; i++) {
		struct rsp_symbols *symbols;

		if (s->sections[i].type == RSP_SEC_SYMBOLS &&
		    rsp_symbols_open(s->sections[i].data, s->sections[i].len, &symbols) == 0)
			rsp_symbols_free(symbols);
	}
}

/*
 * rspd appends the names of functions to a file that a worker wrote. If the file has no end marker,
 * appending must fail.
 */
static void append(const void *bytes, size_t len)
{
	static int fd = -1;
	uint64_t end_off = 0, names = 0;
	int r;

	if (fd < 0)
		fd = memfd_create("snapshot", MFD_CLOEXEC);
	must(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(rsp_write_all(fd, bytes, len) == 0);
	r = rsp_snapshot_find_end(fd, &end_off);
	must(rsp_snapshot_append(fd, RSP_SEC_SYMBOLS, &names, sizeof(names)) == r);
	if (r == 0)
		must(end_off < len && rsp_snapshot_find_end(fd, &end_off) == 0);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static char file[FILE_BYTES_MAX];
	struct input in = {data, len};
	struct rsp_snapshot *s;
	const void *bytes;
	int r;

	if (take_u8(&in)) {
		len = put_file(file, &in);
		bytes = file;
	} else {
		len = in.len;
		bytes = in.bytes;
	}
	append(bytes, len);
	r = rsp_snapshot_open(bytes, len, &s);
	must(r == 0 || r == -EPROTO || r == -ENOTSUP || r == -EBADMSG || r == -E2BIG);
	if (r == 0)
		check(s);
	if (r == 0)
		rsp_snapshot_free(s);
	return 0;
}
