/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes the identities in the records of one host, so that they differ from those of all other
 * hosts: threads, CPUs, devices, stacks, names, sockets, disk requests, kernel functions, cgroups,
 * namespaces and numbers of binaries (lib/snapshot/host.h). Shifts all times. Host 0 keeps its
 * identities and its times, except that its sockets get the host of their other end.
 */
#ifndef RSP_LIB_MERGE_REKEY_H
#define RSP_LIB_MERGE_REKEY_H

#include "lib/base/idmap.h"
#include "lib/merge/clock.h"

struct rsp_rekey {
	__u32 host;
	__u32 cpu_first;
	const struct rsp_clock_map *clock; /* NULL: times stay */
	struct rsp_idmap *binaries;	   /* (host, number) -> number in the merged snapshot */
	struct rsp_idmap *taken;	   /* all numbers that any host uses */
	__u32 *next_number;		   /* where the search for a free number goes on */
	/* Returns the host of the other end of a connection of this host. */
	__u32 (*peer)(const struct rsp_ev_socket *sock, const struct rsp_rekey *x);
	void *userdata;
};

/* The identity of a thing that the recorder identifies by 64 bits. 0 stays 0. */
__u64 rsp_rekey_id(const struct rsp_rekey *x, __u64 id);

/* Notes the numbers of binaries that host 0 uses; the others get free ones. 0 or -ENOMEM. */
int rsp_rekey_note_numbers(const struct rsp_ev_hdr *hdr, struct rsp_idmap *taken);

/*
 * Changes a record that was checked (decode.h), in place. Returns 1; 0: the merged snapshot has no
 * place for the record (counters of the machine, of other hosts than 0); -EOVERFLOW: there are too
 * many CPUs or binaries; -ENOTSUP: an unknown kind; -ENOMEM.
 */
int rsp_rekey_record(const struct rsp_rekey *x, struct rsp_ev_hdr *hdr);

#endif
