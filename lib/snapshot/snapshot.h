/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshot file: a header, sections, an end marker. docs/snapshot-format.md describes it byte
 * by byte. It is written once, front to back. Any byte string is safe to open.
 */
#ifndef RSP_LIB_SNAPSHOT_H
#define RSP_LIB_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/snapshot/host.h"

enum rsp_section_type {
	RSP_SEC_META = 1, /* one JSON object; its keys are the members of struct rsp_meta */
	/* concatenated records; a file may have many such sections, to be read in order */
	RSP_SEC_EVENTS = 2,
	RSP_SEC_SYMBOLS = 3, /* names of frames, see symbols.h */
};

/* The reason why a snapshot was taken, unless a user asked for it. */
struct rsp_trigger {
	char slo[64];	  /* name; "": a user requested the snapshot */
	char measure[16]; /* "request", "wait", "runqueue", "disk", "function", "psi" */
	/* subject of the measure, as configured: "Unit=nginx.service"; "": any */
	char subject[256];
	char resource[16]; /* PSI: "cpu", "memory", "io" */
	bool full;	   /* PSI: all tasks were stalled, not just some */
	uint64_t value_ns; /* the value above the limit; 0: a user requested the snapshot */
	uint64_t threshold_ns;
	/* value is this quantile of cnt observations within over_ns; 0: value is one observation */
	uint32_t quantile_ppm;
	uint64_t over_ns; /* also for PSI: the span in which tasks stalled for value_ns */
	uint64_t cnt, over_cnt;
};

/* A host of a merged snapshot. host.h describes its identities. */
struct rsp_meta_host {
	char name[25];	    /* unique among the hosts; the name of the host up to the first dot */
	char id[40];	    /* ID of the snapshot from that host */
	uint32_t cpu_first; /* number of its first CPU */
	/*
	 * offset_ns: the clock of the first host minus that of this one, at the beginning of the
	 * span; drift_ppb: by how much the clock of the first host runs faster, in billionths;
	 * uncertainty_ns: the maximum error of the clock within the span.
	 */
	int64_t offset_ns;
	int32_t drift_ppb;
	uint32_t drift_error_ppb; /* its maximum error */
	uint64_t uncertainty_ns;
};

/* The description of a snapshot. Strings are NUL-terminated, and cut if longer. */
struct rsp_meta {
	char id[40]; /* random, 32 hex digits */
	char host[65];
	char boot_id[40]; /* 32 hex digits; "": unknown (an older recorder) */
	char kernel[65];  /* release */
	char arch[16];
	char version[32];  /* of rspd */
	char command[256]; /* command of `run`; empty for other verbs */
	uint32_t cpu_cnt;
	uint32_t target_pid;		     /* tgid of the process of interest */
	char target_comm[RSP_TASK_COMM_LEN]; /* its name; "": unknown (an older recorder) */
	uint32_t target_tid; /* only this thread is of interest; 0: the whole process */
	/* its start time, 0: unknown; distinguishes processes with the same pid */
	uint64_t target_start_ns;
	/*
	 * The span to be explained, in CLOCK_MONOTONIC: the requested span, or the time of the
	 * request or wait that was too slow. Events may begin before the span and end after it.
	 */
	uint64_t since_ns;
	uint64_t until_ns;
	/* begin of the recorded events; if > since_ns, older events were evicted */
	uint64_t window_oldest_ns;
	uint64_t events_until_ns; /* end of the recorded events; 0: until_ns */
	/* tasks of other users have no names, stacks and files, and are marked as closed */
	bool redacted;
	int64_t realtime_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC at the snapshot */
	uint32_t sample_hz;
	int32_t exit_status; /* exit status of the command of `run`, as from wait(2); -1: none */
	struct rsp_trigger trigger;
	/* Hosts of a merged snapshot (lib/merge). host_cnt 0: the snapshot is from one host. */
	struct rsp_meta_host hosts[RSP_HOST_CNT_MAX];
	uint32_t host_cnt;
};

/* Size of the name of a task and of its host: "nginx@web". */
#define RSP_COMM_MAX (RSP_TASK_COMM_LEN + sizeof(((struct rsp_meta_host *)0)->name))
/*
 * Writes the name of a task to buf, cleaned as described in text.h. In a merged snapshot the name
 * of its host follows, unless that is the host of the process of interest. Returns buf.
 */
char *rsp_meta_comm(const struct rsp_meta *meta, const struct rsp_ev_task *task,
		    char buf[static RSP_COMM_MAX]);

/* Cleans strings that may be hostile: they are terminated and printable. */
void rsp_meta_clean(struct rsp_meta *meta);
/*
 * Makes another process, with all its threads, the process of interest. This is possible because a
 * snapshot contains all processes. Removes the command and the trigger from META, because they
 * belong to the previous process.
 */
void rsp_meta_choose_process(struct rsp_meta *meta, uint32_t pid);
/*
 * Extends the span from the request or wait that exceeded a limit to the whole window, and to all
 * threads of the process. After that, META contains no trigger.
 */
void rsp_meta_choose_whole(struct rsp_meta *meta);

/* --- writing ------------------------------------------------------------------------------- */

