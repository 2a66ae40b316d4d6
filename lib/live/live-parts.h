/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that the files of lib/live share. */
#ifndef RSP_LIB_LIVE_PARTS_H
#define RSP_LIB_LIVE_PARTS_H

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "lib/live/live.h"

/*
 * Maximum sizes of tables, to limit memory. If a table of stacks, objects, sockets or functions is
 * full, all of its entries are dropped.
 */
#define RSP_LIVE_STACKS_MAX    100000
#define RSP_LIVE_OBJECTS_MAX   50000
#define RSP_LIVE_SOCKETS_MAX   50000
#define RSP_LIVE_FUNCTIONS_MAX 20000
#define RSP_LIVE_CPUS_MAX      4096

/* After this time, an interruptible wait counts as a wait for work. */
#define RSP_LIVE_IDLE_NS 10000000000ULL

#define RSP_LIVE_FRAMES 8

enum rsp_live_state {
	RSP_LIVE_UNKNOWN,
	RSP_LIVE_RUNS,
	RSP_LIVE_BLOCKED,
	RSP_LIVE_WANTS, /* waits for a CPU */
};

struct rsp_live_thread {
	__u32 tid;
	__u32 process; /* index in rsp_live.processes */
	__u8 state;    /* enum rsp_live_state */
	bool used, is_kthread;
	bool at_least; /* since_ns may be later than the beginning of the state */
	char comm[RSP_TASK_COMM_LEN];
	__u32 ptid;
	__u64 since_ns;	     /* beginning of the state */
	__u64 seen_since_ns; /* since_ns, converted by seen_ns() */
	/* BLOCKED: fields of the switch with which the wait began. */
	__u16 flags;
	__u32 prev_state;
	__s32 syscall_nr;
	__u64 object, kstack, ustack;
	/*
	 * The place of the last wait (rsp_live_place()), and the tid of the thread that ended this
	 * wait; 0: unknown.
	 */
	__u64 woken_place;
	__u32 woken_by;
	/* sk of the socket on which the thread waits for an answer; 0: none */
	__u64 question_sk;
};

struct rsp_live_process_state {
	__u32 tgid;
	bool used, is_kthread;
	bool is_open; /* the user of rspctl top may see this process (rsp_task_is_open()) */
	char comm[RSP_TASK_COMM_LEN];
	__u32 thread_cnt;
	__u64 cgroup_id;
	__u64 cat_ns[RSP_LIVE_CATEGORIES];
};

struct rsp_live_sock {
	__u64 sk;
	__u64 socket;	  /* ID of the SOCKET record */
	__u32 sender;	  /* tid of the thread that last sent data; 0: none */
	__u64 arrived_ns; /* arrival of the request that has no answer yet; 0: none */
	__u64 answered_cnt, sum_ns, max_ns;
};

struct rsp_live_frames {
	__u64 frames[RSP_LIVE_FRAMES]; /* innermost first */
	__u8 cnt;
};

struct rsp_live_count {
	__u64 name; /* number for rsp_live_name() */
	__u32 tgid;
	__u64 now_cnt, total_cnt;
};

struct rsp_live {
	struct rsp_live_namer namer;
	struct rsp_idmap thread_of, process_of; /* from tid or tgid to index */
	struct {
		struct rsp_live_thread *v;
		size_t cnt, cap;
	} threads;
	struct {
		struct rsp_live_process_state *v;
		size_t cnt, cap;
	} processes;
	struct {
		__u32 *v; /* indexes of unused entries in threads.v */
		size_t cnt, cap;
	} free_threads;
	struct {
		__u32 *v;
		size_t cnt, cap;
	} free_processes;
	/* for each CPU: tid of the thread on it, 0: idle or unknown; RSP_LIVE_CPUS_MAX entries */
	__u32 *on_cpu;

