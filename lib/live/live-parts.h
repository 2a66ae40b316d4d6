/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of lib/live: what is known at present. */
#ifndef RSP_LIB_LIVE_PARTS_H
#define RSP_LIB_LIVE_PARTS_H

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "live.h"

/* Bounds for long runs. If there are more things of a kind, all of that kind are forgotten. */
#define RSP_LIVE_STACKS_MAX    100000
#define RSP_LIVE_OBJECTS_MAX   50000
#define RSP_LIVE_SOCKETS_MAX   50000
#define RSP_LIVE_FUNCTIONS_MAX 20000
#define RSP_LIVE_CPUS_MAX      4096

/* An interruptible wait that lasts longer is one for work (inferred). */
#define RSP_LIVE_IDLE_NS 10000000000ULL

#define RSP_LIVE_FRAMES 8

enum rsp_live_state {
	RSP_LIVE_UNKNOWN,
	RSP_LIVE_RUNS,
	RSP_LIVE_BLOCKED,
	RSP_LIVE_WANTS, /* a CPU */
};

struct rsp_live_thread {
	__u32 tid;
	__u32 process; /* index */
	__u8 state;    /* enum rsp_live_state */
	bool used, is_kthread;
	bool at_least; /* since_ns: it may have been so before */
	char comm[RSP_TASK_COMM_LEN];
	__u32 ptid;
	__u64 since_ns;	     /* of the state */
	__u64 seen_since_ns; /* the same by the clock that stops in pauses */
	/* BLOCKED: the switch that began it. */
	__u16 flags;
	__u32 prev_state;
	__s32 syscall_nr;
	__u64 object, kstack, ustack;
	/* The thread that ended its last wait, and the place of that wait. */
	__u64 woken_place;
	__u32 woken_by;
	/* A question that it sent and that has no answer yet: sk; 0: none. */
	__u64 question_sk;
};

struct rsp_live_process_state {
	__u32 tgid;
	bool used, is_kthread;
	char comm[RSP_TASK_COMM_LEN];
	__u32 thread_cnt;
	__u64 cgroup_id;
	__u64 cat_ns[RSP_LIVE_CATEGORIES];
};

/* One of the two ends of a connection. */
struct rsp_live_sock {
	__u64 sk;
	__u64 socket;	  /* SOCKET id */
	__u32 sender;	  /* tid of the thread that sent last; 0: none */
	__u64 arrived_ns; /* a request without an answer; 0: none */
	__u64 answered_cnt, sum_ns, max_ns;
};

struct rsp_live_frames {
	__u64 frames[RSP_LIVE_FRAMES]; /* leaf first */
	__u8 cnt;
};

struct rsp_live_count {
	__u64 name;    /* frame-name number */
	__u32 process; /* tgid */
	__u64 now_cnt, total_cnt;
};

struct rsp_live {
	struct rsp_live_namer namer;
	struct rsp_idmap thread_of, process_of; /* tid, tgid -> index */
	struct {
		struct rsp_live_thread *v;
		size_t cnt, cap;
	} threads;
	struct {
		struct rsp_live_process_state *v;
		size_t cnt, cap;
	} processes;
	struct {
		__u32 *v; /* of threads.v, that are free */
		size_t cnt, cap;
	} free_threads;
	struct {
		__u32 *v;
		size_t cnt, cap;
	} free_processes;
	__u32 *on_cpu; /* tid that runs on each CPU; RSP_LIVE_CPUS_MAX */

	struct rsp_idmap stack_of; /* id -> index */
	struct {
		struct rsp_live_frames *v;
		size_t cnt, cap;
	} stacks;
	struct rsp_idmap object_of; /* id -> index */
	struct {
		struct rsp_ev_object **v;
		size_t cnt, cap;
	} objects;
	struct rsp_idmap socket_of; /* SOCKET id -> index */
	struct {
		struct rsp_ev_socket *v;
		size_t cnt, cap;
	} sockets;
	struct rsp_idmap sock_of; /* sk -> index */
	struct rsp_idmap ends_of; /* hash of both addresses -> sk */
	struct {
		struct rsp_live_sock *v;
		size_t cnt, cap;
	} socks;

	struct rsp_intern names;   /* "symbol\0module" */
	struct rsp_idmap name_of;  /* frame -> number in names */
	struct rsp_idmap count_of; /* of samples; key: see functions.c */
	struct {
		struct rsp_live_count *v;
		size_t cnt, cap;
	} counts;

	__u64 newest_ns;	     /* of the events */
	__u64 paused_ns;	     /* all pauses so far */
	__u64 pause_end_ns;	     /* of the last one */
	__u64 look_ns, look_seen_ns; /* the last look */
	__u64 event_cnt, lost_cnt, sample_cnt, total_sample_cnt;
};

/* --- things.c: what names mean ---------------------------------------------------------------- */

int rsp_live_learn(struct rsp_live *live, const struct rsp_ev_hdr *rec);
const struct rsp_live_frames *rsp_live_stack(const struct rsp_live *live, __u64 id);
const struct rsp_ev_object *rsp_live_object(const struct rsp_live *live, __u64 id);
const struct rsp_ev_socket *rsp_live_socket(const struct rsp_live *live, __u64 id);
/* The end of a connection, made if need be; NULL: no memory. */
struct rsp_live_sock *rsp_live_sock(struct rsp_live *live, __u64 sk);
const struct rsp_live_sock *rsp_live_find_sock(const struct rsp_live *live, __u64 sk);
/* The other end, if it is on this machine and known. */
const struct rsp_live_sock *rsp_live_peer(const struct rsp_live *live,
					  const struct rsp_ev_socket *sock);
void rsp_live_things_done(struct rsp_live *live);

/* --- functions.c: samples --------------------------------------------------------------------- */

/* The number of the name of a frame, for rsp_live_name(). 0 or -ENOMEM. */
int rsp_live_name_frame(struct rsp_live *live, __u64 frame, __u32 *ret);
void rsp_live_name(const struct rsp_live *live, __u32 number, const char **ret_symbol,
		   const char **ret_module);
int rsp_live_count(struct rsp_live *live, const struct rsp_ev_sample *sample);
void rsp_live_put_functions(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret);
/* Names may have changed: each frame is named again when it is next met. */
void rsp_live_forget_names(struct rsp_live *live);

/* --- live.c: threads -------------------------------------------------------------------------- */

struct rsp_live_thread *rsp_live_thread(const struct rsp_live *live, __u32 tid);
/* The clock that stops in pauses. */
__u64 rsp_live_seen_ns(const struct rsp_live *live, __u64 ts_ns);
enum rsp_live_category rsp_live_category(const struct rsp_live *live,
					 const struct rsp_live_thread *t, __u64 now_ns);
/* A number for the place of a wait. The same thread probably ends the next wait there. */
__u64 rsp_live_place(const struct rsp_live_thread *t);

/* --- waits.c, servers.c: rows ----------------------------------------------------------------- */

void rsp_live_put_waiters(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret);
void rsp_live_put_servers(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret);
void rsp_live_put_processes(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret);
bool rsp_live_wants(const struct rsp_live *live, const struct rsp_live_how *how, __u32 process);

#endif
