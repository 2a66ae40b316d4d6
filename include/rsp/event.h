/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the kernel programs and user space: the records in the ring buffers, in the
 * window and in snapshots. Fields have fixed widths, padding is explicit, there are no pointers,
 * and every size is a multiple of 8. Kinds and enumerators are append-only.
 *
 * All times are CLOCK_MONOTONIC in nanoseconds. All tids and tgids are those of the initial pid
 * namespace. A tid of 0 is the idle task.
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
	/* 12: a mapping of a process, only in old snapshots; readers skip it as an unknown kind */
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
	__u16 size; /* whole record, header included; a multiple of 8 */
	__u16 cpu;
	__u16 flags; /* meaning depends on kind */
};

/* One CPU switches from prev to next (sched_switch). Ends prev's run and begins next's. */
enum rsp_switch_flags {
	RSP_SW_PREEMPTED = 1 << 0, /* prev stays runnable */
	RSP_SW_IOWAIT = 1 << 1,	   /* prev->in_iowait */
	RSP_SW_KTHREAD = 1 << 2,   /* prev is a kernel thread */
	RSP_SW_TIMEOUT = 1 << 3,   /* the system call has a finite timeout */
	RSP_SW_SLEEP = 1 << 4,	   /* deliberate: nanosleep family, or poll() without descriptors */
	RSP_SW_FUTEX = 1 << 5,	   /* object is the futex's user address */
	RSP_SW_FAULT = 1 << 6,	   /* blocked outside any system call: a page fault */
	/*
	 * The record is not a switch. It contains the state of prev at ts_ns: blocked, runnable
	 * (PREEMPTED), or running (SAME with prev_state 0). next_tid is 0.
	 */
	RSP_SW_SEED = 1 << 7,
	RSP_SW_UNREADABLE = 1 << 8, /* prev's saved registers could not be read */
	RSP_SW_CARRIED = 1 << 9,    /* older than the window; describes prev only, next_tid is 0 */
	RSP_SW_THROTTLED = 1 << 10, /* prev's cgroup has used up its CPU quota; object: CGROUP */
	/*
	 * With SEED, after a pause: prev has not switched since the pause began. It is still
	 * blocked at the same place (this record has no object and no stacks), or still running if
	 * prev_state is 0.
	 */
	RSP_SW_SAME = 1 << 11,
};

/*
 * prev_state contains the kernel's bits, except this one, which RSP sets: prev is frozen by
 * cgroup.freeze of version 2. The value is that of the kernel's TASK_FROZEN (6.1 and later), which
 * the kernel does not set in this case.
 */
#define RSP_TASK_FROZEN 0x8000

struct rsp_ev_switch {
	struct rsp_ev_hdr hdr;
	__u32 prev_tid;
	__u32 next_tid;
	__u32 prev_state; /* TASK_* bits of the kernel, RSP_TASK_FROZEN; 0 if preempted */
	__s32 syscall_nr; /* of prev; -1 outside a system call */
	__u64 object;	  /* prev waits for it: OBJECT or SOCKET id, futex address, or 0 */
	__u64 kstack;	  /* id of a STACK record; 0: no stack was taken */
	__u64 ustack;
};

/* The activity of a CPU that made a task runnable. The activity determines the cause. */
enum rsp_wake_context {
	RSP_WAKE_TASK = 1,    /* waker_tid woke it; cause 0 */
	RSP_WAKE_HARDIRQ = 2, /* a device interrupt; cause: OBJECT id of its handler */
	RSP_WAKE_SOFTIRQ = 3, /* cause: softirq vector (NET_RX = 3, BLOCK = 4, RCU = 9, …) */
	RSP_WAKE_TIMER = 4,   /* the wakee's own timeout expired */
	RSP_WAKE_KTIMER = 5,  /* any other timer; cause: address of its kernel function */
	RSP_WAKE_BLOCK = 6,   /* a disk request completed; cause: rsp_ev_block.request */
	RSP_WAKE_NET = 7,     /* data or a new state came to a socket; cause: rsp_ev_net.sk */
	RSP_WAKE_IRQ = 8,     /* an interrupt without a device; cause: OBJECT id of its name */
	RSP_WAKE_UNSEEN = 9,  /* in a pause: a fault, or an interrupt without a device; cause 0 */
};

