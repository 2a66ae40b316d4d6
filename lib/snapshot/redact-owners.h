/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the threads, sockets and files that are known to be one user's, for redact.c. All others
 * count as another user's.
 */
#ifndef RSP_LIB_REDACT_OWNERS_H
#define RSP_LIB_REDACT_OWNERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/idmap.h"
#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

enum rsp_owner_kind {
	RSP_OWNER_KERNEL, /* the kernel: kernel threads, and the idle task */
	RSP_OWNER_SELF,
	RSP_OWNER_OTHER,
};

/* The owners of threads by tid, or of processes by tgid. */
struct rsp_redact_lives {
	/* values: enum rsp_owner_kind. SELF: the owner is OTHER before the time in `since` */
	struct rsp_idmap owner;
	struct rsp_idmap since; /* values: time in ns; a missing id stands for 0 */
	/* values: time of the last TASK or EXIT record that shows another owner */
	struct rsp_idmap other_ns;
};

/* The caller sets uid and zeroes all other members. */
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
	struct rsp_idmap socket_of; /* keys: SOCKET id; values: the record in the snapshot */
	struct rsp_idmap
		sks; /* sockets that tasks used; values: enum rsp_owner_kind of these tasks */
	struct rsp_idmap
		flows; /* keys: hash of the addresses of a socket of the user; values: its record */
	/*
	 * keys: ids of objects on which the user's threads waited, or for which these threads made
	 * disk requests
	 */
	struct rsp_idmap objects;
	struct rsp_idmap queues; /* numbers of disks that queue requests */
};

int rsp_redact_owners_find(const struct rsp_snapshot *snap, struct rsp_redact_owners *o);
void rsp_redact_owners_done(struct rsp_redact_owners *o);

enum rsp_owner_kind rsp_redact_owner(const struct rsp_redact_owners *o, __u32 tid, __u64 ts_ns);
/*
 * Returns whether threads of the user, and of no other user, used the socket; kernel threads do not
 * count. Also returns true if this holds for the other end of the connection on this host, because
 * chains continue there.
 */
bool rsp_redact_owns_socket(const struct rsp_redact_owners *o, const struct rsp_ev_socket *sock);
/* Returns the SOCKET record with this id if the user owns the socket; else NULL. */
const struct rsp_ev_socket *rsp_redact_own_socket(const struct rsp_redact_owners *o, __u64 id);

bool rsp_redact_owns_object(const struct rsp_redact_owners *o, __u64 id);

#endif
