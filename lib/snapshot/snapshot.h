/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshot file: a header, sections, and an end marker. docs/snapshot-format.md describes each
 * byte. A snapshot is written once, from the beginning to the end. Opening is safe for any bytes.
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
	/*
	 * concatenated records; a file may have many of these sections, which must be read in order
	 */
	RSP_SEC_EVENTS = 2,
	RSP_SEC_SYMBOLS = 3, /* names of frames (symbols.h) */
};

/* The reason why a snapshot was taken, unless a user asked for it. */
struct rsp_trigger {
	char slo[64];	  /* name of the SLO; "": a user requested the snapshot */
	char measure[16]; /* "request", "wait", "runqueue", "disk", "function", "psi" */
	/* the tasks to which the SLO applies, as configured: "Unit=nginx.service"; "": all */
	char subject[256];
	char resource[16]; /* PSI: "cpu", "memory", "io" */
	bool full;	   /* PSI: true: all tasks were stalled; false: some tasks */
	/* the latency or stall time that exceeded the limit; 0: a user requested the snapshot */
	uint64_t value_ns;
	uint64_t threshold_ns;
	/*
	 * value_ns is this quantile of cnt latencies within over_ns, in millionths; 0: value_ns is
	 * one latency
	 */
	uint32_t quantile_ppm;
	/* PSI: the length of the span in which tasks stalled for value_ns; else see quantile_ppm */
	uint64_t over_ns;
	uint64_t cnt, over_cnt;
};

/* A host of a merged snapshot (host.h). */
struct rsp_meta_host {
	/* name of the host up to the first dot; if another host has the same name, "web#2" */
	char name[25];
	char id[40];	    /* ID of this host's snapshot */
	uint32_t cpu_first; /* number of the first CPU of this host */
	/*
	 * offset_ns: clock of the first host minus clock of this host, at the beginning of the
	 * span. drift_ppb: rate by which the first host's clock is faster, in billionths.
	 * uncertainty_ns: maximum error of the clock difference within the span.
	 */
	int64_t offset_ns;
	int32_t drift_ppb;
	uint32_t drift_error_ppb; /* maximum error of drift_ppb */
	uint64_t uncertainty_ns;
};

/* The description of a snapshot. Strings end with NUL; longer strings are cut. */
struct rsp_meta {
	char id[40]; /* random ID, 32 hex digits */
	char host[65];
	char boot_id[40]; /* 32 hex digits; "": unknown (an older recorder) */
	char kernel[65];  /* kernel release, as from uname() */
	char arch[16];
	char version[32];  /* version of rspd */
	char command[256]; /* command of `rspctl run`; empty for other verbs */
	uint32_t cpu_cnt;
	uint32_t target_pid; /* tgid of the process of interest */
	/* name of this process; "": unknown (an older recorder) */
	char target_comm[RSP_TASK_COMM_LEN];
	/* only this thread of the process is of interest; 0: the whole process */
	uint32_t target_tid;
	/* start time of the process; 0: unknown */
	uint64_t target_start_ns;
	/*
	 * The span to be explained, in CLOCK_MONOTONIC. Events may begin before the span and end
	 * after it.
	 */
	uint64_t since_ns;
	uint64_t until_ns;
	/* begin of the recorded events; if it is later than since_ns, older events were evicted */
	uint64_t window_oldest_ns;
	uint64_t events_until_ns; /* end of the recorded events; 0: the same as until_ns */
	/* the snapshot was redacted (redact.h) */
	bool redacted;
	/* CLOCK_REALTIME minus CLOCK_MONOTONIC, when the snapshot was taken */
	int64_t realtime_offset_ns;
	uint32_t sample_hz;
	int32_t exit_status; /* exit status of the command, as from wait(2); -1: none */
	struct rsp_trigger trigger;
	/* Hosts of a merged snapshot (lib/merge). host_cnt 0: the snapshot is from one host. */
	struct rsp_meta_host hosts[RSP_HOST_CNT_MAX];
	uint32_t host_cnt;
};

/* Size of a text with the name of a task and the name of its host: "nginx@web". */
#define RSP_COMM_MAX (RSP_TASK_COMM_LEN + sizeof(((struct rsp_meta_host *)0)->name))
/*
 * Writes the name of a task to buf, with unprintable characters replaced (lib/base/text.h). In a
 * merged snapshot, adds the name of the task's host, unless the process of interest is on the same
 * host. Returns buf.
 */
char *rsp_meta_comm(const struct rsp_meta *meta, const struct rsp_ev_task *task,
		    char buf[static RSP_COMM_MAX]);

/*
 * Makes all strings end with NUL and contain only printable characters, because they may be
 * hostile.
 */
void rsp_meta_clean(struct rsp_meta *meta);
/*
 * Makes another process, with all its threads, the process of interest. Removes the command and the
 * trigger from META, because they belong to the previous process.
 */
void rsp_meta_choose_process(struct rsp_meta *meta, uint32_t pid);
/*
 * Extends the span to the whole window, and to all threads of the process. Removes the trigger from
 * META.
 */
void rsp_meta_choose_whole(struct rsp_meta *meta);

/* --- writing ------------------------------------------------------------------------------- */

