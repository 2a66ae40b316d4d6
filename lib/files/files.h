/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wished for, of a list of kinds -> an open file. Who names functions does it by such
 * wishes: so it can be a process that may open nothing itself, served by one that opens files and
 * reads none of them. Nothing is proved here: what lies at a path may be any regular file.
 */
#ifndef RSP_LIB_FILES_H
#define RSP_LIB_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

#define RSP_DEBUG_DIR "/usr/lib/debug"

/* The largest known have some 100 MiB. */
#define RSP_PERF_MAP_BYTES_MAX (256U << 20)

enum rsp_file_kind {
	/* A binary, of which a record tells: */
	RSP_FILE_IN_ROOT = 1, /* by its path, in its process's root */
	RSP_FILE_MAPPED, /* as its process has it mapped, deleted or replaced; takes privileges */
	RSP_FILE_HERE,	 /* by its path, on this machine */
	/* A debug file of that binary, in its process's root, else on this machine: */
	RSP_FILE_BY_BUILD_ID, /* RSP_DEBUG_DIR/.build-id/xx/yyyy….debug */
	RSP_FILE_BESIDE,      /* name in the binary's directory */
	RSP_FILE_BENEATH,     /* name in .debug there */
	RSP_FILE_IN_SYSTEM,   /* name in RSP_DEBUG_DIR and the binary's directory */
	RSP_FILE_DWZ,	      /* RSP_DEBUG_DIR/.dwz/name */
	/* Of a process: */
	RSP_FILE_PERF_MAP, /* /tmp/perf-NS_TGID.map; of one that has ended, too */
	RSP_FILE_CODE,	   /* struct rsp_code_range, one by one: executable memory of no file */
	/*
	 * Where the user said, beside those: only an opener of the user's has these. -ENODATA:
	 * there are less than n.
	 */
	RSP_FILE_LISTED,    /* the nth file in the directories, of any name */
	RSP_FILE_LAID_OUT,  /* xx/yyyy….debug at the nth place in them */
	RSP_FILE_DWZ_THERE, /* .dwz/name in the nth of them */
	RSP_FILE_DOWNLOAD,  /* by build-id, from a server */
	RSP_FILE_KIND_MAX,
};

/* Travels between processes as it is. */
struct rsp_file_wish {
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
 * Whoever opens. binary: the record of wish->binary, NULL: the wish is of a process. Returns a file
 * descriptor (the caller closes it) or -errno.
 */
struct rsp_files {
	int (*open)(const struct rsp_file_wish *wish, const struct rsp_ev_binary *binary,
		    void *userdata);
	void *userdata;
};

/* Opens with the rights of this process. */
extern const struct rsp_files rsp_files_direct;

/* "DIR/xx/yyyy….debug", of which len is at least 1. */
void rsp_file_put_build_id_path(char *ret, size_t size, const char *dir, const __u8 *id,
				size_t len);

/* Is of a known kind, and its name leads nowhere else. */
bool rsp_file_wish_ok(const struct rsp_file_wish *wish);

/*
 * The same as rsp_files.open, for the kinds above LISTED. here: "/proc/PID" of a process for whose
 * root "this machine" stands. Also -EINVAL: the wish is not ok; -ESTALE: no regular file. A file
 * system of an ill-meaning user (FUSE) can make this wait: not for a recorder.
 */
int rsp_file_open(const struct rsp_file_wish *wish, const struct rsp_ev_binary *binary,
		  const char *here);

#endif
