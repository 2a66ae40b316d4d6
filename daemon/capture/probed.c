/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See probed.h. */
#include "probed.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/helper.h"
#include "lib/base/cleanup.h"

_Static_assert((int)RSP_ALLOC_CNT <= RSP_HELPER_FUNCTION_MAX, "one link has all functions");

/* --- probes ----------------------------------------------------------------------------------- */

static struct rsp_helper_probe probe_of(const struct rsp_allocator *a, pid_t pid, bool returns)
{
	struct rsp_helper_probe probe = {
		.file = a->file, .returns = returns, .set = RSP_HELPER_ALLOCATORS, .pid = pid};

	for (__u32 i = 0; i < (returns ? RSP_ALLOC_FREE : RSP_ALLOC_CNT); i++) {
		if (!a->offsets[i])
			continue;
		probe.offsets[probe.cnt] = a->offsets[i];
		probe.cookies[probe.cnt++] = i;
	}
	return probe;
}

/* The descriptors stay open until this process ends. Returns whether any probe was attached. */
static bool attach_singly(const struct rsp_helper_probe *all)
{
	struct rsp_helper_probe one = *all;
	bool any = false;

	one.cnt = 1;
	for (__u32 i = 0; i < all->cnt; i++) {
		one.offsets[0] = all->offsets[i];
		one.cookies[0] = all->cookies[i];
		any |= rsp_helper_add_probe(&one) >= 0;
	}
	return any;
}

/* The probes at returns come first, so that no call has a begin without an end. */
static int attach(struct rsp_probed *p, struct rsp_probed_process *process, size_t allocator)
{
	const struct rsp_allocator *a = &p->allocators[allocator];
	const struct rsp_helper_probe returns = probe_of(a, process->pid, true),
				      entries = probe_of(a, process->pid, false);
	int fd = rsp_helper_add_probe(&returns);

	if (fd == -EOPNOTSUPP && p->total_cnt == 1)
		return attach_singly(&returns) && attach_singly(&entries) ? 0 : -EOPNOTSUPP;
	if (fd < 0)
		return fd;
	process->links[allocator].returns = fd;
	fd = rsp_helper_add_probe(&entries);
	if (fd < 0)
		return fd;
	process->links[allocator].entries = fd;
	return 0;
}

/* --- processes -------------------------------------------------------------------------------- */

static bool has_ended(const struct rsp_probed_process *process)
{
	struct pollfd poller = {.fd = process->fd, .events = POLLIN};

	return poll(&poller, 1, 0) == 1;
}

static void let_go(struct rsp_probed_process *process)
{
	for (size_t i = 0; i < RSP_PROBED_ALLOCATOR_MAX; i++) {
		rsp_cleanup_close(&process->links[i].entries);
		rsp_cleanup_close(&process->links[i].returns);
	}
	rsp_cleanup_close(&process->fd);
}

static void let_ended_go(struct rsp_probed *p)
{
	size_t cnt = 0;

	for (size_t i = 0; i < p->process_cnt; i++) {
		if (has_ended(&p->processes[i]))
			let_go(&p->processes[i]);
		else
			p->processes[cnt++] = p->processes[i];
	}
	p->process_cnt = cnt;
}

static bool is_known(const struct rsp_probed *p, pid_t pid)
{
	for (size_t i = 0; i < p->process_cnt; i++)
		if (p->processes[i].pid == pid && !has_ended(&p->processes[i]))
			return true;
	return false;
}

/* Makes an entry without links. */
static int add_entry(struct rsp_probed *p, pid_t pid)
{
	struct rsp_probed_process *process;
	int fd;

	if (p->process_cnt == RSP_PROBED_PROCESS_MAX)
		let_ended_go(p);
	if (p->process_cnt == RSP_PROBED_PROCESS_MAX || p->total_cnt == RSP_PROBED_TOTAL_MAX)
		return -E2BIG;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -errno;
	process = &p->processes[p->process_cnt++];
	*process = (struct rsp_probed_process){.pid = pid, .fd = fd};
	for (size_t i = 0; i < RSP_PROBED_ALLOCATOR_MAX; i++)
		process->links[i].entries = process->links[i].returns = -1;
	p->total_cnt++;
	return 0;
}

int rsp_probed_add_process(struct rsp_probed *p, pid_t pid)
{
	int r;

	if (is_known(p, pid))
		return 0;
	r = add_entry(p, pid);
	for (size_t i = 0; i < p->allocator_cnt && r == 0; i++)
		r = attach(p, &p->processes[p->process_cnt - 1], i);
	return r < 0 ? r : 1;
}

int rsp_probed_add_allocator(struct rsp_probed *p, const struct rsp_allocator *allocator)
{
	if (p->allocator_cnt == RSP_PROBED_ALLOCATOR_MAX) {
		close(allocator->file);
		return -E2BIG;
	}
	p->allocators[p->allocator_cnt++] = *allocator;
	for (size_t i = 0; i < p->process_cnt; i++)
		(void)attach(p, &p->processes[i], p->allocator_cnt - 1);
	return (int)probe_of(allocator, 0, false).cnt;
}
