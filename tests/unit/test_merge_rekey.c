/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests how a merge changes the fields of each kind of record. The test fails if its list lacks a
 * field, so that no new field can be forgotten.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/merge/rekey.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/host.h"

enum change {
	KEEP,
	TID,
	ID,
	TIME,
	DEV,
	NAMESPACE,
	NUMBER, /* of a binary */
};

struct field {
	__u16 kind;
	enum change change;
	size_t off, size;
	const char *name;
};

#define F(kind, type, member, change)                                                              \
	{                                                                                          \
		kind, change, offsetof(struct type, member), sizeof(((struct type *)0)->member),   \
			#type "." #member                                                          \
	}

static const struct field fields[] = {
	F(RSP_EV_SWITCH, rsp_ev_switch, prev_tid, TID),
	F(RSP_EV_SWITCH, rsp_ev_switch, next_tid, TID),
	F(RSP_EV_SWITCH, rsp_ev_switch, prev_state, KEEP),
	F(RSP_EV_SWITCH, rsp_ev_switch, syscall_nr, KEEP),
	F(RSP_EV_SWITCH, rsp_ev_switch, object, ID),
	F(RSP_EV_SWITCH, rsp_ev_switch, kstack, ID),
	F(RSP_EV_SWITCH, rsp_ev_switch, ustack, ID),
	F(RSP_EV_WAKING, rsp_ev_waking, waker_tid, TID),
	F(RSP_EV_WAKING, rsp_ev_waking, wakee_tid, TID),
	F(RSP_EV_WAKING, rsp_ev_waking, context, KEEP),
	F(RSP_EV_WAKING, rsp_ev_waking, slept_us, KEEP),
	F(RSP_EV_WAKING, rsp_ev_waking, cause, ID),
	F(RSP_EV_WAKING, rsp_ev_waking, kstack, ID),
	F(RSP_EV_WAKING, rsp_ev_waking, ustack, ID),
	F(RSP_EV_SAMPLE, rsp_ev_sample, tid, TID),
	F(RSP_EV_SAMPLE, rsp_ev_sample, period_us, KEEP),
	F(RSP_EV_SAMPLE, rsp_ev_sample, kstack, ID),
	F(RSP_EV_SAMPLE, rsp_ev_sample, ustack, ID),
	F(RSP_EV_BLOCK, rsp_ev_block, request, ID),
	F(RSP_EV_BLOCK, rsp_ev_block, sector, KEEP),
	F(RSP_EV_BLOCK, rsp_ev_block, dev, DEV),
	F(RSP_EV_BLOCK, rsp_ev_block, bytes, KEEP),
	F(RSP_EV_BLOCK, rsp_ev_block, op_flags, KEEP),
	F(RSP_EV_BLOCK, rsp_ev_block, tid, TID),
	F(RSP_EV_BLOCK, rsp_ev_block, object, ID),
	F(RSP_EV_IRQ, rsp_ev_irq, vector, KEEP),
	F(RSP_EV_IRQ, rsp_ev_irq, tid, TID),
	F(RSP_EV_IRQ, rsp_ev_irq, dur_ns, KEEP),
	F(RSP_EV_IRQ, rsp_ev_irq, object, KEEP), /* of a softirq; see test_contexts() */
	F(RSP_EV_NET, rsp_ev_net, tid, TID),
	F(RSP_EV_NET, rsp_ev_net, bytes, KEEP),
	F(RSP_EV_NET, rsp_ev_net, sk, ID),
	F(RSP_EV_NET, rsp_ev_net, object, ID),
	F(RSP_EV_NET, rsp_ev_net, seq, KEEP),
	F(RSP_EV_NET, rsp_ev_net, pad, KEEP),
	F(RSP_EV_STACK, rsp_ev_stack, id, ID),
	F(RSP_EV_STACK, rsp_ev_stack, tgid, TID),
	F(RSP_EV_STACK, rsp_ev_stack, frame_cnt, KEEP),
	F(RSP_EV_OBJECT, rsp_ev_object, id, ID),
	F(RSP_EV_OBJECT, rsp_ev_object, ino, KEEP),
	F(RSP_EV_OBJECT, rsp_ev_object, dev, DEV),
	F(RSP_EV_OBJECT, rsp_ev_object, type, KEEP),
	F(RSP_EV_OBJECT, rsp_ev_object, name_len, KEEP),
	F(RSP_EV_OBJECT, rsp_ev_object, pad, KEEP),
	F(RSP_EV_OBJECT, rsp_ev_object, name, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, id, ID),
	F(RSP_EV_SOCKET, rsp_ev_socket, sk, ID),
	F(RSP_EV_SOCKET, rsp_ev_socket, family, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, protocol, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, local_port, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, remote_port, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, local, KEEP),
	F(RSP_EV_SOCKET, rsp_ev_socket, remote, KEEP),
	F(RSP_EV_TASK, rsp_ev_task, tid, TID),
	F(RSP_EV_TASK, rsp_ev_task, tgid, TID),
	F(RSP_EV_TASK, rsp_ev_task, ptid, TID),
	F(RSP_EV_TASK, rsp_ev_task, uid, KEEP),
	F(RSP_EV_TASK, rsp_ev_task, cgroup_id, ID),
	F(RSP_EV_TASK, rsp_ev_task, start_ns, TIME),
	F(RSP_EV_TASK, rsp_ev_task, pidns, NAMESPACE),
	F(RSP_EV_TASK, rsp_ev_task, mntns, NAMESPACE),
	F(RSP_EV_TASK, rsp_ev_task, attrs, KEEP),
	F(RSP_EV_TASK, rsp_ev_task, ns_tgid, KEEP),
	F(RSP_EV_TASK, rsp_ev_task, comm, KEEP),
	F(RSP_EV_EXIT, rsp_ev_exit, tid, TID),
	F(RSP_EV_EXIT, rsp_ev_exit, tgid, TID),
	F(RSP_EV_EXIT, rsp_ev_exit, code, KEEP),
	F(RSP_EV_EXIT, rsp_ev_exit, attrs, KEEP),
	F(RSP_EV_LOST, rsp_ev_lost, from_ns, TIME),
	F(RSP_EV_LOST, rsp_ev_lost, lost_cnt, KEEP),
	F(RSP_EV_LOST, rsp_ev_lost, kinds, KEEP),
	F(RSP_EV_WORK, rsp_ev_work, worker_tid, TID),
	F(RSP_EV_WORK, rsp_ev_work, queuer_tid, TID),
	F(RSP_EV_WORK, rsp_ev_work, context, KEEP),
	F(RSP_EV_WORK, rsp_ev_work, pad, KEEP),
	F(RSP_EV_WORK, rsp_ev_work, cause, ID),
	F(RSP_EV_WORK, rsp_ev_work, queued_ns, TIME),
	F(RSP_EV_WORK, rsp_ev_work, function, ID),
	F(RSP_EV_BINARY, rsp_ev_binary, number, NUMBER),
	F(RSP_EV_BINARY, rsp_ev_binary, tgid, TID),
	F(RSP_EV_BINARY, rsp_ev_binary, ino, KEEP),
	F(RSP_EV_BINARY, rsp_ev_binary, dev, DEV),
	F(RSP_EV_BINARY, rsp_ev_binary, build_id_len, KEEP),
	F(RSP_EV_BINARY, rsp_ev_binary, build_id, KEEP),
	F(RSP_EV_BINARY, rsp_ev_binary, pad, KEEP),
	F(RSP_EV_SHED, rsp_ev_shed, from_ns, TIME),
	F(RSP_EV_SHED, rsp_ev_shed, step, KEEP),
	F(RSP_EV_SHED, rsp_ev_shed, budget_ppm, KEEP),
	F(RSP_EV_DELAY, rsp_ev_delay, tid, TID),
	F(RSP_EV_DELAY, rsp_ev_delay, pad, KEEP),
	F(RSP_EV_DELAY, rsp_ev_delay, from_ns, TIME),
	F(RSP_EV_DELAY, rsp_ev_delay, subject, ID),
	F(RSP_EV_DELAY, rsp_ev_delay, object, ID),
	F(RSP_EV_MESSAGE, rsp_ev_message, tid, TID),
	F(RSP_EV_MESSAGE, rsp_ev_message, bytes, KEEP),
	F(RSP_EV_MESSAGE, rsp_ev_message, from, ID),
	F(RSP_EV_MESSAGE, rsp_ev_message, to, ID),
	F(RSP_EV_MARK, rsp_ev_mark, from_ns, TIME),
	F(RSP_EV_MARK, rsp_ev_mark, uid, KEEP),
	F(RSP_EV_MARK, rsp_ev_mark, tgid, TID),
	F(RSP_EV_MARK, rsp_ev_mark, cnt, KEEP),
	F(RSP_EV_MARK, rsp_ev_mark, pad, KEEP),
	F(RSP_EV_MARK, rsp_ev_mark, text, KEEP),
	F(RSP_EV_COUNTERS, rsp_ev_counters, v, KEEP),
	F(RSP_EV_ACCOUNT, rsp_ev_account, tid, TID),
	F(RSP_EV_ACCOUNT, rsp_ev_account, tgid, TID),
	F(RSP_EV_ACCOUNT, rsp_ev_account, user_ns, KEEP),
	F(RSP_EV_ACCOUNT, rsp_ev_account, system_ns, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, tid, TID),
	F(RSP_EV_CALLS, rsp_ev_calls, syscall_nr, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, from_ns, TIME),
	F(RSP_EV_CALLS, rsp_ev_calls, cnt, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, sum_ns, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, min_ns, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, max_ns, KEEP),
	F(RSP_EV_CALLS, rsp_ev_calls, pending_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, user_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, system_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, irq_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, softirq_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, steal_ns, KEEP),
	F(RSP_EV_CPU_TIME, rsp_ev_cpu_time, idle_ns, KEEP),
	F(RSP_EV_MEMORY, rsp_ev_memory, tid, TID),
	F(RSP_EV_MEMORY, rsp_ev_memory, tgid, TID),
	F(RSP_EV_MEMORY, rsp_ev_memory, kstack, ID),
	F(RSP_EV_MEMORY, rsp_ev_memory, ustack, ID),
	F(RSP_EV_MEMORY, rsp_ev_memory, cnt, KEEP),
	F(RSP_EV_MEMORY, rsp_ev_memory, bytes, KEEP),
	F(RSP_EV_MEMORY, rsp_ev_memory, live_cnt, KEEP),
	F(RSP_EV_MEMORY, rsp_ev_memory, live_bytes, KEEP),
	F(RSP_EV_MEMORY_WATCH, rsp_ev_memory_watch, tgid, TID),
	F(RSP_EV_MEMORY_WATCH, rsp_ev_memory_watch, function_cnt, KEEP),
	F(RSP_EV_MEMORY_WATCH, rsp_ev_memory_watch, from_ns, TIME),
	F(RSP_EV_MEMORY_WATCH, rsp_ev_memory_watch, lost_cnt, KEEP),
	F(RSP_EV_MEMORY_WATCH, rsp_ev_memory_watch, late_ns, KEEP),
	F(RSP_EV_STOLEN, rsp_ev_stolen, tid, TID),
	F(RSP_EV_STOLEN, rsp_ev_stolen, pad, KEEP),
	F(RSP_EV_STOLEN, rsp_ev_stolen, stolen_ns, KEEP),
	F(RSP_EV_CONTAINER, rsp_ev_container, cgroup_id, ID),
	F(RSP_EV_CONTAINER, rsp_ev_container, name, KEEP),
	F(RSP_EV_CONTAINER, rsp_ev_container, pod, KEEP),
	F(RSP_EV_CONTAINER, rsp_ev_container, name_space, KEEP),
};
#define FIELD_CNT (sizeof(fields) / sizeof(fields[0]))