/*
 * A writer writes front to back to fd, a regular file, a memfd or a pipe, from its current offset
 * on. All functions return 0 or -errno. After the first error (such as -ENOSPC), all later calls
 * return the same error and write nothing.
 */
struct rsp_snapshot_writer;
struct rsp_snapshot;

int rsp_snapshot_writer_new(int fd, struct rsp_snapshot_writer **ret);
struct rsp_snapshot_writer *rsp_snapshot_writer_free(struct rsp_snapshot_writer *w);
int rsp_snapshot_write_meta(struct rsp_snapshot_writer *w, const struct rsp_meta *meta);
int rsp_snapshot_write_section(struct rsp_snapshot_writer *w, enum rsp_section_type type,
			       const void *data, size_t len);
/* Writes META and all sections of a snapshot in memory. */
int rsp_snapshot_write_all(struct rsp_snapshot_writer *w, const struct rsp_snapshot *snap);
/*
 * Writes the end marker. Without an end marker, readers report the file as truncated. Nothing may
 * be written after it.
 */
int rsp_snapshot_writer_finish(struct rsp_snapshot_writer *w);

/*
 * Reopens a finished snapshot to add sections: cuts off its end marker and continues there. fd must
 * be a regular file or an unsealed memfd, open for reading and writing; the snapshot begins at its
 * offset 0. Until _finish the file counts as truncated. Existing sections are not decompressed.
 * -EPROTO, -ENOTSUP as below; -EBADMSG: it has no end marker; -errno; -ENOMEM.
 */
int rsp_snapshot_reopen(int fd, struct rsp_snapshot_writer **ret);

/* Adds one section and finishes the snapshot again. Errors of _reopen and _write_section. */
int rsp_snapshot_append(int fd, enum rsp_section_type type, const void *data, size_t len);

/*
 * Saves bytes to a file. At any moment, the file is complete or does not exist: the function writes
 * a temporary file in the same directory, syncs it, and renames it to path, with mode 0640. If path
 * exists and is not a regular file (a pipe, /dev/null), writes to it instead of replacing it. 0 or
 * -errno; on failure no temporary file remains.
 */
int rsp_snapshot_save(const char *path, const void *bytes, size_t len);
/*
 * Like rsp_snapshot_save(), for a name in the open directory dir; replaces any existing entry. The
 * group may read the file; (gid_t)-1: the group of the process. A crash may leave a file with this
 * prefix.
 */
#define RSP_TEMPORARY_PREFIX ".rsp-"
int rsp_snapshot_save_at(int dir, const char *name, const void *bytes, size_t len, gid_t group);

/* --- reading ------------------------------------------------------------------------------- */

struct rsp_section {
	enum rsp_section_type type;
	const void *data; /* decompressed, 8-byte aligned, owned by the snapshot */
	size_t len;
};

struct rsp_snapshot {
	struct rsp_meta meta;
	struct rsp_section *sections; /* in file order, without META; only intact sections */
	size_t section_cnt;
	/* the end marker is missing or a section is damaged; sections has the sections before */
	bool truncated;
	size_t usable_bytes; /* length of the intact beginning of the file */
	size_t file_bytes;
	/*
	 * Number of events that rsp_snapshot_open_recent_fd() left out, and the time by which it
	 * shortened the span.
	 */
	uint64_t left_out_cnt, left_out_ns;
};

/*
 * Opens a snapshot in memory; the bytes may be freed afterwards.
 * 0; -EPROTO: not a snapshot (wrong magic); -ENOTSUP: a later version; -EBADMSG: not usable,
 * because there is no intact META; -E2BIG: claims more than RSP_SNAPSHOT_BYTES_MAX decompressed, or
 * more than a file of its length can hold; -ENOMEM.
 */
#define RSP_SNAPSHOT_BYTES_MAX (8ULL << 30)
int rsp_snapshot_open(const void *bytes, size_t len, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open(), from a file or memfd, at any file offset. Also returns -errno of fstat
 * and pread. If the file changes meanwhile, it may seem damaged, but nothing worse happens.
 */
int rsp_snapshot_open_fd(int fd, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open_fd(), but keeps only the records of some kinds. kinds has one bit, 1 <<
 * enum rsp_ev_kind, for each of them. At most one section of the other records is in memory at a
 * time.
 */
int rsp_snapshot_open_kinds_fd(int fd, uint32_t kinds, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open_fd(), but keeps only the newest records, of about events_bytes_max bytes.
 * Whole sections are evicted. As in a window, the state that results from evicted records is kept.
 * window_oldest_ns is moved to the beginning of the kept records, and since_ns is moved there if it
 * is earlier. If the snapshot goes on long after the span in META, the span stays whole, and
 * records before and after it are evicted.
 */
int rsp_snapshot_open_recent_fd(int fd, uint64_t events_bytes_max, struct rsp_snapshot **ret);
/*
 * Limit on the records that a report explains: some 6 million switches and wakeups. The explanation
 * takes 3 times as much memory.
 */
#define RSP_SNAPSHOT_RECENT_BYTES ((uint64_t)320 << 20)
/* Opens only META, and finds out whether the file has an end marker. Skips the other sections. */
int rsp_snapshot_open_meta_fd(int fd, struct rsp_snapshot **ret);
struct rsp_snapshot *rsp_snapshot_free(struct rsp_snapshot *s);

#endif
