/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See debugfiles.h. */
#include "lib/symbols/debugfiles.h"

#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/elffiles.h"

/* Each file in the user's directories is opened once, to read its build-id. */
#define LISTED_MAX (1U << 20)

#define PLACES_MAX 1024

/* A file in one of the user's directories. nth: its number in the list of these files. */
struct found {
	__u32 nth;
	__u8 build_id[RSP_BUILD_ID_MAX];
	size_t build_id_len;
};

struct rsp_debugfiles {
	const struct rsp_files *files;
	bool dirs, servers;
	struct {
		struct found *v;
		size_t cnt, cap;
	} found;
};

/* --- the directories that the user named ----------------------------------------------------- */

static int get_nth(const struct rsp_debugfiles *d, enum rsp_file_kind kind, __u32 nth)
{
	const struct rsp_file_request request = {.kind = kind, .nth = nth};

	return d->files->open(&request, NULL, d->files->userdata);
}

static int add_found(struct rsp_debugfiles *d, int fd, __u32 nth)
{
	struct found found = {.nth = nth}, *slot;

	if (rsp_elf_read_build_id(fd, found.build_id, &found.build_id_len) < 0)
		return 0;
	slot = rsp_array_add(&d->found);
	if (!slot)
		return -ENOMEM;
	*slot = found;
	return 0;
}

static int read_listed(struct rsp_debugfiles *d)
{
	int r = 0;

	for (__u32 nth = 0; r == 0 && nth < LISTED_MAX; nth++) {
		_cleanup_close_ int fd = get_nth(d, RSP_FILE_LISTED, nth);

		if (fd == -ENODATA)
			break;
		if (fd >= 0)
			r = add_found(d, fd, nth);
	}
	return r;
}