enum rsp_waking_flags {
	RSP_WK_NEW = 1 << 0,	   /* first wakeup of a new task (sched_wakeup_new) */
	RSP_WK_THROTTLED = 1 << 1, /* no CPU quota left on the wakee's last CPU; before 6.18 */
	/*
	 * In a pause: the wakee had slept for a long time. Without SAME, a SEED record with the
	 * same ts_ns precedes this one and contains what the wakee waited for.
	 */
	RSP_WK_PAUSED = 1 << 2,
	RSP_WK_SAME = 1 << 3, /* with PAUSED: asleep since before the pause, so no SEED */
};

struct rsp_ev_waking {
	struct rsp_ev_hdr hdr;
	__u32 waker_tid; /* the current task; it is the cause only if context says so */
	__u32 wakee_tid;
	__u32 context; /* enum rsp_wake_context */
	/* length of the wakee's sleep, if the sleep began before the end of a pause; else 0 */
	__u32 slept_us;
	__u64 cause;
	__u64 kstack; /* of the waker */
	__u64 ustack; /* of the waker; 0 outside task context */
};

/* The activity of the CPU at a periodic tick. */
struct rsp_ev_sample {
	struct rsp_ev_hdr hdr;
	__u32 tid;
	__u32 period_us; /* sampling period at that time; 0: the one in META */
	__u64 kstack;
	__u64 ustack;
};

enum rsp_block_flags {
	RSP_BLK_INSERT = 1 << 0,   /* queued in the kernel */
	RSP_BLK_ISSUE = 1 << 1,	   /* handed to the device */
	RSP_BLK_COMPLETE = 1 << 2, /* done */
};

/* One step of a disk request. */
struct rsp_ev_block {
	struct rsp_ev_hdr hdr;
	__u64 request; /* identity while in flight; later requests reuse it */
	__u64 sector;
	__u32 dev; /* major << 20 | minor */
	__u32 bytes;
	__u32 op_flags; /* REQ_OP_* in the low 8 bits, REQ_* flags above */
	__u32 tid;	/* current task; it is the issuer at insert and at a direct issue */
	__u64 object;	/* OBJECT id of the file of its first page, 0: none (metadata, anonymous) */
};

enum rsp_irq_flags {
	RSP_IRQ_HARD = 1 << 0,
	RSP_IRQ_SOFT = 1 << 1,
};

/*
 * One handled interrupt, written at its end: it ran from ts_ns - dur_ns to ts_ns. One record may
 * sum up short softirqs of the same vector that interrupted the same task. Then dur_ns is the sum
 * of their lengths, and the last softirq ended at ts_ns. Softirqs in a sum woke no task, except
 * those of the vector NET_RX. The wakeups of NET_RX are the WAKING records of the same CPU with the
 * context NET, or with the context SOFTIRQ and that vector.
 */
#define RSP_IRQ_SHORT_NS 10000	 /* longer softirqs are recorded one by one */
#define RSP_IRQ_SUM_NS	 1000000 /* softirqs in a sum began at most this long before ts_ns */

struct rsp_ev_irq {
	struct rsp_ev_hdr hdr;
	__u32 vector; /* irq number or softirq vector */
	__u32 tid;    /* the interrupted task */
	__u64 dur_ns;
	union {
		__u64 object;		  /* HARD: OBJECT id of the handler's name */
		struct {		  /* SOFT */
			__u32 more_cnt;	  /* number of softirqs in dur_ns besides the first */
			__u32 longest_ns; /* length of the longest; 0 if there is only one */
		};
	};
};

enum rsp_net_flags {
	RSP_NET_CONNECT = 1 << 0, /* TCP: SYN about to be sent */
	/* TCP: handshake complete; unix: tid has connected to the listener of sk */
	RSP_NET_ESTABLISHED = 1 << 1,
	RSP_NET_SEND = 1 << 2,	/* tid sends */
	RSP_NET_READY = 1 << 3, /* data reached the socket's receive queue */
	/* TCP: the peer closed, or the socket is gone; unix: closed before its peer */
	RSP_NET_CLOSE = 1 << 4,
	/*
	 * With SEND, TCP: the data do not fill a segment, and the kernel holds them back until the
	 * peer acknowledges earlier data (Nagle's algorithm, TCP_CORK).
	 */
	RSP_NET_NAGLE = 1 << 5,
	/*
	 * With SEND and its READY, unix: the receiver read the message before this record was
	 * written. Even the records of its answer may be older.
	 */
	RSP_NET_LATE = 1 << 6,
};

