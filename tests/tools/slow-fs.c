/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slow-fs open|read|close|never DIR PROGRAM [DEVICE]: mounts a FUSE file system on DIR. Its files
 * "program", "program1", … "program9" are copies of PROGRAM, and each can be executed once. When a
 * process opens such a file again, its open, read or close blocks forever (never: no request
 * blocks).
 *
 * Prints "ready". Runs until the file system is unmounted or the program is killed; then all
 * blocked processes continue. DEVICE: a file to use instead of /dev/fuse.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NAME	    "program"
#define REQUEST_MAX (1 << 20)
#define READ_MAX    (128 << 10)
/* node ID of "program"; node 1 is the directory */
#define NODE	    2
#define PROGRAM_CNT 10

static int dev, program;
static const char *hangs;
static struct stat program_st;

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t len)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + len), .error = error, .unique = in->unique};
	struct iovec parts[] = {{&out, sizeof(out)}, {(void *)data, len}};

	if (writev(dev, parts, 2) < 0 && errno != ENOENT) /* ENOENT: the process was killed */
		err(1, "reply");
}

static struct fuse_attr attr_of(uint64_t node)
{
	bool is_program = node >= NODE;

	return (struct fuse_attr){
		.ino = node,
		.size = is_program ? (uint64_t)program_st.st_size : 0,
		.mtime = (uint64_t)program_st.st_mtim.tv_sec,
		.mode = is_program ? S_IFREG | 0755 : S_IFDIR | 0755,
		.nlink = 1,
		.blksize = 4096,
	};
}

static void look_up(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = {.nodeid = NODE, .entry_valid = 3600};
	const char *digit = name + strlen(NAME);

	if (strncmp(name, NAME, strlen(NAME)) == 0 && *digit >= '1' && *digit <= '9')
		out.nodeid += (uint64_t)(*digit++ - '0');
	out.attr = attr_of(out.nodeid);
	if (strncmp(name, NAME, strlen(NAME)) != 0 || *digit)
		reply(in, -ENOENT, NULL, 0);
	else
		reply(in, 0, &out, sizeof(out));
}

static void get_attr(const struct fuse_in_header *in)
{
	/* a lifetime of 0: the kernel does not cache the attributes, and always asks */
	struct fuse_attr_out out = {0};

	out.attr = attr_of(in->nodeid);
	reply(in, 0, &out, sizeof(out));
}

static bool hangs_at(const char *request)
{
	return strcmp(hangs, request) == 0;
}

/*
 * The first open() of a program uses the page cache, so that the kernel can execute the program.
 * Later open()s use direct I/O, so that each read() becomes a request.
 */
static void open_program(const struct fuse_in_header *in)
{
	static bool was_opened[PROGRAM_CNT];
	bool *opened = &was_opened[(in->nodeid - NODE) % PROGRAM_CNT];
	struct fuse_open_out out = {.fh = *opened,
				    .open_flags = *opened ? FOPEN_DIRECT_IO : FOPEN_KEEP_CACHE};

	if (!*opened || !hangs_at("open"))
		reply(in, 0, &out, sizeof(out));
	*opened = true;
}

static void read_program(const struct fuse_in_header *in, const struct fuse_read_in *how)
{
	static char buf[READ_MAX];
	size_t len = how->size < sizeof(buf) ? how->size : sizeof(buf);
	ssize_t n = pread(program, buf, len, (off_t)how->offset);

	if (how->fh && hangs_at("read"))
		return;
	reply(in, n < 0 ? -errno : 0, buf, n < 0 ? 0 : (size_t)n);
}

static void begin(const struct fuse_in_header *in, const struct fuse_init_in *how)
{
	const struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = how->max_readahead,
		.max_write = 4096,
	};

	reply(in, 0, &out, sizeof(out));
}

static void describe(const struct fuse_in_header *in)
{
	static const struct fuse_statfs_out out = {
		.st = {.bsize = 4096, .frsize = 4096, .namelen = 255}};

	reply(in, 0, &out, sizeof(out));
}

static void serve(const struct fuse_in_header *in)
{
	switch (in->opcode) {
	case FUSE_INIT:
		begin(in, (const void *)(in + 1));
		break;
	case FUSE_LOOKUP:
		look_up(in, (const char *)(in + 1));
		break;
	case FUSE_GETATTR:
		get_attr(in);
		break;
	case FUSE_OPEN:
		open_program(in);
		break;
	case FUSE_READ:
		read_program(in, (const void *)(in + 1));
		break;
	case FUSE_FLUSH:
		if (!hangs_at("close"))
			reply(in, 0, NULL, 0);
		break;
	case FUSE_STATFS:
		describe(in);
		break;
	case FUSE_RELEASE:
		reply(in, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break; /* no answer is expected */
	default:
		reply(in, -ENOSYS, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	static char request[REQUEST_MAX] __attribute__((aligned(8)));
	char options[128];

	if (argc < 4)
		errx(2, "usage: slow-fs open|read|close|never DIR PROGRAM [DEVICE]");
	hangs = argv[1];
	program = open(argv[3], O_RDONLY | O_CLOEXEC);
	if (program < 0 || fstat(program, &program_st) < 0)
		err(1, "%s", argv[3]);
	dev = open(argc > 4 ? argv[4] : "/dev/fuse", O_RDWR | O_CLOEXEC);
	if (dev < 0)
		err(77, "/dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 dev);
	if (mount("slow-fs", argv[2], "fuse", MS_NODEV | MS_NOSUID, options) < 0)
		err(77, "mount");
	puts("ready");
	fflush(stdout);
	while (read(dev, request, sizeof(request)) > 0)
		serve((const void *)request);
	return errno == ENODEV ? 0 : 1; /* unmounted */
}
