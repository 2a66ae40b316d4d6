/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a file for a request of one of several kinds. Code that names functions describes the files
 * that it needs by such requests. So this code can run in a process that may not open files:
 * another process opens them, but does not read them. Nothing is verified here: the file at a path
 * may be any regular file.
 */
#ifndef RSP_LIB_FILES_H
#define RSP_LIB_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

#define RSP_DEBUG_DIR "/usr/lib/debug"

/* The largest known perf maps have some 100 MiB. */
#define RSP_PERF_MAP_BYTES_MAX (256U << 20)

enum rsp_file_kind {
	/* The binary of a BINARY record: */
	RSP_FILE_IN_ROOT = 1, /* by its path, in the root of its process */
	/* the file that its process has mapped, even if deleted or replaced; needs privileges */
	RSP_FILE_MAPPED,
	RSP_FILE_HERE, /* by its path, on this machine */
	/* A debug file of that binary, in the root of its process or on this machine: */
	RSP_FILE_BY_BUILD_ID, /* RSP_DEBUG_DIR/.build-id/xx/yyyy….debug */
	RSP_FILE_BESIDE,      /* name in the binary's directory */
	RSP_FILE_BENEATH,     /* name in .debug there */
	RSP_FILE_IN_SYSTEM,   /* name in RSP_DEBUG_DIR and the binary's directory */
	RSP_FILE_DWZ,	      /* RSP_DEBUG_DIR/.dwz/name */
	/* A file of a process: */
	RSP_FILE_PERF_MAP, /* /tmp/perf-NS_TGID.map, also if the process has ended */
	RSP_FILE_CODE, /* executable memory without a file, as a list of struct rsp_code_range */
	/*
	 * Files in the places that the user named. Only an opener that runs for the user has these.
	 * -ENODATA: there are fewer than n.
	 */
	RSP_FILE_LISTED,    /* the nth file in the directories, with any name */
	RSP_FILE_LAID_OUT,  /* xx/yyyy….debug in the nth place */
	RSP_FILE_DWZ_THERE, /* .dwz/name in the nth place */
	RSP_FILE_DOWNLOAD,  /* from a server, by build-id */
	/*
	 * A copy of the symbols of that binary (lib/symbols/symcopy.h). Only the recorder's opener
	 * has these.
	 */
	RSP_FILE_SYMBOLS,
	RSP_FILE_KIND_MAX,
};

/* Sent between processes unchanged. */
struct rsp_file_request {
	__u32 kind;
	__u32 binary;		    /* its number */
	__u32 tgid, ns_tgid, mntns; /* PERF_MAP, CODE: as in rsp_ev_task */
	__u32 nth;		    /* from 0 */
	__u32 build_id_len;
	__u8 build_id[RSP_BUILD_ID_MAX];
	char name[256];
};

struct rsp_code_range {
	__u64 start, end;
};

/*
 * Opens files. binary: the record of the binary that the request names; NULL if the request names a
 * process instead. open returns a file descriptor, which the caller closes, or -errno.
 */
struct rsp_files {
	int (*open)(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		    void *userdata);
	void *userdata;
};

/* Opens files with the rights of this process. */
extern const struct rsp_files rsp_files_direct;

/* "DIR/xx/yyyy….debug"; len is at least 1. */
void rsp_file_put_build_id_path(char *ret, size_t size, const char *dir, const __u8 *id,
				size_t len);

/*
 * Returns whether the kind of the request is known and its name does not lead out of the directory.
 */
bool rsp_file_request_ok(const struct rsp_file_request *file);

/*
 * Opens a file as rsp_files.open does, for the kinds before RSP_FILE_LISTED. here: "/proc/PID" of
 * the process whose root directory is "this machine". Also -EINVAL: rsp_file_request_ok() rejects
 * the request; -ESTALE: not a regular file. A hostile user's file system (FUSE) can make this
 * block, so a recorder must not call it.
 */
int rsp_file_open(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		  const char *here);

#endif