int rsp_debugfiles_new(const struct rsp_files *files, bool dirs, bool servers,
		       struct rsp_debugfiles **ret)
{
	struct rsp_debugfiles *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return -ENOMEM;
	d->files = files;
	d->dirs = dirs;
	d->servers = servers;
	r = dirs ? read_listed(d) : 0;
	if (r < 0) {
		rsp_debugfiles_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

struct rsp_debugfiles *rsp_debugfiles_free(struct rsp_debugfiles *d)
{
	if (!d)
		return NULL;
	free(d->found.v);
	free(d);
	return NULL;
}

/* --- by build-id ----------------------------------------------------------------------------- */

/*
 * Returns fd if it is the requested file. Otherwise, closes fd and returns -ESTALE. If fd is an
 * error, returns fd.
 */
static int prove(int fd, const struct rsp_debug_request *request)
{
	if (fd < 0 || rsp_elffiles_is(fd, request->build_id, request->build_id_len))
		return fd;
	close(fd);
	return -ESTALE;
}

/*
 * The name in the request comes from a binary, and may break the rules for requests
 * (lib/files/files.h).
 */
static int get(const struct rsp_debugfiles *d, const struct rsp_debug_request *request,
	       const struct rsp_file_request *file)
{
	if (!rsp_file_request_ok(file))
		return -ENOENT;
	return d->files->open(file, request->binary, d->files->userdata);
}

static int get_named(const struct rsp_debugfiles *d, const struct rsp_debug_request *request,
		     enum rsp_file_kind kind, __u32 nth, const char *name)
{
	struct rsp_file_request file = {
		.kind = kind, .binary = request->binary->number, .nth = nth};

	if (strlen(name) >= sizeof(file.name))
		return -ENOENT;
	strcpy(file.name, name);
	return get(d, request, &file);
}

static int get_by_build_id(const struct rsp_debugfiles *d, const struct rsp_debug_request *request,
			   enum rsp_file_kind kind, __u32 nth)
{
	struct rsp_file_request file = {
		.kind = kind,
		.binary = request->binary->number,
		.nth = nth,
		.build_id_len = (__u32)request->build_id_len,
	};

	memcpy(file.build_id, request->build_id, request->build_id_len);
	return get(d, request, &file);
}

static int open_laid_out(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	int fd = -ENOENT;

	for (__u32 nth = 0; fd < 0 && fd != -ENODATA && nth < PLACES_MAX; nth++)
		fd = prove(get_by_build_id(d, request, RSP_FILE_LAID_OUT, nth), request);
	return fd;
}

static int open_found(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	int fd = -ENOENT;

	for (size_t i = 0; i < d->found.cnt && fd < 0; i++) {
		const struct found *f = &d->found.v[i];

		if (f->build_id_len == request->build_id_len &&
		    memcmp(f->build_id, request->build_id, request->build_id_len) == 0)
			fd = prove(get_nth(d, RSP_FILE_LISTED, f->nth), request);
	}
	return fd;
}

static bool has_build_id(const struct rsp_debug_request *request)
{
	return request->build_id_len > 0 && request->build_id_len <= RSP_BUILD_ID_MAX;
}

static int open_by_build_id(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	int fd = -ENOENT;

	if (!has_build_id(request))
		return -ENOENT;
	if (d->dirs)
		fd = open_laid_out(d, request);
	if (fd < 0)
		fd = open_found(d, request);
	return fd >= 0 ? fd : prove(get_by_build_id(d, request, RSP_FILE_BY_BUILD_ID, 0), request);
}

/* --- by name --------------------------------------------------------------------------------- */

/* The checksum in .gnu_debuglink is the CRC-32 of zip files. */
static bool has_crc(int fd, __u32 want)
{
	__u32 table[256], crc = ~0U;
	__u8 buf[65536];
	off_t off = 0;
	ssize_t n;

	for (__u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	while ((n = pread(fd, buf, sizeof(buf), off)) > 0 && off < (off_t)RSP_ELF_BYTES_MAX) {
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
		off += n;
	}
	return n == 0 && ~crc == want;
}

static int open_by_link(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	static const enum rsp_file_kind kinds[] = {RSP_FILE_BESIDE, RSP_FILE_BENEATH,
						   RSP_FILE_IN_SYSTEM};

	for (size_t i = 0; request->link && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		_cleanup_close_ int fd = get_named(d, request, kinds[i], 0, request->link);

		if (fd < 0)
			continue;
		/*
		 * Computing the checksum requires reading the whole file, so it is used only if the
		 * build-id is unknown.
		 */
		if (request->build_id_len
			    ? rsp_elffiles_is(fd, request->build_id, request->build_id_len)
			    : has_crc(fd, request->link_crc))
			return rsp_take_fd(&fd);
	}
	return -ENOENT;
}

int rsp_debugfiles_open(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	int fd = open_by_build_id(d, request);

	if (fd < 0)
		fd = open_by_link(d, request);
	if (fd < 0 && d->servers && has_build_id(request))
		fd = prove(get_by_build_id(d, request, RSP_FILE_DOWNLOAD, 0), request);
	return fd < 0 ? -ENOENT : fd;
}

#define DWZ_DIR "/.dwz/"

static int open_dwz_there(const struct rsp_debugfiles *d, const struct rsp_debug_request *request,
			  const char *name)
{
	int fd = -ENOENT;

	for (__u32 nth = 0; fd < 0 && fd != -ENODATA && nth < PLACES_MAX; nth++)
		fd = prove(get_named(d, request, RSP_FILE_DWZ_THERE, nth, name), request);
	return fd;
}

/*
 * The requested file contains the common parts of several debug files. dwz moves these parts to
 * DIR/.dwz/, and each debug file refers to the file by a relative path.
 */
int rsp_debugfiles_open_alt(const struct rsp_debugfiles *d, const struct rsp_debug_request *request)
{
	const char *beneath = strstr(request->link, DWZ_DIR);
	const char *name = beneath ? beneath + strlen(DWZ_DIR) : NULL;
	int fd = open_by_build_id(d, request);

	if (fd < 0 && name && d->dirs)
		fd = open_dwz_there(d, request, name);
	if (fd < 0 && name)
		fd = prove(get_named(d, request, RSP_FILE_DWZ, 0, name), request);
	return fd < 0 ? -ENOENT : fd;
}
