/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that the BPF programs and the daemon write. Ring buffers, the window and snapshots
 * contain these records. Fields have fixed widths, padding is explicit, there are no pointers, and
 * every size is a multiple of 8. New kinds and enumerators are only added at the end.
 *
 * All times are CLOCK_MONOTONIC in nanoseconds. All tids and tgids belong to the initial pid
 * namespace. The idle task has tid 0.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_EVENT_H
#define RSP_EVENT_H

#ifndef __bpf__
#include <linux/types.h>
#include <stddef.h>
#endif

enum rsp_ev_kind {
	RSP_EV_SWITCH = 1,
	RSP_EV_WAKING = 2,
	RSP_EV_SAMPLE = 3,
	RSP_EV_BLOCK = 4,
	RSP_EV_IRQ = 5,
	RSP_EV_NET = 6,
	RSP_EV_STACK = 7,
	RSP_EV_OBJECT = 8,
	RSP_EV_SOCKET = 9,
	RSP_EV_TASK = 10,
	RSP_EV_EXIT = 11,
	/* Kind 12 (a mapping of a process) exists only in old snapshots; readers skip it. */
	RSP_EV_LOST = 13,
	RSP_EV_WORK = 14,
	RSP_EV_BINARY = 15,
	RSP_EV_SHED = 16,
	RSP_EV_DELAY = 17,
	RSP_EV_MESSAGE = 18,
	RSP_EV_MARK = 19,
	RSP_EV_COUNTERS = 20,
	RSP_EV_ACCOUNT = 21,
	RSP_EV_CALLS = 22,
	RSP_EV_CPU_TIME = 23,
	RSP_EV_MEMORY = 24,
	RSP_EV_MEMORY_WATCH = 25,
	RSP_EV_STOLEN = 26,
	RSP_EV_CONTAINER = 27,
	RSP_EV_KIND_MAX,
};

struct rsp_ev_hdr {
	__u64 ts_ns;
	__u16 kind;
	__u16 size; /* size of the whole record with its header, in bytes; a multiple of 8 */
	__u16 cpu;
	__u16 flags; /* meaning depends on kind */
};

/* The CPU switches from prev to next (sched_switch): prev's run ends, and next's run begins. */
enum rsp_switch_flags {
	RSP_SW_PREEMPTED = 1 << 0, /* prev stays runnable */
	RSP_SW_IOWAIT = 1 << 1,	   /* prev waits for I/O (prev->in_iowait) */
	RSP_SW_KTHREAD = 1 << 2,   /* prev is a kernel thread */
	RSP_SW_TIMEOUT = 1 << 3,   /* the system call has a finite timeout */
	RSP_SW_SLEEP = 1 << 4, /* deliberate sleep: nanosleep() etc., poll() without descriptors */
	RSP_SW_FUTEX = 1 << 5, /* object is the address of the futex in user space */
	RSP_SW_FAULT = 1 << 6, /* blocked outside a system call: a page fault, unless stopped */
	/*
	 * The record is not a switch. The record contains the state of prev at ts_ns: blocked,
	 * runnable (with PREEMPTED), or running (with SAME, prev_state 0). next_tid is 0.
	 */
	RSP_SW_SEED = 1 << 7,
	RSP_SW_UNREADABLE = 1 << 8, /* the system call of prev could not be read */
	/* a switch before the window began (lib/snapshot/carry.h); next_tid is 0 */
	RSP_SW_CARRIED = 1 << 9,
	RSP_SW_THROTTLED = 1 << 10, /* prev's cgroup used up its CPU quota; object: its OBJECT id */
	/*
	 * With SEED, after a pause: prev has not switched since the pause began. It is still in the
	 * same wait (this record has no object and no stacks), or running if prev_state is 0.
	 */
	RSP_SW_SAME = 1 << 11,
	RSP_SW_SEVERAL = 1 << 12, /* with SEED: a poll of several descriptors, or a select() */
};

/*
 * A bit of prev_state that RSP sets: prev is frozen by cgroup.freeze of cgroup version 2. The
 * kernel's TASK_FROZEN (Linux 6.1 and later) has the same value, which the kernel does not set in
 * this case.
 */
#define RSP_TASK_FROZEN 0x8000

struct rsp_ev_switch {
	struct rsp_ev_hdr hdr;
	__u32 prev_tid;
	__u32 next_tid;
	__u32 prev_state; /* TASK_* bits, RSP_TASK_FROZEN; 0: prev stays runnable or runs */
	__s32 syscall_nr; /* system call of prev; -1: outside a system call */
	__u64 object; /* object for which prev waits: OBJECT or SOCKET id, futex address, or 0 */
	__u64 kstack; /* id of a STACK record; 0: no stack was taken */
	__u64 ustack;
};

