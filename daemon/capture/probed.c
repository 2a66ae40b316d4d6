/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See probed.h. */
#include "daemon/capture/probed.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/base/helper.h"
#include "daemon/base/journal.h"
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

static bool has_ended(const struct rsp_probed_process *process)
{
	struct pollfd poller = {.fd = process->fd, .events = POLLIN};

	return poll(&poller, 1, 0) == 1;
}

/* Attaches the probes at returns first, so that no call has a beginning without an end. */
static int attach_links(struct rsp_probed *p, struct rsp_probed_process *process, size_t allocator)
{
	const struct rsp_allocator *a = &p->allocators[allocator];
	const struct rsp_helper_probe returns = probe_of(a, process->pid, true),
				      entries = probe_of(a, process->pid, false);
	int fd = rsp_helper_add_probe(&returns);

	if (fd < 0)
		return fd;
	process->links[allocator].returns = fd;
	fd = rsp_helper_add_probe(&entries);
	if (fd < 0)
		return fd;
	process->links[allocator].entries = fd;
	return 0;
}

static int attach(struct rsp_probed *p, struct rsp_probed_process *process, size_t allocator)
{
	int r = attach_links(p, process, allocator);

	if (r == 0 || has_ended(process))
		return r < 0 ? -ESRCH : 0;
	rsp_log(LOG_WARNING, "cannot probe the allocator of process %d: %s", (int)process->pid,
		strerror(-r));
	p->failed_cnt++;
	return r;
}

/* --- processes -------------------------------------------------------------------------------- */

static void detach(struct rsp_probed_process *process)
{
	for (size_t i = 0; i < RSP_PROBED_ALLOCATOR_MAX; i++) {
		rsp_cleanup_close(&process->links[i].entries);
		rsp_cleanup_close(&process->links[i].returns);
	}
	rsp_cleanup_close(&process->fd);
}

static void *detach_copy(void *copy)
{
	detach(copy);
	free(copy);
	return NULL;
}

/*
 * Detaching takes some 10 ms. Another child may start and end in this time without probes, so a
 * separate thread detaches.
 */
static void detach_in_thread(const struct rsp_probed_process *process)
{
	struct rsp_probed_process *copy = malloc(sizeof(*copy));
	pthread_t thread;

	if (!copy)
		return; /* the probes stay until this process ends */
	*copy = *process;
	if (pthread_create(&thread, NULL, detach_copy, copy) == 0)
		pthread_detach(thread);
	else
		detach_copy(copy);
}

static void detach_ended(struct rsp_probed *p)
{
	size_t cnt = 0;

	for (size_t i = 0; i < p->process_cnt; i++) {
		if (has_ended(&p->processes[i]))
			detach_in_thread(&p->processes[i]);
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

static int add_entry(struct rsp_probed *p, pid_t pid)
{
	struct rsp_probed_process *process = &p->processes[p->process_cnt];

	if (p->process_cnt == RSP_PROBED_PROCESS_MAX || p->total_cnt == RSP_PROBED_TOTAL_MAX)
		return -E2BIG;
	*process = (struct rsp_probed_process){.pid = pid,
					       .fd = (int)syscall(SYS_pidfd_open, pid, 0)};
	if (process->fd < 0)
		return -errno;
	for (size_t i = 0; i < RSP_PROBED_ALLOCATOR_MAX; i++)
		process->links[i].entries = process->links[i].returns = -1;
	if (has_ended(process)) {
		detach(process);
		return -ESRCH;
	}
	p->process_cnt++;
	p->total_cnt++;
	return 0;
}

int rsp_probed_add_process(struct rsp_probed *p, pid_t pid)
{
	int r;

	if (is_known(p, pid))
		return 0;
	detach_ended(p);
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