#define HOST	  3
#define CPU_FIRST 40

/* 3 s behind, 200 ppm */
static const struct rsp_clock_map clock_map = {
	.base_ns = 1000, .offset_ns = 3000000000, .drift = 200e-6};

struct fixture {
	struct rsp_idmap binaries, taken;
	__u32 next_number, peer;
	struct rsp_rekey x;
};

static __u32 peer(const struct rsp_ev_socket *sock, const struct rsp_rekey *x)
{
	(void)sock;
	return *(const __u32 *)x->userdata;
}

static void begin(struct fixture *f, __u32 host)
{
	*f = (struct fixture){.next_number = 1, .peer = host};
	f->x = (struct rsp_rekey){.host = host,
				  .cpu_first = host ? CPU_FIRST : 0,
				  .clock = host ? &clock_map : NULL,
				  .binaries = &f->binaries,
				  .taken = &f->taken,
				  .next_number = &f->next_number,
				  .peer = peer,
				  .userdata = &f->peer};
}

static void end(struct fixture *f)
{
	rsp_idmap_done(&f->binaries);
	rsp_idmap_done(&f->taken);
}

static __u64 get(const char *rec, const struct field *f)
{
	__u64 value = 0;

	memcpy(&value, rec + f->off, f->size < 8 ? f->size : 8);
	return value;
}