/*
 * The context of a wakeup is the activity of the CPU at that moment. The context determines the
 * meaning of cause.
 */
enum rsp_wake_context {
	RSP_WAKE_TASK = 1,    /* thread waker_tid woke the wakee; cause: 0 */
	RSP_WAKE_HARDIRQ = 2, /* a device interrupt; cause: OBJECT id of its handler */
	RSP_WAKE_SOFTIRQ = 3, /* cause: softirq vector (NET_RX = 3, BLOCK = 4, RCU = 9, …) */
	RSP_WAKE_TIMER = 4,   /* the wakee's own timeout expired */
	RSP_WAKE_KTIMER = 5,  /* any other timer; cause: address of the timer's kernel function */
	RSP_WAKE_BLOCK = 6,   /* a disk request completed; cause: rsp_ev_block.request */
	RSP_WAKE_NET = 7, /* data arrived at a socket, or its state changed; cause: rsp_ev_net.sk */
	RSP_WAKE_IRQ = 8, /* an interrupt that CPUs send; cause: OBJECT id of its name */
	RSP_WAKE_UNSEEN = 9, /* in a pause: a page fault or an unidentified interrupt; cause: 0 */
};

enum rsp_waking_flags {
	RSP_WK_NEW = 1 << 0,	   /* first wakeup of a new task (sched_wakeup_new) */
	RSP_WK_THROTTLED = 1 << 1, /* before Linux 6.18: no CPU quota left on the wakee's CPU */
	/*
	 * In a pause: the wakee had slept for a long time. Unless SAME is set, a SEED record with
	 * the same ts_ns precedes this record and contains the wait of the wakee.
	 */
	RSP_WK_PAUSED = 1 << 2,
	RSP_WK_SAME = 1 << 3, /* with PAUSED: the sleep began before the pause; no SEED precedes */
};

struct rsp_ev_waking {
	struct rsp_ev_hdr hdr;
	__u32 waker_tid; /* the current task; it is the waker only if context is TASK */
	__u32 wakee_tid;
	__u32 context;	/* enum rsp_wake_context */
	__u32 slept_us; /* length of the sleep if it began before the last pause ended; else 0 */
	__u64 cause;
	__u64 kstack; /* kernel stack at the wakeup */
	__u64 ustack; /* user stack of the waker; 0 if context is not TASK */
};

/* A sample: the stack of the task that runs on the CPU, taken periodically. */
struct rsp_ev_sample {
	struct rsp_ev_hdr hdr;
	__u32 tid;
	__u32 period_us; /* sampling period at that time; 0: derived from rsp_meta.sample_hz */
	__u64 kstack;
	__u64 ustack;
};

enum rsp_block_flags {
	RSP_BLK_INSERT = 1 << 0, /* queued in the kernel */
	RSP_BLK_ISSUE = 1 << 1,	 /* passed to the device */
	RSP_BLK_COMPLETE = 1 << 2,
};

/* A stage of a disk request. */
struct rsp_ev_block {
	struct rsp_ev_hdr hdr;
	__u64 request; /* identity while the request is in flight; later requests may reuse it */
	__u64 sector;
	__u32 dev; /* major << 20 | minor */
	__u32 bytes;
	__u32 op_flags; /* REQ_OP_* in the low 8 bits, REQ_* flags above */
	/*
	 * the current task; it made the request only at INSERT, or at ISSUE if there is no INSERT
	 */
	__u32 tid;
	__u64 object; /* OBJECT id of its first page's file; 0: none (metadata, anonymous) */
};

enum rsp_irq_flags {
	RSP_IRQ_HARD = 1 << 0,
	RSP_IRQ_SOFT = 1 << 1,
};

/*
 * An interrupt, written at its end: it ran from ts_ns - dur_ns to ts_ns. A record may also be the
 * sum of several short softirqs of the same vector that interrupted the same task. dur_ns is then
 * the sum of their lengths, and the last softirq ended at ts_ns. Softirqs in a sum woke no task and
 * queued no work, unless their vector is NET_RX.
 */
#define RSP_IRQ_SHORT_NS 10000	 /* maximum length of a softirq in a sum */
#define RSP_IRQ_SUM_NS	 1000000 /* maximum time from the first begin in a sum to ts_ns */

struct rsp_ev_irq {
	struct rsp_ev_hdr hdr;
	__u32 vector; /* irq number or softirq vector */
	__u32 tid;    /* the interrupted task */
	__u64 dur_ns;
	union {
		__u64 object;		  /* HARD: OBJECT id of the handler's name */
		struct {		  /* SOFT */
			__u32 more_cnt;	  /* number of softirqs in the sum, less one */
			__u32 longest_ns; /* length of the longest softirq; 0 if more_cnt is 0 */
		};
	};
};

