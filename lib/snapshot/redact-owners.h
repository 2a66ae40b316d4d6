/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of redact.h: finds, from the records of a snapshot, the threads, sockets and files that
 * are known to be one user's. All others count as another user's.
 */
#ifndef RSP_LIB_REDACT_OWNERS_H
#define RSP_LIB_REDACT_OWNERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/idmap.h"
#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

/*
 * The order matters: if records disagree about a thread or process, the last of these values holds.
 */
enum rsp_owner_kind {
	RSP_OWNER_KERNEL, /* threads of the kernel, and the idle task */
	RSP_OWNER_SELF,
	RSP_OWNER_OTHER,
};

/* The owners of threads, or of processes, by id. */
struct rsp_redact_lives {
	struct rsp_idmap owner;	   /* -> enum rsp_owner_kind; SELF: since since_ns, before OTHER */
	struct rsp_idmap since;	   /* -> since_ns; missing: 0 */
	struct rsp_idmap other_ns; /* -> time of the last TASK or EXIT record of another owner */
};

/* The caller sets uid and zeroes the rest. */
struct rsp_redact_owners {
	uid_t uid;
	struct rsp_redact_lives tids, tgids;
	/*
	 * Losses of TASK and EXIT records. If there are any, task_times contains the TASK records,
	 * sorted by tid and time.
	 */
	struct {
		struct rsp_redact_loss {
			__u64 from_ns, to_ns;
		} * v;
		size_t cnt, cap;
	} losses;
	struct {
		struct rsp_redact_task_time {
			__u32 tid;
			__u64 ts_ns;
		} * v;
		size_t cnt, cap;
	} task_times;
	struct rsp_idmap socket_of; /* SOCKET id -> record, borrowed from the snapshot */
	struct rsp_idmap sks;	    /* sockets that tasks used -> enum rsp_owner_kind */
	struct rsp_idmap flows;	    /* hash of an own socket's ends -> its record */
	struct rsp_idmap objects;   /* objects that the user's threads waited for, read or wrote */
	struct rsp_idmap queues;    /* disks that queue requests */
};

int rsp_redact_owners_find(const struct rsp_snapshot *snap, struct rsp_redact_owners *o);
void rsp_redact_owners_done(struct rsp_redact_owners *o);

enum rsp_owner_kind rsp_redact_owner(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns);
/*
 * Returns whether only the user's threads sent on, connected or waited for the socket. The other
 * end of such a connection on this host (the same addresses, swapped) counts, too, because chains
 * continue there.
 */
bool rsp_redact_owns_socket(const struct rsp_redact_owners *o, const struct rsp_ev_socket *sock);
/* Returns the SOCKET record with this id if the user owns the socket; else NULL. */
const struct rsp_ev_socket *rsp_redact_own_socket(const struct rsp_redact_owners *o, __u64 id);

/* Returns whether threads of the user waited for the OBJECT, or read or wrote it. */
bool rsp_redact_owns_object(const struct rsp_redact_owners *o, __u64 id);

/* Calls fn for each record of the snapshot, up to the first bad record of each section. */
typedef int (*rsp_redact_fn)(const struct rsp_ev_hdr *hdr, void *userdata);
int rsp_redact_foreach(const struct rsp_snapshot *snap, rsp_redact_fn fn, void *userdata);

#endif
