/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshot file: a header, sections, an end marker. docs/snapshot-format.md describes it byte
 * by byte. Written once, front to back; any byte string is safe to open.
 */
#ifndef RSP_LIB_SNAPSHOT_H
#define RSP_LIB_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum rsp_section_type {
	RSP_SEC_META = 1,    /* one JSON object; the keys: struct rsp_meta */
	RSP_SEC_EVENTS = 2,  /* records, concatenated; may occur many times, to be read in order */
	RSP_SEC_SYMBOLS = 3, /* names of frames, see symbols.h */
};

/* Why a snapshot was taken, if it was not that somebody asked. */
struct rsp_trigger {
	char slo[64];	   /* name; "": somebody asked */
	char measure[16];  /* "request", "wait", "runqueue", "disk", "function", "psi" */
	char subject[256]; /* whose latency, as configured: "Unit=nginx.service"; "": anybody's */
	char resource[16]; /* PSI: "cpu", "memory", "io" */
	bool full;	   /* PSI: all tasks were stalled, not just some */
	uint64_t value_ns; /* what passed the limit; 0: nothing did, somebody pulled the trigger */
	uint64_t threshold_ns;
	uint32_t quantile_ppm; /* value is this quantile of cnt observations within over_ns; 0: one
				*/
	uint64_t over_ns;      /* also of PSI: the span in which tasks stalled for value_ns */
	uint64_t cnt, over_cnt;
};

/* What a snapshot says about itself. Strings are NUL-terminated, cut if longer. */
struct rsp_meta {
	char id[40]; /* random, 32 hex digits */
	char host[65];
	char kernel[65]; /* release */
	char arch[16];
	char version[32];  /* of rspd */
	char command[256]; /* of `run`, else empty */
	uint32_t cpu_cnt;
	uint32_t target_pid;	  /* tgid of the process of interest */
	uint32_t target_tid;	  /* the thread of interest alone; 0: all of the process */
	uint64_t target_start_ns; /* its start_ns, 0: unknown; tells reused pids apart */
	/*
	 * The span to be explained, CLOCK_MONOTONIC: what was asked for, or the very request or
	 * wait that was too slow. Events may begin before it and end after it.
	 */
	uint64_t since_ns;
	uint64_t until_ns;
	uint64_t window_oldest_ns; /* where recorded events really begin; > since_ns: evicted */
	uint64_t events_until_ns;  /* where they end; 0: at until_ns */
	bool redacted; /* other users' tasks are shown as such, without names, stacks and files */
	int64_t realtime_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC when taken */
	uint32_t sample_hz;
	int32_t exit_status; /* of `run`'s command as wait(2) reports it, -1: none */
	struct rsp_trigger trigger;
};

/* Of a stranger's making -> fit to be read: strings end, and are printable. */
void rsp_meta_clean(struct rsp_meta *meta);
/* A snapshot holds all processes: makes another one that of interest, all of it. What META says of
 * the command, and why it was taken, holds for the one before and goes. */
void rsp_meta_choose_process(struct rsp_meta *meta, uint32_t pid);
/*
 * Extends the span from the request or wait that passed a limit to the whole window, and to all
 * threads of the process. The snapshot then no longer counts as one taken for a limit.
 */
void rsp_meta_choose_whole(struct rsp_meta *meta);

/* --- writing ------------------------------------------------------------------------------- */

/*
 * Writes to fd from its current offset on, front to back: a regular file, a memfd, a pipe. All
 * return 0 or -errno; after the first error (say -ENOSPC) every later call returns the same error
 * and writes nothing.
 */
struct rsp_snapshot_writer;
struct rsp_snapshot;

int rsp_snapshot_writer_new(int fd, struct rsp_snapshot_writer **ret);
struct rsp_snapshot_writer *rsp_snapshot_writer_free(struct rsp_snapshot_writer *w);
int rsp_snapshot_write_meta(struct rsp_snapshot_writer *w, const struct rsp_meta *meta);
int rsp_snapshot_write_section(struct rsp_snapshot_writer *w, enum rsp_section_type type,
			       const void *data, size_t len);