enum rsp_net_flags {
	RSP_NET_CONNECT = 1 << 0, /* TCP: a SYN is about to be sent */
	/* TCP: the handshake is complete. unix: tid has connected to the listener of sk. */
	RSP_NET_ESTABLISHED = 1 << 1,
	RSP_NET_SEND = 1 << 2,	/* thread tid sends */
	RSP_NET_READY = 1 << 3, /* data reached the socket's receive queue */
	RSP_NET_CLOSE = 1 << 4, /* TCP: closed here or by the peer; unix: closed before its peer */
	/*
	 * With SEND, on TCP: the data do not fill a segment, and the kernel holds them back until
	 * the peer acknowledges earlier data (Nagle's algorithm, TCP_CORK).
	 */
	RSP_NET_NAGLE = 1 << 5,
	/*
	 * With SEND and READY of a message over a unix socket: the receiver read the message before
	 * this record was written. Even the records of its answer may be older.
	 */
	RSP_NET_LATE = 1 << 6,
};

struct rsp_ev_net {
	struct rsp_ev_hdr hdr;
	__u32 tid; /* the current task; meaningful for CONNECT, SEND and unix sockets only */
	/*
	 * SEND: size of the message. 0 on TCP: the message continues after a wait for room in the
	 * send buffer. 0 on unix: unknown, the receiver has already read the message.
	 */
	__u32 bytes;
	__u64 sk;     /* identity of the kernel socket (a keyed hash of its address) */
	__u64 object; /* SOCKET id of the record with its addresses at this moment */
	__u32 seq;    /* TCP: write_seq before a SEND, rcv_nxt at READY; else 0 */
	__u32 pad;
};

/*
 * A message over a connected unix socket. At ts_ns, the message was in the receiver's queue. The
 * record stands for two NET records with the same time, CPU, tid and flag: a SEND of the sender's
 * socket, then a READY of the receiver's socket. These replace the MESSAGE when a snapshot is read
 * (lib/trace/trace-parts.h). The kernel divides a large message, and each part makes a MESSAGE.
 */
struct rsp_ev_message {
	struct rsp_ev_hdr hdr; /* flags: 0 or RSP_NET_LATE */
	__u32 tid;	       /* the sender */
	__u32 bytes;	       /* as rsp_ev_net.bytes of a SEND */
	__u64 from; /* SOCKET id of the sender; 0: redacted, the record is only a READY */
	__u64 to;   /* SOCKET id of the receiver; 0: redacted, the record is only a SEND */
};

/*
 * A worker of a workqueue (kworker/…) begins to process an item. The worker processes the item
 * until its next WORK record, or until it waits interruptibly. queuer_tid, context and cause have
 * the same meaning as waker_tid, context and cause of a WAKING record.
 */
struct rsp_ev_work {
	struct rsp_ev_hdr hdr;
	__u32 worker_tid;
	__u32 queuer_tid; /* the current task; it queued the item only if context is TASK */
	__u32 context;	  /* enum rsp_wake_context; 0: unknown, such as before the recording */
	__u32 pad;
	__u64 cause;
	__u64 queued_ns; /* time at which the item was queued; 0: unknown */
	__u64 function;	 /* address of the item's kernel function */
};

/* The reasons for delays that the kernel itself knows. A record has one reason. */
enum rsp_delay {
	RSP_DELAY_IO_LIMIT = 1,	  /* the cgroup's I/O limit (io.max) held a disk request back */
	RSP_DELAY_RETRANSMIT = 2, /* TCP: a segment was not acknowledged, so it was sent again */
	RSP_DELAY_CONNECT = 3,	  /* TCP: a SYN was not answered, so it was sent again */
	RSP_DELAY_RECLAIM = 4,	  /* a thread that allocates memory had to free memory first */
	RSP_DELAY_CNT,
};

struct rsp_ev_delay {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_delay */
	__u32 tid; /* RECLAIM: the thread that frees memory. Other reasons: the current task. */
	__u32 pad;
	__u64 from_ns; /* IO_LIMIT: time at which the kernel released it; RECLAIM: begin; else 0 */
	__u64 subject; /* IO_LIMIT: rsp_ev_block.request. RETRANSMIT, CONNECT: rsp_ev_net.sk */
	/*
	 * RETRANSMIT, CONNECT: SOCKET id of the socket. Other reasons: OBJECT id of the cgroup that
	 * has reached its limit; 0: unknown, or (RECLAIM) no cgroup has.
	 */
	__u64 object;
};