static __u64 expected(const struct fixture *f, enum change change, __u64 value)
{
	switch (change) {
	case TID:
		return value + HOST * 0x800000ULL;
	case ID:
		return rsp_rekey_id(&f->x, value);
	case TIME:
		return rsp_clock_map(&clock_map, value);
	case DEV:
		return value | (__u64)HOST << 29;
	case NAMESPACE:
		return value ^ HOST << 24;
	case NUMBER:
		return 1; /* the first that is free */
	case KEEP:
		break;
	}
	return value;
}

/* buf has 1024 bytes. Stacks have no frames. */
static struct rsp_ev_hdr *make(char *buf, __u16 kind)
{
	struct rsp_ev_hdr *hdr = (void *)buf;

	for (size_t i = 0; i < 1024; i++)
		/* small values, because large thread IDs and device numbers are invalid */
		buf[i] = i % 4 < 2;
	*hdr = (struct rsp_ev_hdr){.ts_ns = 5000, .kind = kind, .size = 1024, .cpu = 2, .flags = 0};
	return hdr;
}

static void test_each_field(void **state)
{
	_Alignas(8) char before[1024], after[1024];
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < FIELD_CNT; i++) {
		struct rsp_ev_hdr *hdr = make(after, fields[i].kind);

		make(before, fields[i].kind);
		begin(&f, HOST);
		assert_int_equal(rsp_rekey_record(&f.x, hdr), fields[i].kind != RSP_EV_COUNTERS);
		if (get(after, &fields[i]) !=
		    expected(&f, fields[i].change, get(before, &fields[i])))
			fail_msg("%s", fields[i].name);
		assert_int_equal(hdr->ts_ns, rsp_clock_map(&clock_map, 5000));
		assert_int_equal(hdr->cpu, CPU_FIRST + 2);
		assert_int_equal(hdr->kind, fields[i].kind);
		assert_int_equal(hdr->size, 1024);
		end(&f);
	}
}