struct rsp_ev_net {
	struct rsp_ev_hdr hdr;
	__u32 tid; /* the current task; meaningful for CONNECT and SEND, and over unix sockets */
	/*
	 * SEND: size of the message. 0: TCP continues the message after a wait for room; or the
	 * receiver has already read a message over a unix socket, so its size is unknown.
	 */
	__u32 bytes;
	__u64 sk;     /* identity of the kernel socket (a keyed hash of its address) */
	__u64 object; /* SOCKET id: its addresses at this moment */
	__u32 seq;    /* TCP: write_seq before a SEND, rcv_nxt at READY; else 0 */
	__u32 pad;
};

/*
 * A message over a connected unix socket. ts_ns is the time at which the message was in the
 * receiver's queue. The record stands for two NET records with the same time, CPU, tid and flag: a
 * SEND of the sender's socket, then a READY of the receiver's. A trace contains these two records
 * instead of the MESSAGE (lib/trace/trace-parts.h). Older recorders wrote the two records
 * themselves. The kernel divides a large message (on most machines above 100 KB), and each part
 * makes a MESSAGE.
 */
struct rsp_ev_message {
	struct rsp_ev_hdr hdr; /* flags: 0 or RSP_NET_LATE */
	__u32 tid;	       /* the sender */
	__u32 bytes;	       /* as in the rsp_ev_net of a SEND */
	__u64 from;	       /* SOCKET id of the sender's socket; 0: redacted, stands for READY */
	__u64 to; /* SOCKET id of the receiver's socket; 0: redacted, stands for SEND */
};

/*
 * A worker of a workqueue (kworker/…) begins to process an item. It processes the item until its
 * next WORK record or until it waits interruptibly. The fields that name the queuer work as in
 * rsp_ev_waking. A flush queues a small item behind another item, to learn when that item is done.
 * The small item has no record of its own, and counts as part of the other item.
 */
struct rsp_ev_work {
	struct rsp_ev_hdr hdr;
	__u32 worker_tid;
	__u32 queuer_tid; /* the current task; it is the cause only if context says so */
	__u32 context;	  /* enum rsp_wake_context; 0: unknown, queued before the recording */
	__u32 pad;
	__u64 cause;
	__u64 queued_ns; /* 0: unknown */
	__u64 function;	 /* address of the kernel function */
};

/* The reason for a delay, known to the kernel itself. A record has one value: they are no bits. */
enum rsp_delay {
	RSP_DELAY_IO_LIMIT = 1,	  /* the cgroup's I/O limit (io.max) held a disk request back */
	RSP_DELAY_RETRANSMIT = 2, /* TCP: a segment was not acknowledged, so it was sent again */
	RSP_DELAY_CONNECT = 3,	  /* TCP: a SYN was not answered, so it was sent again */
	RSP_DELAY_RECLAIM = 4,	  /* a thread that allocates memory had to free some first */
	RSP_DELAY_CNT,
};

struct rsp_ev_delay {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_delay */
	__u32 tid;	       /* the current task; RECLAIM: the thread that frees memory */
	__u32 pad;
	__u64 from_ns; /* IO_LIMIT: time at which the cgroup released it; RECLAIM: start; else 0 */
	__u64 subject; /* IO_LIMIT: rsp_ev_block.request. RETRANSMIT, CONNECT: rsp_ev_net.sk */
	/*
	 * RETRANSMIT, CONNECT: SOCKET id of the socket. Other reasons: OBJECT id of the cgroup that
	 * has reached its limit; 0: the cgroup is unknown, or (RECLAIM) the whole machine lacks
	 * memory.
	 */
	__u64 object;
};

#define RSP_STACK_FRAMES_MAX 127

enum rsp_stack_flags {
	RSP_STACK_KERNEL = 1 << 0,
	RSP_STACK_USER = 1 << 1,
	RSP_STACK_TRUNCATED = 1 << 2, /* deeper than RSP_STACK_FRAMES_MAX */
	RSP_STACK_PARTIAL = 1 << 3,   /* user: ends before the thread's first function */
	RSP_STACK_PENDING = 1 << 4,   /* with PARTIAL: the last binary's table is not built yet */
};