#define RSP_STACK_FRAMES_MAX 127

enum rsp_stack_flags {
	RSP_STACK_KERNEL = 1 << 0,
	RSP_STACK_USER = 1 << 1,
	RSP_STACK_TRUNCATED = 1 << 2, /* the stack has more than RSP_STACK_FRAMES_MAX frames */
	RSP_STACK_PARTIAL = 1 << 3,   /* user stack: it ends before the thread's first function */
	RSP_STACK_PENDING = 1 << 4,   /* with PARTIAL: no unwind table yet for the last binary */
};

/*
 * A frame of a user stack. If bit 63 is set, the frame is a place in a binary, independent of the
 * address of its mapping: the next 23 bits contain the number of the binary (BINARY record), and
 * the lowest 40 bits the offset in its file. If bit 63 is clear, the frame is an address outside
 * all files (code made at run time) or in an unknown file.
 */
#define RSP_FRAME_IN_BINARY	(1ULL << 63)
#define RSP_FRAME_OFFSET_BITS	40
#define RSP_FRAME_BINARY(frame) ((__u32)((frame) >> RSP_FRAME_OFFSET_BITS) & 0x7fffff)
#define RSP_FRAME_OFFSET(frame) ((frame) & ((1ULL << RSP_FRAME_OFFSET_BITS) - 1))

/* A call stack is sent in each epoch (bpf/rsp.bpf.h) in which an event refers to its id. */
struct rsp_ev_stack {
	struct rsp_ev_hdr hdr;
	__u64 id;
	__u32 tgid; /* process of the frames that are addresses; 0: no frame is an address */
	__u32 frame_cnt;
	__u64 frames[]; /* leaf first; all frames after the first are return addresses */
};

#define RSP_NAME_MAX 232

enum rsp_object_type {
	RSP_OBJ_FILE = 1, /* regular file or directory; name is a path */
	RSP_OBJ_PIPE = 2,
	RSP_OBJ_UNIX = 3,   /* unix socket; name: path, or @ and the abstract name; may be empty */
	RSP_OBJ_SOCKET = 4, /* socket of another family */
	RSP_OBJ_ANON = 5,   /* anonymous inode; name: [eventpoll], [eventfd], … */
	RSP_OBJ_DEVICE = 6, /* character or block device node; name is a path */
	RSP_OBJ_IRQ = 7,    /* handler of a device interrupt, or interrupt that CPUs send */
	RSP_OBJ_DISK = 8,   /* whole disk; its id is RSP_DISK_ID(dev) */
	RSP_OBJ_CGROUP = 9, /* name is the path from the root of the cgroup hierarchy */
};

/* The id of the OBJECT record with a disk's name. Block records contain only the disk's number. */
#define RSP_DISK_ID(dev) (1ULL << 63 | (dev))

/*
 * A kernel object with a name. The id is a hash of values that identify the object and its name, or
 * RSP_DISK_ID(), so the same id always means the same name. For FILE, DEVICE and CGROUP, the name
 * is a list of NUL-terminated path components, leaf first ("log\0var\0" is /var/log). For other
 * types, the name is one string.
 */
struct rsp_ev_object {
	struct rsp_ev_hdr hdr; /* flags: RSP_OBJ_TRUNCATED */
	__u64 id;
	__u64 ino;
	__u32 dev;	/* device number of the file system */
	__u32 type;	/* enum rsp_object_type */
	__u32 name_len; /* length of name in bytes, with the NULs */
	__u32 pad;
	char name[RSP_NAME_MAX];
};
#define RSP_OBJ_TRUNCATED 1 /* name is too short for the path and lacks its topmost directories */

/*
 * The end of a connection at which a TCP or unix socket is. A record has neither flag if the socket
 * listens or is no longer bound, or if an old recorder wrote the record.
 */
enum rsp_socket_flags {
	RSP_SOCKET_ACCEPTED = 1 << 0,  /* the server's end */
	RSP_SOCKET_CONNECTED = 1 << 1, /* the client's end */
};

/*
 * The addresses of both ends of a TCP or UDP socket, or of a connected unix socket (stream or
 * seqpacket), but not of socketpair(). The id is a hash of these addresses and sk.
 */