/*
 * Writes a snapshot to fd (a regular file, a memfd or a pipe), from the current offset on. All
 * functions return 0 or -errno. After the first error, all later calls return the same error and
 * write nothing.
 */
struct rsp_snapshot_writer;
struct rsp_snapshot;

int rsp_snapshot_writer_new(int fd, struct rsp_snapshot_writer **ret);
struct rsp_snapshot_writer *rsp_snapshot_writer_free(struct rsp_snapshot_writer *w);
int rsp_snapshot_write_meta(struct rsp_snapshot_writer *w, const struct rsp_meta *meta);
int rsp_snapshot_write_section(struct rsp_snapshot_writer *w, enum rsp_section_type type,
			       const void *data, size_t len);
int rsp_snapshot_write_all(struct rsp_snapshot_writer *w, const struct rsp_snapshot *snap);
/* Writes the end marker. Readers report a file without an end marker as truncated. */
int rsp_snapshot_writer_finish(struct rsp_snapshot_writer *w);

/*
 * Reopens a finished snapshot to add sections. fd must be a regular file or an unsealed memfd, open
 * for reading and writing; the snapshot begins at its offset 0. Until rsp_snapshot_writer_finish(),
 * the file counts as truncated. Returns 0; -EPROTO, -ENOTSUP: as rsp_snapshot_open(); -EBADMSG: the
 * file has no end marker; -ENOMEM; -errno.
 */
int rsp_snapshot_reopen(int fd, struct rsp_snapshot_writer **ret);

/*
 * Adds one section and finishes the snapshot again. Returns 0 or an error of rsp_snapshot_reopen()
 * or rsp_snapshot_write_section().
 */
int rsp_snapshot_append(int fd, enum rsp_section_type type, const void *data, size_t len);

/*
 * Saves bytes to a file with mode 0640. At any time, the file has either its old or its new
 * content. If path exists and is not a regular file (a pipe, /dev/null), writes to it instead.
 * Returns 0 or -errno; on failure, no temporary file remains.
 */
int rsp_snapshot_save(const char *path, const void *bytes, size_t len);
/*
 * Like rsp_snapshot_save(), for a name in the open directory dir; replaces any existing entry. The
 * members of group may read the file; (gid_t)-1: the group of the process. A crash may leave a file
 * whose name begins with RSP_TEMPORARY_PREFIX.
 */
#define RSP_TEMPORARY_PREFIX ".rsp-"
int rsp_snapshot_save_at(int dir, const char *name, const void *bytes, size_t len, gid_t group);

/* --- reading ------------------------------------------------------------------------------- */

struct rsp_section {
	enum rsp_section_type type;
	const void *data; /* decompressed bytes, 8-byte aligned, owned by the snapshot */
	size_t len;
};

struct rsp_snapshot {
	struct rsp_meta meta;
	struct rsp_section
		*sections; /* in the order of the file, without META; only intact sections */
	size_t section_cnt;
	/*
	 * the end marker is missing, or a section is damaged; only the sections before it are
	 * present
	 */
	bool truncated;
	size_t usable_bytes; /* length of the part of the file before the first damage, in bytes */
	size_t file_bytes;
	/*
	 * Number of events that rsp_snapshot_open_recent_fd() left out, and the time by which this
	 * function shortened the span.
	 */
	uint64_t left_out_cnt, left_out_ns;
};

/*
 * Opens a snapshot in memory; the bytes may be freed afterwards. Returns 0; -EPROTO: not a snapshot
 * (wrong magic number); -ENOTSUP: a later version of the format; -EBADMSG: META is missing or
 * damaged; -E2BIG: the decompressed snapshot is too large; -ENOMEM.
 */
#define RSP_SNAPSHOT_BYTES_MAX (8ULL << 30)
int rsp_snapshot_open(const void *bytes, size_t len, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open(), for a file or memfd, from offset 0 on. Also returns -errno. If the file
 * changes meanwhile, it seems damaged at worst.
 */
int rsp_snapshot_open_fd(int fd, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open_fd(), but keeps only the records of some kinds. kinds: bits 1 << enum
 * rsp_ev_kind.
 */
int rsp_snapshot_open_kinds_fd(int fd, uint32_t kinds, struct rsp_snapshot **ret);
/*
 * Like rsp_snapshot_open_fd(), but keeps only the newest records, of about events_bytes_max bytes,
 * and all names, losses, marks and counters. As in a window, the state that results from evicted
 * records is kept. window_oldest_ns, and since_ns if it is earlier, move to the beginning of the
 * kept records. If the snapshot continues long after the span in META, records before and after the
 * span are evicted.
 */
int rsp_snapshot_open_recent_fd(int fd, uint64_t events_bytes_max, struct rsp_snapshot **ret);
/*
 * Maximum size of the records for a report: some 6 million switches and wakeups. Explaining them
 * takes 3 times as much memory.
 */
#define RSP_SNAPSHOT_RECENT_BYTES ((uint64_t)320 << 20)
/* Reads only META, and finds out whether the file has an end marker. */
int rsp_snapshot_open_meta_fd(int fd, struct rsp_snapshot **ret);
struct rsp_snapshot *rsp_snapshot_free(struct rsp_snapshot *s);

#endif
