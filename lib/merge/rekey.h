/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes the identities in the records of one host, so that they differ from those of all other
 * hosts (lib/snapshot/host.h), and shifts all times. Host 0 keeps its identities and its times,
 * except that its sockets get the host of their other end.
 */
#ifndef RSP_LIB_MERGE_REKEY_H
#define RSP_LIB_MERGE_REKEY_H

#include "lib/base/idmap.h"
#include "lib/merge/clock.h"

struct rsp_rekey {
	__u32 host;
	__u32 cpu_first;
	const struct rsp_clock_map *clock; /* NULL: times stay */
	/* maps (host, number) to the number in the merged snapshot */
	struct rsp_idmap *binaries;
	struct rsp_idmap *taken; /* set of the numbers that the binaries of host 0 use */
	/* the number at which the search for a free number continues */
	__u32 *next_number;
	/* Returns the host of the other end of a connection of this host. */
	__u32 (*peer)(const struct rsp_ev_socket *sock, const struct rsp_rekey *x);
	void *userdata;
};

/* 0 stays 0. */
__u64 rsp_rekey_id(const struct rsp_rekey *x, __u64 id);

/* Adds the numbers of binaries in a record of host 0 to taken. Returns 0 or -ENOMEM. */
int rsp_rekey_note_numbers(const struct rsp_ev_hdr *hdr, struct rsp_idmap *taken);

/*
 * Changes a checked record (decode.h) in place. Returns 1 if the merged snapshot contains the
 * record, else 0; -EOVERFLOW: too many CPUs or binaries; -ENOTSUP: an unknown kind; -ENOMEM.
 */
int rsp_rekey_record(const struct rsp_rekey *x, struct rsp_ev_hdr *hdr);

#endif