struct rsp_ev_socket {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_socket_flags */
	__u64 id;
	__u64 sk;	   /* identity of the kernel socket, as rsp_ev_net.sk */
	__u16 family;	   /* AF_UNIX 1, AF_INET 2, AF_INET6 10 */
	__u16 protocol;	   /* IPPROTO_TCP 6, IPPROTO_UDP 17; AF_UNIX: 0 */
	__u16 local_port;  /* host byte order; AF_UNIX: 0 */
	__u16 remote_port; /* 0: not connected; AF_UNIX: 0 */
	union {
		struct {
			__u8 local[16]; /* network byte order; IPv4 in the first 4 bytes */
			__u8 remote[16];
		};
		struct {
			__u64 path;	  /* OBJECT id of the listener's address; 0: unknown */
			__u64 peer;	  /* identity of the socket at the other end */
			__u64 connection; /* inode number of the client's socket, for both ends */
			__u64 pad;
		} un; /* AF_UNIX */
	};
};

enum rsp_task_reason {
	RSP_TASK_SEED = 1 << 0, /* found by a census (records of all existing threads) */
	RSP_TASK_FORK = 1 << 1, /* thread ptid created the thread at ts_ns */
	RSP_TASK_EXEC = 1 << 2, /* the thread executes another program from ts_ns on */
	/* comm changed; of changes in quick succession, only some have a record */
	RSP_TASK_NAME = 1 << 3,
};

#define RSP_TASK_COMM_LEN 16
#define RSP_PIDNS_INITIAL 0xeffffffcU /* inode number of the initial pid namespace */

enum rsp_task_attr {
	RSP_TASK_ATTR_KTHREAD = 1 << 0,
	/*
	 * By the rules of ptrace, the owner of the task may not inspect the task: it executes a
	 * set-user-ID or set-group-ID program, has capabilities, or is not dumpable. Old recorders
	 * do not set this bit.
	 */
	RSP_TASK_ATTR_CLOSED = 1 << 1,
	RSP_TASK_ATTR_LENT = 1 << 2, /* a kernel thread that works for process tgid (io_uring) */
};

/* The identity of a thread from ts_ns on, until its next TASK or EXIT record. */
struct rsp_ev_task {
	struct rsp_ev_hdr hdr; /* flags: one enum rsp_task_reason */
	__u32 tid;
	__u32 tgid;
	__u32 ptid; /* FORK: tid of the thread that called fork(); else tgid of the parent */
	__u32 uid;  /* effective user ID; the owner of the files in /proc/TID */
	__u64 cgroup_id;
	__u64 start_ns;
	__u32 pidns; /* inode numbers of the pid namespace and of the mount namespace */
	__u32 mntns;
	__u32 attrs;		      /* enum rsp_task_attr */
	__u32 ns_tgid;		      /* process ID in the task's own pid namespace */
	char comm[RSP_TASK_COMM_LEN]; /* NUL-terminated */
};

enum rsp_exit_flags {
	RSP_EXIT_EXEC = 1 << 0, /* not a death: by exec, the thread gets the main thread's tid */
};

struct rsp_ev_exit {
	struct rsp_ev_hdr hdr; /* flags: RSP_EXIT_* */
	__u32 tid;
	__u32 tgid;
	__u32 code;  /* exit status as from wait(2) */
	__u32 attrs; /* enum rsp_task_attr; with CLOSED if the task became closed later */
};

/* Reasons to write an ACCOUNT or CALLS record. */
enum rsp_account_flags {
	RSP_ACCOUNT_BEGIN = 1 << 0, /* a watch (rsp/watch.h) began, and the thread existed then */
	RSP_ACCOUNT_READ = 1 << 1,  /* the recorder read the counts while the thread existed */
	RSP_ACCOUNT_EXEC = 1 << 2,  /* the thread executes another program from ts_ns on */
	RSP_ACCOUNT_EXIT = 1 << 3,  /* the thread exits */
	/* Methods of measurement; set in addition to one reason. */
	RSP_ACCOUNT_EXACT = 1 << 4,   /* by a clock at each change of mode, not by ticks */
	RSP_ACCOUNT_NO_IRQS = 1 << 5, /* the times do not contain interrupts */
};

/*
 * The CPU time that the kernel has accounted to a thread since its birth. Most kernels count
 * user_ns and system_ns in ticks, as /proc/PID/stat shows them: the ratio of both times is
 * meaningful, but their sum is not exact. If EXACT is set, the thread runs on a CPU of nohz_full=,
 * and user_ns is exact; system_ns lacks the time since the last change of mode. The times contain
 * interrupts, unless NO_IRQS is set.
 */
struct rsp_ev_account {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_account_flags */
	__u32 tid;
	__u32 tgid;
	__u64 user_ns;
	__u64 system_ns;
};

/*
 * The calls of one system call by one thread while a watch counts system calls: since from_ns, or
 * since the thread's last exec if that was later. Each record includes the counts of the thread's
 * earlier records since that exec, so only the newest record before each exec counts. A call is
 * pending if the recorder did not see its begin or its end. Pending calls count only in pending_ns,
 * with the part of their time between from_ns and ts_ns.
 */