static void test_first_host(void **state)
{
	_Alignas(8) char before[1024], after[1024];
	struct fixture f;

	(void)state;
	for (__u16 kind = 1; kind < RSP_EV_KIND_MAX; kind++) {
		if (kind == 12)
			continue;
		make(before, kind);
		begin(&f, 0);
		assert_int_equal(rsp_rekey_record(&f.x, make(after, kind)), 1);
		assert_memory_equal(before, after, sizeof(before));
		end(&f);
	}
}

/* The listed fields of a kind must follow each other without gaps. */
static void test_no_field_is_missing(void **state)
{
	(void)state;
	for (__u16 kind = 1; kind < RSP_EV_KIND_MAX; kind++) {
		size_t at = sizeof(struct rsp_ev_hdr);

		if (kind == 12)
			continue;
		for (size_t i = 0; i < FIELD_CNT; i++) {
			if (fields[i].kind != kind)
				continue;
			if (fields[i].off != at)
				fail_msg("the field before %s is missing", fields[i].name);
			at += fields[i].size;
		}
		if (at != rsp_record_bytes(kind))
			fail_msg("kind %u: the last field is missing", kind);
	}
}

static void test_contexts(void **state)
{
	_Alignas(8) char buf[1024];
	struct rsp_ev_switch *sw = (void *)make(buf, RSP_EV_SWITCH);
	struct rsp_ev_waking *waking = (void *)buf;
	struct rsp_ev_irq *irq = (void *)buf;
	struct fixture f;

	(void)state;
	begin(&f, HOST);
	sw->hdr.flags = RSP_SW_FUTEX;
	sw->next_tid = 0;
	sw->object = 0x7f00dead;
	rsp_rekey_record(&f.x, &sw->hdr);
	assert_int_equal(sw->object, 0x7f00dead); /* an address of the process */
	assert_int_equal(sw->next_tid, 0);	  /* the idle task */

	make(buf, RSP_EV_WAKING);
	waking->context = RSP_WAKE_SOFTIRQ;
	waking->cause = 3;
	rsp_rekey_record(&f.x, &waking->hdr);
	assert_int_equal(waking->cause, 3);

	make(buf, RSP_EV_IRQ);
	irq->hdr.flags = RSP_IRQ_HARD;
	irq->object = 77;
	rsp_rekey_record(&f.x, &irq->hdr);
	assert_int_equal(irq->object, rsp_rekey_id(&f.x, 77));
	end(&f);
}

/* The ID of some OBJECT records contains the number of a disk, which the merge changes, too. */
static void test_disks(void **state)
{
	struct fixture f;
	__u32 dev = 259 << 20 | 1;

	(void)state;
	begin(&f, HOST);
	assert_int_equal(rsp_rekey_id(&f.x, RSP_DISK_ID((__u64)dev)),
			 RSP_DISK_ID((__u64)rsp_host_merged_dev(HOST, dev)));
	assert_int_equal(rsp_host_dev(rsp_host_merged_dev(HOST, dev)), dev);
	end(&f);
}