	struct rsp_idmap stack_of; /* from ID to index */
	struct {
		struct rsp_live_frames *v;
		size_t cnt, cap;
	} stacks;
	struct rsp_idmap object_of; /* from ID to index */
	struct {
		struct rsp_ev_object **v;
		size_t cnt, cap;
	} objects;
	struct rsp_idmap socket_of; /* from SOCKET ID to index */
	struct {
		struct rsp_ev_socket *v;
		size_t cnt, cap;
	} sockets;
	struct rsp_idmap sock_of; /* from sk to index */
	struct rsp_idmap ends_of; /* from a hash of both addresses to sk */
	struct {
		struct rsp_live_sock *v;
		size_t cnt, cap;
	} socks;

	struct rsp_intern names;   /* "symbol\0module" */
	struct rsp_idmap name_of;  /* from a frame to its number in names */
	struct rsp_idmap count_of; /* from name and tgid to index in counts; see rsp_live_count() */
	struct {
		struct rsp_live_count *v;
		size_t cnt, cap;
	} counts;

	__u64 newest_ns; /* timestamp of the newest event */
	__u64 paused_ns; /* sum of all pauses so far */
	__u64 pause_end_ns;
	__u64 look_ns, look_seen_ns; /* time of the last look (rsp_live_look()) */
	__u64 event_cnt, lost_cnt, sample_cnt, total_sample_cnt;
};

/* --- things.c: stacks, objects and sockets by ID ---------------------------------------------- */

int rsp_live_learn(struct rsp_live *live, const struct rsp_ev_hdr *rec);
const struct rsp_live_frames *rsp_live_stack(const struct rsp_live *live, __u64 id);
const struct rsp_ev_object *rsp_live_object(const struct rsp_live *live, __u64 id);
const struct rsp_ev_socket *rsp_live_socket(const struct rsp_live *live, __u64 id);
/* Finds or adds the end of a connection. NULL: out of memory. */
struct rsp_live_sock *rsp_live_sock(struct rsp_live *live, __u64 sk);
const struct rsp_live_sock *rsp_live_find_sock(const struct rsp_live *live, __u64 sk);
/* Returns the other end of a connection, or NULL if it is on another host or unknown. */
const struct rsp_live_sock *rsp_live_peer(const struct rsp_live *live,
					  const struct rsp_ev_socket *sock);
void rsp_live_things_done(struct rsp_live *live);

/* --- functions.c: samples --------------------------------------------------------------------- */

/* Sets *ret to the number of the frame's name, for rsp_live_name(). Returns 0 or -ENOMEM. */
int rsp_live_name_frame(struct rsp_live *live, __u64 frame, __u32 *ret);
void rsp_live_name(const struct rsp_live *live, __u32 number, const char **ret_symbol,
		   const char **ret_module);
int rsp_live_count(struct rsp_live *live, const struct rsp_ev_sample *sample);
void rsp_live_put_functions(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret);
/* Drops the names of all frames, because names may have changed. */
void rsp_live_forget_names(struct rsp_live *live);

/* --- live.c: threads -------------------------------------------------------------------------- */

struct rsp_live_thread *rsp_live_thread(const struct rsp_live *live, __u32 tid);
enum rsp_live_category rsp_live_category(const struct rsp_live *live,
					 const struct rsp_live_thread *t, __u64 now_ns);
/*
 * Returns a hash of the place of a wait. The thread that ended the last wait at a place probably
 * also ends the next wait at this place.
 */
__u64 rsp_live_place(const struct rsp_live_thread *t);

/* --- waits.c, rows.c: rows -------------------------------------------------------------------- */

void rsp_live_put_waiters(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret);
void rsp_live_put_servers(struct rsp_live *live, const struct rsp_live_how *how,
			  struct rsp_live_view *ret);
void rsp_live_put_processes(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret);
bool rsp_live_wants(const struct rsp_live *live, const struct rsp_live_how *how, __u32 process);
/* A process without an entry is wanted only if all processes are. */
bool rsp_live_wants_pid(const struct rsp_live *live, const struct rsp_live_how *how, __u32 tgid);

#endif