struct rsp_ev_calls {
	struct rsp_ev_hdr hdr; /* flags: one of enum rsp_account_flags, except BEGIN */
	__u32 tid;
	__s32 syscall_nr; /* RSP_CALLS_OTHER: all calls without a slot in the recorder's table */
	__u64 from_ns;
	__u64 cnt;
	__u64 sum_ns;
	__u64 min_ns;
	__u64 max_ns;
	__u64 pending_ns;
};

#define RSP_CALLS_OTHER	 (-1)
#define RSP_CALLS_COMPAT 0x10000 /* is added to the number of a system call of a 32-bit program */

/*
 * The time that the kernel has accounted to a CPU since the machine was booted, from /proc/stat, in
 * steps of 10 ms.
 */
struct rsp_ev_cpu_time {
	struct rsp_ev_hdr hdr; /* cpu: number of the CPU */
	__u64 user_ns;
	__u64 system_ns;
	__u64 irq_ns;
	__u64 softirq_ns;
	__u64 steal_ns; /* time in which the CPU had work, but the hypervisor did not run it */
	__u64 idle_ns;
};

/*
 * Stolen time: while the thread was on the CPU, the hypervisor ran another task on the physical
 * CPU. The stolen time lies before ts_ns, within the thread's current run, and after the earlier
 * STOLEN records of this run.
 */
struct rsp_ev_stolen {
	struct rsp_ev_hdr hdr;
	__u32 tid;
	__u32 pad;
	__u64 stolen_ns;
};

/*
 * The names that a container runtime gives to the container of a cgroup. The container may begin at
 * an ancestor of this cgroup. Names consist of letters, digits, '.', '-' and '_', and begin with a
 * letter or digit; "": there is no name.
 */
#define RSP_CONTAINER_NAME_MAX	    128
#define RSP_CONTAINER_POD_MAX	    256
#define RSP_CONTAINER_NAMESPACE_MAX 64
struct rsp_ev_container {
	struct rsp_ev_hdr hdr;
	__u64 cgroup_id;
	char name[RSP_CONTAINER_NAME_MAX];
	char pod[RSP_CONTAINER_POD_MAX];	      /* name of the Kubernetes pod */
	char name_space[RSP_CONTAINER_NAMESPACE_MAX]; /* Kubernetes namespace of the pod */
};

/* Kinds of memory use. In a set of kinds, bit (1 << kind) stands for a kind. */
enum rsp_memory_kind {
	RSP_MEMORY_FAULTS = 1, /* page faults of user code, and of kernel code in a system call */
	RSP_MEMORY_MMAP = 2,   /* mmap(), and mremap() that makes a mapping larger */
	RSP_MEMORY_BRK = 3,    /* brk() that makes the heap larger */
	RSP_MEMORY_MALLOC = 4, /* malloc() and similar functions */
	RSP_MEMORY_KIND_MAX,
};

/*
 * The memory use of a thread with one call stack, from the begin of a watch to ts_ns. Each record
 * includes the sums of the earlier records of the same watch. When a client reads the sums, the
 * recorder writes several MEMORY records, then a MEMORY_WATCH record with the same ts_ns.
 */
struct rsp_ev_memory {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_memory_kind */
	__u32 tid;
	__u32 tgid;
	__u64 kstack; /* FAULTS in a system call: the kernel stack; else 0 */
	__u64 ustack; /* the user stack; 0: not taken */
	__u64 cnt;    /* number of faults or calls */
	__u64 bytes;  /* FAULTS: 0; MMAP, BRK: growth in bytes; MALLOC: requested bytes */
	/* MALLOC: number and size of blocks that are not freed yet, also of ended processes */
	__u64 live_cnt;
	__u64 live_bytes;
};

/* Reasons why a watch of memory missed events. MEMORY records do not contain these events. */
enum rsp_memory_lost {
	RSP_MEMORY_LOST_STACKS = 0, /* the table of sums was full */
	/* the table of allocated blocks was full: the blocks count, but not as live */
	RSP_MEMORY_LOST_BLOCKS = 1,
	RSP_MEMORY_LOST_THREADS = 2, /* no memory for a thread's state; its events are missing */
	RSP_MEMORY_LOST_SKIPPED = 3, /* the kernel skipped a BPF program */
	/* MALLOC: child processes without probes, because they ended early or were too many */
	RSP_MEMORY_LOST_CHILDREN = 4,
	/* MALLOC: allocators whose probes were attached only after a process had mapped them */
	RSP_MEMORY_LOST_LATE = 5,
	/* MALLOC: mapped files that were not searched for an allocator */
	RSP_MEMORY_LOST_FILES = 6,
	RSP_MEMORY_LOST_STATIC = 7, /* MALLOC: static programs without allocator functions */
	/* MALLOC: child processes whose probes were attached after their birth */
	RSP_MEMORY_LOST_LATE_CHILDREN = 8,
	/* MALLOC: allocators to which the kernel did not attach probes */
	RSP_MEMORY_LOST_PROBES = 9,
	RSP_MEMORY_LOST_CNT,
};

