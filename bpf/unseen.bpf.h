/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out why an interrupt in a pause wakes a task, since the programs for timers and most of
 * those for sockets are then detached.
 *
 * If the interrupt is that of the CPU's timer and the task waits with a timeout, the timeout has
 * expired. If the task waits in epoll_wait(), the message has arrived at the last socket in epoll's
 * list of ready files, to which the kernel has just appended it. Over loopback, the sender itself
 * delivers its message, in a softirq within its system call.
 */
#ifndef RSP_UNSEEN_BPF_H
#define RSP_UNSEEN_BPF_H

#include "bpf/files.bpf.h"
#include "bpf/wait.bpf.h"

#define LOCAL_TIMER_VECTOR 0xec /* arch/x86/include/asm/irq_vectors.h */

/* Limits the search for the sender's socket in poll() and select(). */
#define POLLED_FDS_MAX 256

struct rsp_end {
	__u64 socket; /* identity of the socket; 0: no socket */
	struct sock *sk;
	struct rsp_flow flow;
	bool has_news; /* the socket has unread data, an error, or the end of the stream */
};

static __always_inline void end_of_file(__u64 address, struct rsp_end *ret)
{
	struct file *file = typed(struct file, address);
	struct inode *inode = address ? LOAD(file, f_inode) : NULL;
	struct socket *socket;
	struct sock *sk;

	ret->socket = 0;
	if (!inode || (LOAD(inode, i_mode) & S_IFMT) != S_IFSOCK)
		return;
	socket = typed(struct socket, LOAD(file, private_data));
	sk = LOAD(socket, sk);
	if (!sk || !flow_of(rsp_reads_in_place, sk, &ret->flow))
		return;
	ret->sk = sk;
	ret->socket = identity(sk);
	ret->has_news = LOAD(sk, sk_receive_queue.qlen) || LOAD(sk, sk_err) ||
			LOAD(sk, sk_shutdown) & RCV_SHUTDOWN;
}

static __always_inline bool are_peers(const struct rsp_end *a, const struct rsp_end *b)
{
	return a->socket && b->socket && a->flow.protocol == b->flow.protocol &&
	       a->flow.local_port == b->flow.remote_port &&
	       a->flow.remote_port == b->flow.local_port && a->flow.local[0] == b->flow.remote[0] &&
	       a->flow.remote[0] == b->flow.local[0] && a->flow.local[1] == b->flow.remote[1] &&
	       a->flow.remote[1] == b->flow.local[1];
}

/*
 * Returns the address of the last file in an epoll file's list of ready files; 0: the list is
 * empty.
 */
static __always_inline __u64 last_ready(__u64 epoll_file)
{
	struct file *file = typed(struct file, epoll_file);
	struct eventpoll *ep = typed(struct eventpoll, LOAD(file, private_data));
	__u64 last = (__u64)LOAD(ep, rdllist.prev);
	struct epitem *item;

	if (last ==
	    (__u64)LOAD(file, private_data) + bpf_core_field_offset(struct eventpoll, rdllist))
		return 0;
	item = typed(struct epitem, last - bpf_core_field_offset(struct epitem, rdllink));
	return (__u64)LOAD(item, ffd.file);
}

struct peer_search {
	struct task_struct *task;
	const struct rsp_end *end;
	bool is_found;
};

static long is_peer_at(__u32 fd, struct peer_search *search)
{
	struct rsp_end other;

	end_of_file(file_of_fd(search->task, fd), &other);
	search->is_found = are_peers(search->end, &other);
	return search->is_found;
}

static __always_inline bool is_epoll(__s32 syscall_nr)
{
	return syscall_nr == __NR_epoll_wait || syscall_nr == __NR_epoll_pwait ||
	       syscall_nr == __NR_epoll_pwait2;
}

static __always_inline void awaited_end(struct task_struct *task, const struct rsp_wait *wait,
					struct rsp_end *ret)
{
	__u64 file = file_of_fd(task, wait->fd);

	if (file && is_epoll(wait->syscall_nr))
		file = last_ready(file);
	end_of_file(file, ret);
}

/* sender_fd: the descriptor through which the current task may be sending. */
static __always_inline __u32 message_context(struct task_struct *wakee, const struct rsp_wait *wait,
					     __u64 sender_fd, __u64 *ret_cause)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct rsp_end sender = {}, awaited = {};
	struct peer_search search = {.task = wakee, .end = &sender};

	if (!is_kernel_thread(current) && current->files)
		end_of_file(file_of_fd(current, sender_fd), &sender);
	if (wait->fd >= 0)
		awaited_end(wakee, wait, &awaited);
	else if (sender.socket && call_traits[wait->syscall_nr & 511] & (CALL_POLL | CALL_SELECT))
		bpf_loop(POLLED_FDS_MAX, is_peer_at, &search, 0);
	if (search.is_found || are_peers(&sender, &awaited))
		return RSP_WAKE_TASK;
	if (!awaited.socket || !awaited.has_news)
		return RSP_WAKE_UNSEEN;
	send_socket(awaited.socket, awaited.sk, &awaited.flow);
	*ret_cause = awaited.socket;
	return RSP_WAKE_NET;
}

/*
 * Returns the context of a wakeup in an interrupt. RSP_WAKE_TIMER: the wakee's own timeout has
 * expired. RSP_WAKE_TASK: the current task sends a message to the wakee. RSP_WAKE_NET: the socket
 * on which the wakee waits (*ret_cause) has data, an error or the end of the stream.
 * RSP_WAKE_UNSEEN: any other cause.
 */
static __noinline __u32 unseen_context(struct task_struct *wakee, bool in_timer, __u64 sender_fd,
				       __u64 *ret_cause)
{
	struct rsp_wait wait;

	wait_of(wakee, (struct pt_regs *)bpf_task_pt_regs(wakee), false, &wait);
	if (in_timer && wait.flags & (RSP_SW_TIMEOUT | RSP_SW_SLEEP))
		return RSP_WAKE_TIMER;
	if (in_timer || wait.syscall_nr < 0 || !has_part(RSP_PART_FILES) || !wakee->files)
		return RSP_WAKE_UNSEEN;
	return message_context(wakee, &wait, sender_fd, ret_cause);
}

#endif
