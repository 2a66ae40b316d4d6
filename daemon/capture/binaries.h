/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The binaries that user frames name by number: which file each is, for whoever names functions,
 * and its unwind table, for the kernel programs. They ask for one when they meet its code; here the
 * file is opened as the process has it mapped (deleted, replaced, in another mount namespace), the
 * worker reads it, and files with one build-id share one table.
 */
#ifndef RSP_DAEMON_BINARIES_H
#define RSP_DAEMON_BINARIES_H

#include <systemd/sd-event.h>

#include "ladder.h"
#include "capture-stats.h"

struct rsp_binaries;
struct rsp_bpf;
struct rsp_opener;

struct rsp_binaries_options {
	size_t table_budget_bytes;
	/*
	 * Keeps local binaries open, so that their functions can be named after the process and its
	 * mount namespace have gone. Open files prevent their file systems from being unmounted, so
	 * only a recorder that runs for one command does this.
	 */
	bool keeps_files;
};

/* bpf, loaded, and opener outlive it. Adds to the ladder what user stacks are. 0 or -errno. */
int rsp_binaries_new(sd_event *event, struct rsp_bpf *bpf, struct rsp_opener *opener,
		     const struct rsp_binaries_options *opt, struct rsp_ladder *ladder,
		     struct rsp_binaries **ret);
struct rsp_binaries *rsp_binaries_free(struct rsp_binaries *b);

/* A program asks for the table of a binary. */
void rsp_binaries_want(struct rsp_binaries *b, const struct rsp_binary_wanted *wanted);

enum rsp_number_step {
	RSP_NUMBERS_SAME,
	RSP_NUMBERS_RETIRED, /* every stack is to be sent anew: the old numbers go out of use */
	RSP_NUMBERS_GRANTED, /* numbers begin to be used again: user stacks older than the window
				have others of the same, and are to be dropped */
};

/* Keeps numbers for binaries ready (rsp/numbers.h); after each drain. */
enum rsp_number_step rsp_binaries_poll_numbers(struct rsp_binaries *b, __u64 now_ns,
					       __u64 window_oldest_ns);

/* What is known of a number, as the record of a snapshot; NULL: nothing. */
const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number);

/* No file system of a user stands behind it, as far as is known. */
bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number);

/*
 * Kept files have descriptors from RSP_KEPT_FD_MIN on, and no other descriptor is that high.
 * RSP_KEPT_MAX: number of files to keep at most.
 */
#define RSP_KEPT_FD_MIN 16384
#define RSP_KEPT_MAX	1024

/* Returns the descriptor of a kept binary, which the caller must not close; -1: it was not kept. */
int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number);

/* Binaries whose tables are being made. */
unsigned int rsp_binaries_busy_cnt(const struct rsp_binaries *b);

void rsp_binaries_get_stats(const struct rsp_binaries *b, struct rsp_binaries_stats *ret);

#endif