static void test_sockets(void **state)
{
	_Alignas(8) char buf[1024];
	struct rsp_ev_socket *sock = (void *)make(buf, RSP_EV_SOCKET);
	struct fixture f;

	(void)state;
	begin(&f, HOST);
	f.peer = 1;
	sock->hdr.flags = RSP_SOCKET_ACCEPTED;
	rsp_rekey_record(&f.x, &sock->hdr);
	assert_int_equal(rsp_host_of_socket(sock), HOST);
	assert_int_equal(rsp_host_of_peer(sock), 1);
	assert_true(sock->hdr.flags & RSP_SOCKET_ACCEPTED);

	make(buf, RSP_EV_SOCKET);
	sock->family = AF_UNIX;
	sock->un.path = 5;
	sock->un.peer = 6;
	sock->un.connection = 7;
	rsp_rekey_record(&f.x, &sock->hdr);
	assert_int_equal(sock->un.path, rsp_rekey_id(&f.x, 5));
	assert_int_equal(sock->un.peer, rsp_rekey_id(&f.x, 6));
	assert_int_equal(sock->un.connection, rsp_rekey_id(&f.x, 7));
	end(&f);
}

/* Equal numbers of one host become the same number. */
static void test_binaries(void **state)
{
	_Alignas(8) char buf[1024];
	struct rsp_ev_stack *stack = (void *)buf;
	struct fixture f;

	(void)state;
	begin(&f, HOST);
	make(buf, RSP_EV_STACK);
	stack->hdr.flags = RSP_STACK_USER;
	stack->frame_cnt = 3;
	stack->frames[0] = RSP_FRAME_IN_BINARY | 1ULL << RSP_FRAME_OFFSET_BITS | 0x123;
	stack->frames[1] = RSP_FRAME_IN_BINARY | 9ULL << RSP_FRAME_OFFSET_BITS | 0x456;
	stack->frames[2] = 0x7f0012345678;
	assert_int_equal(rsp_rekey_note_numbers(&stack->hdr, &f.taken), 0);
	assert_int_equal(f.taken.cnt, 2); /* binaries 1 and 9 */
	assert_int_equal(rsp_rekey_record(&f.x, &stack->hdr), 1);
	assert_int_equal(RSP_FRAME_BINARY(stack->frames[0]), 2);
	assert_int_equal(RSP_FRAME_OFFSET(stack->frames[0]), 0x123);
	assert_int_equal(RSP_FRAME_BINARY(stack->frames[1]), 3);
	assert_int_equal(stack->frames[2], 0x7f0012345678);

	stack->frames[0] = stack->frames[1] = RSP_FRAME_IN_BINARY | 9ULL << RSP_FRAME_OFFSET_BITS;
	assert_int_equal(rsp_rekey_record(&f.x, &stack->hdr), 1);
	assert_int_equal(RSP_FRAME_BINARY(stack->frames[0]), 3);

	stack->frames[1] = RSP_FRAME_IN_BINARY | 10ULL << RSP_FRAME_OFFSET_BITS;
	f.next_number = 1 << 23;
	assert_int_equal(rsp_rekey_record(&f.x, &stack->hdr), -EOVERFLOW);
	end(&f);
}

static void test_disjoint(void **state)
{
	struct fixture f;
	__u64 ids[3];
	__u32 tids[3];

	(void)state;
	for (__u32 host = 0; host < 3; host++) {
		begin(&f, host);
		ids[host] = rsp_rekey_id(&f.x, 0xffffffff81234567ULL);
		tids[host] = rsp_host_merged_tid(host, 4194303);
		assert_int_equal(rsp_host_of_tid(tids[host]), host);
		assert_int_equal(rsp_host_tid(tids[host]), 4194303);
		assert_int_equal(rsp_rekey_id(&f.x, 0), 0);
		end(&f);
	}
	assert_int_not_equal(ids[0], ids[1]);
	assert_int_not_equal(ids[1], ids[2]);
	assert_int_not_equal(tids[0], tids[1]);
	assert_int_not_equal(tids[1], tids[2]);
}

static void test_refusals(void **state)
{
	_Alignas(8) char buf[1024];
	struct fixture f;

	(void)state;
	begin(&f, HOST);
	assert_int_equal(rsp_rekey_record(&f.x, make(buf, RSP_EV_KIND_MAX)), -ENOTSUP);
	assert_int_equal(rsp_rekey_record(&f.x, make(buf, 12)), 0);
	f.x.cpu_first = UINT16_MAX;
	assert_int_equal(rsp_rekey_record(&f.x, make(buf, RSP_EV_SWITCH)), -EOVERFLOW);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_field),
		cmocka_unit_test(test_first_host),
		cmocka_unit_test(test_no_field_is_missing),
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_sockets),
		cmocka_unit_test(test_binaries),
		cmocka_unit_test(test_disjoint),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
