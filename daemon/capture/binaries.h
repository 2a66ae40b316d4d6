/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the binaries to which the numbers in user frames refer: the attributes of a binary's file,
 * to name functions, and its unwind table, for the BPF programs. The BPF programs request a table
 * when they meet code of a binary. Files with the same build-id share one table.
 */
#ifndef RSP_DAEMON_BINARIES_H
#define RSP_DAEMON_BINARIES_H

#include <sys/stat.h>
#include <systemd/sd-event.h>

#include "daemon/capture/capture-stats.h"
#include "daemon/capture/ladder.h"

struct rsp_binaries;
struct rsp_bpf;
struct rsp_opener;

struct rsp_binaries_options {
	size_t table_budget_bytes;
	/*
	 * Keeps local binaries open instead of copying their symbols, so that snapshots can name
	 * their functions after the process and its mount namespace have gone. An open file
	 * prevents the unmounting of its file system, so only a recorder that runs for one command
	 * does this.
	 */
	bool keeps_files;
};

/*
 * bpf must be loaded. bpf and opener must outlive *ret. Adds the ability of user stacks to the
 * ladder (ladder.h). Returns 0 or -errno.
 */
int rsp_binaries_new(sd_event *event, struct rsp_bpf *bpf, struct rsp_opener *opener,
		     const struct rsp_binaries_options *opt, struct rsp_ladder *ladder,
		     struct rsp_binaries **ret);
struct rsp_binaries *rsp_binaries_free(struct rsp_binaries *b);

void rsp_binaries_want(struct rsp_binaries *b, const struct rsp_binary_wanted *wanted);

enum rsp_number_step {
	RSP_NUMBERS_SAME,
	/* The old numbers go out of use: the BPF programs must send every stack again. */
	RSP_NUMBERS_RETIRED,
	/*
	 * The old numbers will be used again. The caller must drop user stacks older than the
	 * window, since their frames will then refer to other binaries.
	 */
	RSP_NUMBERS_GRANTED,
};

/*
 * Makes numbers available for new binaries (rsp/numbers.h). Returns the change that the caller must
 * handle. Call it after each drain of the rings.
 */
enum rsp_number_step rsp_binaries_poll_numbers(struct rsp_binaries *b, __u64 now_ns,
					       __u64 window_oldest_ns);

/*
 * Returns the BINARY record that describes this number in a snapshot; NULL: the number is unknown.
 */
const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number);

/* Returns whether the binary is on a file system that no user controls, as far as rspd knows. */
bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number);

/*
 * Kept files have descriptors from RSP_KEPT_FD_MIN on; rspd's other descriptors are lower.
 * RSP_KEPT_MAX is the maximum number of kept files.
 */
#define RSP_KEPT_FD_MIN 16384
#define RSP_KEPT_MAX	1024

/*
 * Returns the descriptor of a kept binary, which the caller must not close; -1: the binary was not
 * kept.
 */
int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number);

/* Describes a copy of symbols: its length, and the attributes of the file when rspd opened it. */
struct rsp_symbols_origin {
	size_t len;
	__u32 mode, uid;
};

/*
 * Returns the copy of the binary's symbols (lib/symbols/symcopy.h) or NULL if there is no copy. The
 * result is valid until the event loop continues.
 */
const void *rsp_binaries_symbols(const struct rsp_binaries *b, __u32 number,
				 struct rsp_symbols_origin *ret);

/* Returns whether a file with these attributes may still be the file that was mapped. */
bool rsp_binaries_is_unchanged(const struct rsp_binaries *b, __u32 number, const struct stat *st);

/* Returns the number of binaries whose tables are being built. */
unsigned int rsp_binaries_busy_cnt(const struct rsp_binaries *b);

void rsp_binaries_get_stats(const struct rsp_binaries *b, struct rsp_binaries_stats *ret);

#endif
