/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files by requests. The code that finds names of functions describes each file that it needs
 * in a request, so it can run in a process that may not open files. This module does not verify the
 * content: the file at a path may be any regular file.
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
	RSP_FILE_IN_ROOT = 1, /* the file at the binary's path, in the root of the process */
	/*
	 * the file that the process has mapped, even if it was deleted or replaced; needs
	 * privileges
	 */
	RSP_FILE_MAPPED,
	RSP_FILE_HERE, /* the file at the binary's path, on this machine */
	/* a debug file of this binary, in the root of the process or on this machine: */
	RSP_FILE_BY_BUILD_ID, /* RSP_DEBUG_DIR/.build-id/xx/yyyy….debug */
	RSP_FILE_BESIDE,      /* DIR/name; DIR is the directory of the binary */
	RSP_FILE_BENEATH,     /* DIR/.debug/name */
	RSP_FILE_IN_SYSTEM,   /* RSP_DEBUG_DIR/DIR/name */
	RSP_FILE_DWZ,	      /* RSP_DEBUG_DIR/.dwz/name */
	/* A file of a process: */
	RSP_FILE_PERF_MAP, /* /tmp/perf-NS_TGID.map, even if the process has ended */
	RSP_FILE_CODE, /* executable memory without a file, as a list of struct rsp_code_range */
	/*
	 * Files in the directories that the user named, for a process that opens files for this
	 * user. If nth is too large, the result is -ENODATA.
	 */
	RSP_FILE_LISTED, /* the nth of all files in the directories */
	/* xx/yyyy….debug in directory nth / 2; for an even nth, in its subdirectory .build-id */
	RSP_FILE_LAID_OUT,
	RSP_FILE_DWZ_THERE, /* .dwz/name in the nth directory */
	RSP_FILE_DOWNLOAD,  /* from a server, by build-id */
	/* A copy of the symbols of this binary (lib/symbols/symcopy.h), from the recorder. */
	RSP_FILE_SYMBOLS,
	RSP_FILE_KIND_MAX,
};

/* Processes send this struct to each other unchanged. */
struct rsp_file_request {
	__u32 kind;
	__u32 binary;		    /* its number */
	__u32 tgid, ns_tgid, mntns; /* PERF_MAP, CODE: as in struct rsp_ev_task */
	__u32 nth;		    /* from 0 */
	__u32 build_id_len;
	__u8 build_id[RSP_BUILD_ID_MAX];
	char name[256];
};

struct rsp_code_range {
	__u64 start, end;
};

/*
 * binary: the record of the binary that the request names; NULL if the request names a process
 * instead. open returns a file descriptor, which the caller closes, or -errno.
 */
struct rsp_files {
	int (*open)(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		    void *userdata);
	void *userdata;
};

extern const struct rsp_files rsp_files_direct;

/* len is at least 1. */
void rsp_file_put_build_id_path(char *ret, size_t size, const char *dir, const __u8 *id,
				size_t len);

/* A valid request cannot contain a name that leads out of its directory. */
bool rsp_file_request_ok(const struct rsp_file_request *file);

/*
 * Opens a file like rsp_files.open(), for the kinds before RSP_FILE_LISTED. here: "/proc/PID" of a
 * process whose root directory is the root of "this machine". Also returns -EINVAL: the request is
 * not valid; -ESTALE: the file is not a regular file. A file system of a hostile user (FUSE) can
 * block this function, so the recorder's main process must not call it.
 */
int rsp_file_open(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		  const char *here);

#endif