/*
 * A frame of a user stack. Bit 63 set: a place in a binary, independent of the address at which the
 * binary is mapped. The 23 bits below contain the binary's number (BINARY record), the lowest 40
 * bits the offset in its file. Bit 63 clear: an address, either outside all files (code made at run
 * time) or in an unknown file.
 */
#define RSP_FRAME_IN_BINARY	(1ULL << 63)
#define RSP_FRAME_OFFSET_BITS	40
#define RSP_FRAME_BINARY(frame) ((__u32)((frame) >> RSP_FRAME_OFFSET_BITS) & 0x7fffff)
#define RSP_FRAME_OFFSET(frame) ((frame) & ((1ULL << RSP_FRAME_OFFSET_BITS) - 1))

/* A call stack. It is sent at least once in each epoch in which an event refers to its id. */
struct rsp_ev_stack {
	struct rsp_ev_hdr hdr;
	__u64 id;
	__u32 tgid; /* process that the addresses belong to; 0: no frame is an address */
	__u32 frame_cnt;
	__u64 frames[]; /* leaf first; return addresses from the second on */
};

#define RSP_NAME_MAX 232

enum rsp_object_type {
	RSP_OBJ_FILE = 1, /* regular file or directory; name is a path */
	RSP_OBJ_PIPE = 2,
	RSP_OBJ_UNIX = 3,   /* unix socket; name: path, or @ and abstract name; may be empty */
	RSP_OBJ_SOCKET = 4, /* socket of another family */
	RSP_OBJ_ANON = 5,   /* anonymous inode; name: [eventpoll], [eventfd], … */
	RSP_OBJ_DEVICE = 6, /* character or block device node; name is a path */
	RSP_OBJ_IRQ = 7,    /* handler of a device interrupt */
	RSP_OBJ_DISK = 8,   /* whole disk; its id is RSP_DISK_ID(dev) */
	RSP_OBJ_CGROUP = 9, /* name is a path from the root of its hierarchy */
};

/*
 * The id of the OBJECT record that contains the name of a disk. Records of the block layer contain
 * only the disk's number.
 */
#define RSP_DISK_ID(dev) (1ULL << 63 | (dev))

/*
 * A kernel object with a name. The id is computed from the content: the same id always means the
 * same name. For FILE, DEVICE and CGROUP the name is a list of NUL-terminated path components, leaf
 * first ("log\0var\0" is /var/log). For other types it is one string.
 */
struct rsp_ev_object {
	struct rsp_ev_hdr hdr; /* flags: RSP_OBJ_TRUNCATED */
	__u64 id;
	__u64 ino;
	__u32 dev;	/* device number of the file system */
	__u32 type;	/* enum rsp_object_type */
	__u32 name_len; /* bytes used in name, including the NULs */
	__u32 pad;
	char name[RSP_NAME_MAX];
};
#define RSP_OBJ_TRUNCATED 1 /* the path is longer: name lacks its topmost directories */

/*
 * The end of its connection that a TCP or unix socket is. A record has neither flag if the socket
 * listens or is no longer bound, or if an old recorder wrote the record. A TCP client that bound an
 * address but no port has ACCEPTED.
 */
enum rsp_socket_flags {
	RSP_SOCKET_ACCEPTED = 1 << 0,  /* the server's end */
	RSP_SOCKET_CONNECTED = 1 << 1, /* the client's end */
};

/*
 * The addresses of both ends of a TCP or UDP socket, or of a connected unix socket of type stream
 * or seqpacket. The id is computed from the content, as for an object. Sockets that socketpair()
 * made have no record.
 */
struct rsp_ev_socket {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_socket_flags */
	__u64 id;
	__u64 sk;	   /* as in rsp_ev_net */
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
			__u64 path; /* OBJECT id (UNIX) of the listener's address; 0: unknown */
			__u64 peer; /* sk of the other end */
			/* inode number of the client's socket; both ends have this number */
			__u64 connection;
			__u64 pad;
		} un; /* AF_UNIX */
	};
};

enum rsp_task_reason {
	RSP_TASK_SEED = 1 << 0, /* alive when recording began */
	RSP_TASK_FORK = 1 << 1, /* ptid created it at ts_ns */
	RSP_TASK_EXEC = 1 << 2, /* it executes another program from ts_ns on */
	RSP_TASK_NAME = 1 << 3, /* comm changed; within 100 ms only the first and last change */
};

