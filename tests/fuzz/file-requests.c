/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers any request of a compromised worker. The broker must open only files that the kind of the
 * request allows. This target opens no files: it checks the paths.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/broker.h"
#include "lib/files/regular.h"
#include "tests/fuzz/input.h"

#define PATH_BYTES 64

static struct rsp_file_request file;
static union {
	struct rsp_ev_binary record;
	char bytes[sizeof(struct rsp_ev_binary) + PATH_BYTES];
} known;
static bool is_there; /* every path leads to an existing file: the binary */
static int fd = -1;

/* In place of daemon/capture/binaries.c: the recorder knows a single binary. */
const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number)
{
	return number == known.record.number ? &known.record : NULL;
}

int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number)
{
	return -1;
}

bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number)
{
	return known.record.dev & 1;
}

const void *rsp_binaries_symbols(const struct rsp_binaries *b, __u32 number,
				 struct rsp_symbols_origin *ret)
{
	*ret = (struct rsp_symbols_origin){.len = PATH_BYTES, .mode = known.record.dev};
	return number == known.record.number ? known.bytes : NULL;
}

bool rsp_binaries_is_unchanged(const struct rsp_binaries *b, __u32 number, const struct stat *st)
{
	return known.record.dev & 2;
}

/* --- replaces lib/files/regular.c ------------------------------------------------------------ */

static int open_it(void)
{
	return is_there ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -ENOENT;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/*
 * The path of a debug file must begin with RSP_DEBUG_DIR, or with the first byte of the binary's
 * path. Unless a build ID names the file, it must contain the requested name.
 */
static void check_name(const char *path)
{
	const char *name = strstr(path, file.name);

	must(begins(path, RSP_DEBUG_DIR) || path[0] == known.record.path[0]);
	must(file.kind == RSP_FILE_BY_BUILD_ID || (name && !strstr(file.name, "../")));
}

int rsp_regular_reopen(int path_fd)
{
	return -ENOENT;
}

int rsp_regular_open_in(const char *root, const char *path)
{
	must(begins(root, "/proc/") && !strstr(root, ".."));
	switch (file.kind) {
	case RSP_FILE_IN_ROOT:
	case RSP_FILE_HERE:
		must(strcmp(path, known.record.path) == 0);
		break;
	case RSP_FILE_DWZ:
		must(begins(path, RSP_DEBUG_DIR "/.dwz/") && !strstr(path, ".."));
		break;
	default:
		check_name(path);
	}
	return open_it();
}

int rsp_regular_open_no_link_in(const char *root, const char *path)
{
	must(file.kind == RSP_FILE_PERF_MAP && begins(path, "/tmp/perf-") && !strstr(path, ".."));
	return open_it();
}

int rsp_regular_open(const char *path)
{
	must(file.kind == RSP_FILE_MAPPED && begins(path, "/proc/"));
	return open_it();
}

/* ---------------------------------------------------------------------------------------------- */

static void know(struct input *in)
{
	struct stat st;
	__u8 what = take_u8(in);

	memset(&known, 0, sizeof(known));
	known.record.number = 1;
	known.record.tgid = take_tid(in);
	take_text(in, known.bytes + offsetof(struct rsp_ev_binary, path), PATH_BYTES);
	is_there = what & 1;
	must(pwrite(fd, what & 2 ? "\177ELF" : "text", 4, 0) == 4 && fstat(fd, &st) == 0);
	if (what & 4) {
		known.record.ino = st.st_ino;
		known.record.dev = major(st.st_dev) << 20 | minor(st.st_dev);
	}
}

static void take_request(struct input *in)
{
	memset(&file, 0, sizeof(file));
	file.kind = take_u8(in) % (RSP_FILE_KIND_MAX + 1);
	file.binary = take_u8(in) & 1;
	file.tgid = take_tid(in);
	file.ns_tgid = take_tid(in);
	file.mntns = take_tid(in);
	file.build_id_len = take_u8(in) % (RSP_BUILD_ID_MAX + 2);
	take(in, file.build_id, sizeof(file.build_id));
	/* The name may lack a NUL. */
	take(in, file.name, in->len < sizeof(file.name) ? in->len : sizeof(file.name));
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct input in = {data, len};
	struct rsp_broker broker = {0};
	int r;

	if (fd < 0)
		fd = memfd_create("binary", MFD_CLOEXEC);
	broker.only_readable = take_u8(&in) & 1;
	broker.uid = take_u8(&in);
	know(&in);
	take_request(&in);
	r = rsp_broker_open(&broker, &file);
	must(r < 0 || rsp_file_request_ok(&file));
	if (r >= 0)
		close(r);
	return 0;
}