/* The state of a watch of the memory of a process and its descendants, at ts_ns. */
struct rsp_ev_memory_watch {
	struct rsp_ev_hdr hdr; /* flags: set of enum rsp_memory_kind */
	__u32 tgid;	       /* the process */
	__u32 function_cnt;    /* MALLOC: number of allocator functions that are probed */
	__u64 from_ns;	       /* begin of the watch */
	/* Records of older recorders end after CHILDREN. */
	__u64 lost_cnt[RSP_MEMORY_LOST_CNT];
	__u64 late_ns; /* LATE, LATE_CHILDREN: the longest time without probes */
};

#define RSP_EV_MEMORY_WATCH_SIZE_MIN 72

#define RSP_BUILD_ID_MAX 20

/*
 * The file of a binary whose number appears in user frames. The recorder uses a number again only
 * when no record contains it any more. Snapshots contain BINARY records; the window does not.
 */
struct rsp_ev_binary {
	struct rsp_ev_hdr hdr;
	__u32 number;	    /* number of the binary, from 1 */
	__u32 tgid;	    /* a process that mapped the file; path begins at its root directory */
	__u64 ino;	    /* 0: no file (the vdso) */
	__u32 dev;	    /* major << 20 | minor */
	__u32 build_id_len; /* 0: unknown */
	__u8 build_id[RSP_BUILD_ID_MAX];
	__u32 pad;
	char path[]; /* NUL-terminated and padded; or "[vdso]" */
};

/*
 * A loss of records. Without flags: lost_cnt records of this CPU found their ring full, the first
 * at from_ns, the last at ts_ns. With NOT_MADE: between these times, the kernel skipped runs of BPF
 * programs on one or more CPUs, so records are missing.
 */
#define RSP_LOST_NOT_MADE (1 << 0) /* cpu: 0 */

/*
 * A pause: from from_ns to ts_ns, the recorder left out switches, wakeups, softirqs, work items and
 * most messages over sockets on all CPUs, to stay within its budget (RSP_SHED_SLICES) or its share
 * of the time (Time= in rspd.conf(5)). lost_cnt is 0, since no program counts these events. Wakeups
 * that end waits of several milliseconds may still be recorded (RSP_WK_PAUSED). Several records may
 * describe one pause: each begins where the previous record ends. After the last of these records,
 * SEED records contain the states of all threads.
 */
#define RSP_LOST_PAUSED (1 << 1) /* cpu: 0 */

/*
 * The lost records are TASK and EXIT records of the control ring (births, execs and deaths of
 * threads). From from_ns until its next TASK record, the owner of a thread is unknown. A census
 * (TASK records of all threads) follows.
 */
#define RSP_LOST_BIRTHS (1 << 2) /* cpu: 0 */

/*
 * With PAUSED: a user requested the pause. Nothing was recorded, not even births and deaths of
 * threads. A thread without a SEED record after the last record of the pause has died in the pause.
 */
#define RSP_LOST_REQUESTED (1 << 3) /* cpu: 0 */

struct rsp_ev_lost {
	struct rsp_ev_hdr hdr; /* cpu: CPU of the ring; flags: RSP_LOST_* */
	__u64 from_ns;
	__u64 lost_cnt;
	__u64 kinds; /* bit (1 << kind) for each kind of lost records; 0: unknown */
};

/*
 * The data that the recorder leaves out ("sheds") to stay within its budget, in steps. Each step up
 * to SAMPLES includes all steps before it.
 */
enum rsp_shed {
	RSP_SHED_NOTHING = 0,
	RSP_SHED_WAKER_STACKS = 1,
	RSP_SHED_HOT_STACKS = 2, /* most stacks at switches of tasks that switch very often */
	/* all stacks at switches, except those of tasks that switch rarely */
	RSP_SHED_STACKS = 3,
	RSP_SHED_SAMPLES = 4, /* most samples */
	/*
	 * The data of HOT_STACKS, and in pauses also switches and wakeups. LOST records with
	 * RSP_LOST_PAUSED mark the pauses. Current recorders do not use STACKS and SAMPLES.
	 */
	RSP_SHED_SLICES = 5,
	RSP_SHED_CNT,
};