#define RSP_TASK_COMM_LEN 16
#define RSP_PIDNS_INITIAL 0xeffffffcU /* inode number; this namespace contains all processes */

enum rsp_task_attr {
	RSP_TASK_ATTR_KTHREAD = 1 << 0,
	/*
	 * The owner of the task may not inspect it, by the rules of ptrace: it executes a
	 * set-user-ID or set-group-ID program, has capabilities, or is not dumpable. Old recorders
	 * do not set this bit.
	 */
	RSP_TASK_ATTR_CLOSED = 1 << 1,
	RSP_TASK_ATTR_LENT = 1 << 2, /* kernel thread of process tgid: an io_uring worker */
};

/* The identity of a thread from ts_ns on, until its next TASK or EXIT record. */
struct rsp_ev_task {
	struct rsp_ev_hdr hdr; /* flags: one enum rsp_task_reason */
	__u32 tid;
	__u32 tgid;
	__u32 ptid; /* FORK: the thread that forked; else the parent's tgid */
	__u32 uid;  /* effective user ID, as the owner in /proc */
	__u64 cgroup_id;
	__u64 start_ns;
	__u32 pidns; /* inode numbers */
	__u32 mntns;
	__u32 attrs;		      /* enum rsp_task_attr */
	__u32 ns_tgid;		      /* process ID in its own pid namespace */
	char comm[RSP_TASK_COMM_LEN]; /* NUL-terminated */
};

enum rsp_exit_flags {
	RSP_EXIT_EXEC = 1 << 0, /* not a death: gets the process's tid; EXEC follows */
};

struct rsp_ev_exit {
	struct rsp_ev_hdr hdr; /* flags: RSP_EXIT_* */
	__u32 tid;
	__u32 tgid;
	__u32 code;  /* as wait(2) reports it */
	__u32 attrs; /* enum rsp_task_attr; contains CLOSED if that changed after its TASK record */
};

/* Reasons to write an ACCOUNT or CALLS record. */
enum rsp_account_flags {
	RSP_ACCOUNT_BEGIN = 1 << 0, /* counting began, and the thread was alive at that time */
	RSP_ACCOUNT_READ = 1 << 1,  /* a client read the numbers while the thread was alive */
	RSP_ACCOUNT_EXEC = 1 << 2,  /* the thread executes another program from ts_ns on */
	RSP_ACCOUNT_EXIT = 1 << 3,  /* the thread exits */
	/* How the kernel measures the times; set in addition to one reason. */
	RSP_ACCOUNT_EXACT = 1 << 4,   /* reads a clock at each change of mode, counts no ticks */
	RSP_ACCOUNT_NO_IRQS = 1 << 5, /* the times do not contain interrupts */
};

/*
 * The CPU time that the kernel has accounted to a thread since its birth. Most kernels count
 * user_ns and system_ns in ticks, as /proc/PID/stat shows them: their ratio is meaningful, but
 * their sum is not exact. With EXACT the thread runs on a CPU of nohz_full=, and user_ns is exact;
 * system_ns lacks the time since the last change between user and kernel mode. Times contain
 * interrupts, unless NO_IRQS is set. Softirqs count as system time. A hard interrupt counts as
 * system time if EXACT is set, else as time of the mode that it interrupted.
 */
struct rsp_ev_account {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_account_flags */
	__u32 tid;
	__u32 tgid;
	__u64 user_ns;
	__u64 system_ns;
};

/*
 * Sums over one system call of one thread, while the recorder counted calls: since from_ns, or
 * since the thread's last exec if that was later. A record includes the counts of the thread's
 * earlier records since that exec, so only the newest record before each exec counts. A call is
 * pending if the recorder did not see its begin or its end. Pending calls count only in pending_ns:
 * the time from from_ns to the end, or from the begin to ts_ns.
 */
struct rsp_ev_calls {
	struct rsp_ev_hdr hdr; /* flags: one enum rsp_account_flags, not BEGIN */
	__u32 tid;
	__s32 syscall_nr; /* RSP_CALLS_OTHER: all calls that had no room in the recorder's table */
	__u64 from_ns;
	__u64 cnt;
	__u64 sum_ns;
	__u64 min_ns;
	__u64 max_ns;
	__u64 pending_ns;
};

#define RSP_CALLS_OTHER	 (-1)
#define RSP_CALLS_COMPAT 0x10000 /* added to the number of a 32-bit system call */