/* META and all sections of one that was read or made. */
int rsp_snapshot_write_all(struct rsp_snapshot_writer *w, const struct rsp_snapshot *snap);
/* The end marker; without it readers call the file truncated. Nothing may be written after it. */
int rsp_snapshot_writer_finish(struct rsp_snapshot_writer *w);

/*
 * Takes up a finished snapshot again to add sections: cuts its end marker off and goes on there.
 * The snapshot begins at offset 0 of fd, which is open for reading and writing and a regular file
 * or an unsealed memfd. Until _finish the file counts as truncated. Sections already in it are not
 * decompressed. -EPROTO, -ENOTSUP as below; -EBADMSG: it has no end marker; -errno; -ENOMEM.
 */
int rsp_snapshot_reopen(int fd, struct rsp_snapshot_writer **ret);

/* One section more, and finished again. Errors as of _reopen and _write_section. */
int rsp_snapshot_append(int fd, enum rsp_section_type type, const void *data, size_t len);

/*
 * Puts bytes into a file that is there whole or not at all: a temporary one in the same directory,
 * synced, renamed over path, mode 0640. What exists at path and is no regular file (a pipe,
 * /dev/null) is written to, not replaced. 0 or -errno, and then no temporary file remains.
 */
int rsp_snapshot_save(const char *path, const void *bytes, size_t len);
/*
 * The same as name in the directory that is open as dir, whatever is there by that name; for group
 * to read, (gid_t)-1: that of who made it. A crash may leave a file of this prefix.
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
	struct rsp_section *sections; /* in file order, META excluded; only intact ones */
	size_t section_cnt;
	bool truncated;	     /* no end marker, or a section is damaged: what precedes it is here */
	size_t usable_bytes; /* of the file, from its beginning */
	size_t file_bytes;
	/*
	 * Number of events that rsp_snapshot_open_recent_fd left out, and by how much it cut the
	 * span.
	 */
	uint64_t left_out_cnt, left_out_ns;
};

/*
 * Opens a snapshot that lies in memory (the bytes may go away afterwards).
 * 0; -EPROTO: not a snapshot (wrong magic); -ENOTSUP: a later version; -EBADMSG: nothing usable, no
 * intact META; -E2BIG: claims more than RSP_SNAPSHOT_BYTES_MAX decompressed, or more than a file of
 * its length can hold; -ENOMEM.
 */
#define RSP_SNAPSHOT_BYTES_MAX (8ULL << 30)
int rsp_snapshot_open(const void *bytes, size_t len, struct rsp_snapshot **ret);
/*
 * The same from a file or memfd, whatever its offset; also -errno of fstat, pread. A file that
 * changes meanwhile is read as a damaged one at worst.
 */
int rsp_snapshot_open_fd(int fd, struct rsp_snapshot **ret);
/*
 * The same, but keeps only the records of some kinds: kinds has a bit, 1 << enum rsp_ev_kind, for
 * each. At most one section of the other records is in memory at a time.
 */
int rsp_snapshot_open_kinds_fd(int fd, uint32_t kinds, struct rsp_snapshot **ret);
/*
 * The same, but keeps only the newest records, of about events_bytes_max bytes: whole sections are
 * evicted. As in a window, the state that evicted records lead to is kept. window_oldest_ns is
 * moved to the beginning of the kept records, and so is since_ns if it lies before. If the snapshot
 * goes on long after the span that META contains, the span stays whole, and records before and
 * after it are evicted.
 */
int rsp_snapshot_open_recent_fd(int fd, uint64_t events_bytes_max, struct rsp_snapshot **ret);
/*
 * Limit on the records that are explained: some 6 million switches and wakeups. Explaining them
 * takes 3 times as much memory.
 */
#define RSP_SNAPSHOT_RECENT_BYTES ((uint64_t)320 << 20)
/* META alone, and whether the file ends where it should; the sections are skipped unread. */
int rsp_snapshot_open_meta_fd(int fd, struct rsp_snapshot **ret);
struct rsp_snapshot *rsp_snapshot_free(struct rsp_snapshot *s);

#endif
