/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lock convoys: several threads queue for a lock and pass it on to each other. */
#include <stdlib.h>
#include <string.h>

#include "lib/report/findings-class.h"
#include "lib/report/findings.h"
#include "lib/report/report-frames.h"

/*
 * Minimum number of threads in a convoy. If only two threads use a lock, each waits for the work of
 * the other one, and another finding reports these waits.
 */
#define CONVOY_MIN 3

static bool waits_for_a_lock(const struct rsp_hop *hop)
{
	return hop->kind == RSP_HOP_BLOCKED && strncmp(hop->object, "futex", strlen("futex")) == 0;
}

/*
 * Chains contain the address of a futex ("futex 0x7000") only if the futex belongs to the process
 * of interest. A wait of another process matches each lock of that process.
 */
static bool is_wait_for(const struct rsp_hop *hop, const struct rsp_lock_row *lock)
{
	const char *address;

	if (hop->tgid != lock->tgid)
		return false;
	address = strstr(hop->object, " 0x");
	return address ? strtoull(address, NULL, 16) == lock->address : !lock->is_target;
}

/* Sets *ret to the lock. Returns NULL if no hop of the chain waits for the lock of a convoy. */
static const struct rsp_hop *find_wait(const struct rsp_explanation *e, const struct rsp_cover *t,
				       const struct rsp_lock_row **ret)
{
	for (size_t k = 0; k < t->chain->hop_cnt; k++) {
		if (!waits_for_a_lock(&t->chain->hops[k]))
			continue;
		for (size_t i = 0; i < e->survey.locks.cnt; i++) {
			const struct rsp_lock_row *lock = &e->survey.locks.v[i];

			if (lock->both_cnt < CONVOY_MIN || !is_wait_for(&t->chain->hops[k], lock))
				continue;
			*ret = lock;
			return &t->chain->hops[k];
		}
	}
	return NULL;
}

static const struct rsp_hop *lock_hop(const struct rsp_explanation *e, const struct rsp_cover *t)
{
	const struct rsp_lock_row *lock;

	return find_wait(e, t, &lock);
}

static bool group_locks(const struct rsp_explanation *e, const struct rsp_cover *t,
			struct rsp_subject *ret)
{
	const struct rsp_lock_row *lock;

	if (!find_wait(e, t, &lock))
		return false;
	*ret = RSP_SUBJECT(lock->comm);
	ret->row = lock;
	return true;
}

static __u64 limit_locks(const struct rsp_explanation *e, const struct rsp_subject *group)
{
	const struct rsp_lock_row *lock = group->row;

	return lock->target_ns;
}

static int write_locks(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	const struct rsp_lock_row *lock = group->row;
	const struct rsp_hop *hop = lock_hop(e, s->v[0].cover);
	const struct rsp_frame *frame;

	rsp_put_name(f, e->comm);
	fputs(" waited ", f);
	rsp_put_selected(f, e, s);
	fprintf(f, " for a lock that %u threads", lock->waiter_cnt);
	if (!lock->is_target) {
		fputs(" of ", f);
		rsp_put_name(f, lock->comm);
	}
	fprintf(f, " queued for (futex 0x%llx", lock->address);
	if (hop && rsp_frames_select(hop, &frame, 1)) {
		fputs(" in ", f);
		rsp_put_name(f, rsp_frame_text(frame));
	}
	fputc(')', f);
	if (lock->holder_tid) {
		fputs(", held most by ", f);
		rsp_put_name(f, lock->holder);
		fprintf(f, " [%u]", rsp_host_tid(lock->holder_tid));
	}
	fputs("; the holders were ", f);
	return rsp_put_activities(f, e, s);
}

const struct rsp_finding_kind rsp_finding_lock_convoy = {
	.name = "lock_convoy",
	.group = group_locks,
	.limit = limit_locks,
	.write = write_locks,
	.hop = lock_hop,
};