/*
 * The time that the kernel has accounted to a CPU since boot, from /proc/stat, which has steps of
 * 10 ms. The recorder writes these records every other second, and when the counting of calls
 * begins and ends.
 */
struct rsp_ev_cpu_time {
	struct rsp_ev_hdr hdr; /* cpu: number of the CPU */
	__u64 user_ns;
	__u64 system_ns;
	__u64 irq_ns;
	__u64 softirq_ns;
	__u64 steal_ns; /* time in which the hypervisor did not run the CPU */
	__u64 idle_ns;
};

/*
 * Stolen time: the hypervisor ran something else on the CPU while the thread was on it. The time
 * lies before ts_ns, within the thread's present run, and after the run's earlier STOLEN records.
 */
struct rsp_ev_stolen {
	struct rsp_ev_hdr hdr;
	__u32 tid;
	__u32 pad;
	__u64 stolen_ns;
};

/*
 * The names that a container runtime gives to the container of a cgroup. The container may also
 * belong to a cgroup above it. Only rspd makes these records, and only for snapshots. Names consist
 * of letters, digits, '.', '-' and '_', and begin with a letter or digit; "": there is no name.
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

/* Kinds of memory use by a thread. A set of kinds has bit (1 << kind) for each kind in it. */
enum rsp_memory_kind {
	RSP_MEMORY_FAULTS = 1, /* page faults, of user code and of the kernel in a system call */
	RSP_MEMORY_MMAP = 2,   /* mmap(), and mremap() that makes a mapping larger */
	RSP_MEMORY_BRK = 3,    /* brk() that makes the heap larger */
	RSP_MEMORY_MALLOC = 4, /* malloc() and similar functions */
	RSP_MEMORY_KIND_MAX,
};

/*
 * The memory use of a thread at one place in its code, from the begin of a watch to ts_ns. A record
 * includes the sums of earlier records of the same watch. One reading gives several MEMORY records,
 * then a MEMORY_WATCH record with the same ts_ns.
 */
struct rsp_ev_memory {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_memory_kind */
	__u32 tid;
	__u32 tgid;
	__u64 kstack; /* FAULTS in a system call; else 0 */
	__u64 ustack; /* 0: not taken */
	__u64 cnt;    /* faults or calls */
	__u64 bytes;  /* FAULTS: 0; MMAP, BRK: growth of the process; MALLOC: requested size */
	/* MALLOC: blocks that are not freed yet. The blocks of ended processes are included. */
	__u64 live_cnt;
	__u64 live_bytes;
};

/* Reasons for which a watch missed events. No MEMORY record contains these events. */
enum rsp_memory_lost {
	RSP_MEMORY_LOST_STACKS = 0, /* the table of stacks was full */
	RSP_MEMORY_LOST_BLOCKS =
		1, /* the table of allocated blocks was full; the blocks count, but not as live */
	RSP_MEMORY_LOST_THREADS = 2, /* no memory for a thread, whose events were missed */
	RSP_MEMORY_LOST_SKIPPED = 3, /* the kernel skipped a program */
	/* MALLOC: child processes without probes, as they ended early or were too many */
	RSP_MEMORY_LOST_CHILDREN = 4,
	/* MALLOC: allocators whose probes were attached only after a process had mapped them */
	RSP_MEMORY_LOST_LATE = 5,
	/* MALLOC: mapped files that vanished before they were searched for an allocator */
	RSP_MEMORY_LOST_FILES = 6,
	/* MALLOC: static programs without allocator functions */
	RSP_MEMORY_LOST_STATIC = 7,
	/* MALLOC: child processes whose probes were attached after their birth */
	RSP_MEMORY_LOST_LATE_CHILDREN = 8,
	/* MALLOC: allocators of processes to which the kernel attached no probes */
	RSP_MEMORY_LOST_PROBES = 9,
	RSP_MEMORY_LOST_CNT,
};

/* A watch of the memory of a process and its descendants. */
struct rsp_ev_memory_watch {
	struct rsp_ev_hdr hdr; /* flags: one bit per enum rsp_memory_kind */
	__u32 tgid;	       /* the process */
	__u32 function_cnt;    /* MALLOC: number of allocator functions that are probed */
	__u64 from_ns;	       /* begin of the watch */
	/* Records of older recorders end after CHILDREN. */
	__u64 lost_cnt[RSP_MEMORY_LOST_CNT];
	__u64 late_ns; /* LATE, LATE_CHILDREN: maximum time without probes */
};