/*
 * Set by all recorders except old ones. In a record without this flag, step 2 means that all
 * samples are left out, step 3 means HOT_STACKS, and step 4 means STACKS.
 */
#define RSP_SHED_SAMPLES_LAST (1 << 0)

/*
 * From from_ns to ts_ns, the recorder left out the data of a step. The times of these records do
 * not overlap.
 */
struct rsp_ev_shed {
	struct rsp_ev_hdr hdr; /* flags: RSP_SHED_SAMPLES_LAST */
	__u64 from_ns;
	__u32 step;	  /* enum rsp_shed */
	__u32 budget_ppm; /* the budget: share of the time of all CPUs, in millionths */
};

/* A mark: an event on the machine at ts_ns that may explain a change. Written by the daemon. */
enum rsp_mark_type {
	RSP_MARK_TEXT = 1,    /* text: given by a user or a program, for example at a deployment */
	RSP_MARK_BREACH = 2,  /* text: name of the SLO that was breached */
	RSP_MARK_STARTED = 3, /* text: name of the systemd unit */
	RSP_MARK_STOPPED = 4, /* text: name of the systemd unit; it ended without a failure */
	RSP_MARK_FAILED = 5,  /* text: name of the systemd unit */
	RSP_MARK_DROPPED = 6, /* cnt: number of marks that the rate limit dropped since from_ns */
	RSP_MARK_TYPE_MAX,
};

#define RSP_MARK_TEXT_MAX 216

struct rsp_ev_mark {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_mark_type */
	/*
	 * BREACH: begin of the slow operation, 0: unknown; DROPPED: time since which marks were
	 * dropped
	 */
	__u64 from_ns;
	__u32 uid;  /* TEXT: user ID of the process that made the mark */
	__u32 tgid; /* TEXT: process that made the mark. BREACH: slow process; 0: unknown. */
	__u32 cnt;  /* DROPPED: number of marks */
	__u32 pad;
	char text[RSP_MARK_TEXT_MAX]; /* valid UTF-8, NUL-terminated; "" in a redacted snapshot */
};

/*
 * Counters of the whole machine at ts_ns. Once a second, the daemon writes a record for each set of
 * counters. The value of a counter that the machine does not have is RSP_COUNTER_ABSENT.
 */
#define RSP_COUNTER_ABSENT   (~0ULL)
#define RSP_COUNTER_SET_SIZE 6

enum rsp_counter_set {
	RSP_COUNTERS_PRESSURE = 0,
	RSP_COUNTERS_MEMORY = 1,
	RSP_COUNTERS_LOAD = 2,
	RSP_COUNTER_SET_CNT,
};

/* Counter c is v[c % RSP_COUNTER_SET_SIZE] of set c / RSP_COUNTER_SET_SIZE. */
enum rsp_counter {
	/* Total time in µs for which some or all (FULL) tasks stalled for lack of a resource. */
	RSP_COUNTER_CPU_SOME = 0,
	RSP_COUNTER_MEMORY_SOME = 1,
	RSP_COUNTER_MEMORY_FULL = 2,
	RSP_COUNTER_IO_SOME = 3,
	RSP_COUNTER_IO_FULL = 4,
	/* Amounts in KiB. */
	RSP_COUNTER_MEM_TOTAL = 6,
	RSP_COUNTER_MEM_AVAILABLE = 7,
	RSP_COUNTER_SWAP_TOTAL = 8,
	RSP_COUNTER_SWAP_FREE = 9,
	RSP_COUNTER_DIRTY = 10,	    /* data in memory that are not on the disk yet */
	RSP_COUNTER_WRITEBACK = 11, /* data that are being written to the disk */
	RSP_COUNTER_LOAD = 12,	    /* load average of the last minute, in hundredths */
	RSP_COUNTER_RUNNABLE = 13,  /* number of tasks that run or wait for a CPU */
	RSP_COUNTER_TASKS = 14,
	/* Frequencies of CPUs in kHz. */
	RSP_COUNTER_FREQ_MEAN = 15,
	RSP_COUNTER_FREQ_MIN = 16,
	RSP_COUNTER_FREQ_MAX = 17,
	RSP_COUNTER_CNT,
};

struct rsp_ev_counters {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_counter_set */
	__u64 v[RSP_COUNTER_SET_SIZE];
};

/*
 * The losses of a ring. This is not a record: the BPF programs count losses in memory that the
 * daemon maps. Each time the daemon drains the ring and cnt has changed, it resets from_ns and
 * kinds, and writes a LOST record.
 */
struct rsp_loss {
	__u64 cnt; /* losses since load; written last, so all members are then valid */
	__u64 from_ns;
	__u64 until_ns;
	__u64 kinds;
};

#endif