#define RSP_EV_MEMORY_WATCH_SIZE_MIN 72

#define RSP_BUILD_ID_MAX 20

/*
 * The file that a number in user frames stands for. The recorder assigns the numbers. It uses a
 * number again only when no record contains that number any more. Snapshots contain BINARY records.
 * The window does not, because the recorder keeps a list instead.
 */
struct rsp_ev_binary {
	struct rsp_ev_hdr hdr;
	__u32 number;	    /* from 1 */
	__u32 tgid;	    /* a process that mapped the file; path starts at its root directory */
	__u64 ino;	    /* 0: no file (the vdso) */
	__u32 dev;	    /* major << 20 | minor */
	__u32 build_id_len; /* 0: unknown */
	__u8 build_id[RSP_BUILD_ID_MAX];
	__u32 pad;
	char path[]; /* NUL-terminated and padded; as seen by process tgid; or "[vdso]" */
};

/*
 * Without flags: lost_cnt records of this CPU found their ring full, the first at from_ns, the last
 * at ts_ns. With NOT_MADE: between these times the kernel skipped a program on any CPU, so that
 * records are missing.
 */
#define RSP_LOST_NOT_MADE (1 << 0) /* cpu: 0 */

/*
 * A pause: from from_ns to ts_ns the recorder left out switches, wakeups, softirqs, work items and
 * most TCP messages on all CPUs, to stay within its budget (RSP_SHED_SLICES) or its share of the
 * time (Time=). lost_cnt is 0, since these events are not counted. Wakeups that end waits of
 * several milliseconds may still be recorded (RSP_WK_PAUSED). Births and deaths of threads, disk
 * requests, interrupts of devices and samples are recorded as usual. Several records may describe
 * one pause: each begins where the previous one ends. SEED records with the states of all threads
 * follow the last one.
 */
#define RSP_LOST_PAUSED (1 << 1) /* cpu: 0 */

/*
 * The lost records were in the ring for births, programs and deaths of threads (TASK and EXIT).
 * From from_ns until its next TASK record, the owner of a thread is unknown. A census follows.
 */
#define RSP_LOST_BIRTHS (1 << 2) /* cpu: 0 */

/*
 * Together with PAUSED: a user requested the pause. Nothing was recorded, not even births and
 * deaths of threads: a thread without a SEED record after the last record of the pause died in it.
 */
#define RSP_LOST_REQUESTED (1 << 3) /* cpu: 0 */

struct rsp_ev_lost {
	struct rsp_ev_hdr hdr; /* cpu: which ring; flags: RSP_LOST_* */
	__u64 from_ns;
	__u64 lost_cnt;
	__u64 kinds; /* bit (1 << kind) for each lost kind; 0: unknown */
};

/*
 * The data that the recorder leaves out to stay within its budget. Each step up to SAMPLES includes
 * the steps before it.
 */
enum rsp_shed {
	RSP_SHED_NOTHING = 0,
	RSP_SHED_WAKER_STACKS = 1,
	RSP_SHED_HOT_STACKS = 2, /* stacks of tasks that block, if they switch very often */
	RSP_SHED_STACKS = 3,	 /* all stacks, except those of tasks that switch rarely */
	RSP_SHED_SAMPLES = 4,	 /* most samples */
	/*
	 * Includes HOT_STACKS. Only slices of the time are recorded, with all samples; LOST records
	 * with RSP_LOST_PAUSED mark the pauses. Current recorders skip the steps STACKS and
	 * SAMPLES.
	 */
	RSP_SHED_SLICES = 5,
	RSP_SHED_CNT,
};

/* Old records lack this flag. In them step 2 drops all samples, 3 is HOT_STACKS, 4 is STACKS. */
#define RSP_SHED_SAMPLES_LAST (1 << 0)

/*
 * From from_ns to ts_ns, the recorder left out the records of a step. These times do not overlap.
 * While something is left out, each drain of the rings writes such a record, so that any part of
 * the stream contains one.
 */
struct rsp_ev_shed {
	struct rsp_ev_hdr hdr; /* flags: RSP_SHED_SAMPLES_LAST */
	__u64 from_ns;
	__u32 step;	  /* enum rsp_shed */
	__u32 budget_ppm; /* share of the time of all CPUs */
};

/*
 * A mark: an event on the machine at ts_ns that may explain a change. The daemon itself writes
 * these records, as it does SHED and COUNTERS.
 */
enum rsp_mark_type {
	RSP_MARK_TEXT = 1,    /* text: from a user or program, for a deployment or a test's phase */
	RSP_MARK_BREACH = 2,  /* text: name of the SLO that was breached */
	RSP_MARK_STARTED = 3, /* text: name of the systemd unit */
	RSP_MARK_STOPPED = 4, /* text: name of the systemd unit, which ended without a failure */
	RSP_MARK_FAILED = 5,  /* text: name of the systemd unit */
	RSP_MARK_DROPPED = 6, /* cnt: marks dropped by the rate limit since from_ns */
	RSP_MARK_TYPE_MAX,
};

#define RSP_MARK_TEXT_MAX 216

struct rsp_ev_mark {
	struct rsp_ev_hdr hdr; /* flags: enum rsp_mark_type */
	__u64 from_ns; /* BREACH: begin of the slow operation, 0: unknown; DROPPED; else 0 */
	__u32 uid;     /* TEXT: user of the process that made the mark */
	__u32 tgid;    /* TEXT: process that made the mark; BREACH: slow process, 0: unknown */
	__u32 cnt;     /* DROPPED: number of marks */
	__u32 pad;
	char text[RSP_MARK_TEXT_MAX]; /* valid UTF-8, NUL-terminated; "" if redacted */
};

/*
 * Counters of the whole machine at ts_ns, about one record per set and second. A counter that the
 * machine does not have contains RSP_COUNTER_ABSENT.
 */
#define RSP_COUNTER_ABSENT   (~0ULL)
#define RSP_COUNTER_SET_SIZE 6

enum rsp_counter_set {
	RSP_COUNTERS_PRESSURE = 0,
	RSP_COUNTERS_MEMORY = 1,
	RSP_COUNTERS_LOAD = 2,
	RSP_COUNTER_SET_CNT,
};

/* A counter is v[counter % RSP_COUNTER_SET_SIZE] of set counter / RSP_COUNTER_SET_SIZE. */
enum rsp_counter {
	/* Total time in which some or all tasks stalled for lack of a resource, in microseconds. */
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
	RSP_COUNTER_DIRTY = 10,	    /* in memory, not on the disk yet */
	RSP_COUNTER_WRITEBACK = 11, /* being written */
	RSP_COUNTER_LOAD = 12,	    /* load of the last minute, in hundredths */
	RSP_COUNTER_RUNNABLE = 13,  /* tasks that run or wait for a CPU */
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
 * The losses of a ring. This is not a record: the programs count losses in memory that the daemon
 * maps. After each drain the daemon writes a LOST record if cnt has changed, then sets from_ns and
 * kinds to 0. So a loss becomes known even if no later record of that CPU finds room.
 */
struct rsp_loss {
	__u64 cnt; /* since load; written last, so the other fields are valid when it changes */
	__u64 from_ns;
	__u64 until_ns;
	__u64 kinds;
};

_Static_assert(sizeof(struct rsp_ev_hdr) == 16, "layout");
_Static_assert(sizeof(struct rsp_ev_switch) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_waking) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_sample) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_block) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_irq) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_net) == 48, "layout");
_Static_assert(sizeof(struct rsp_ev_message) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_work) == 56, "layout");
_Static_assert(sizeof(struct rsp_ev_stack) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_object) == 280, "layout");
_Static_assert(sizeof(struct rsp_ev_socket) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_task) == 80, "layout");
_Static_assert(sizeof(struct rsp_ev_exit) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_lost) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_binary) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_shed) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_delay) == 48, "layout");
_Static_assert(sizeof(struct rsp_ev_mark) == 256, "layout");
_Static_assert(sizeof(struct rsp_ev_counters) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_account) == 40, "layout");
_Static_assert(sizeof(struct rsp_ev_calls) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_cpu_time) == 64, "layout");
_Static_assert(sizeof(struct rsp_ev_stolen) == 32, "layout");
_Static_assert(sizeof(struct rsp_ev_container) == 472, "layout");
_Static_assert(sizeof(struct rsp_ev_memory) == 72, "layout");
_Static_assert(sizeof(struct rsp_ev_memory_watch) == 120, "layout");

#endif
