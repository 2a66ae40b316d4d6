/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends notices to the process that attaches probes to allocators (daemon/capture/allocators.c).
 * Included only by memory-watch.bpf.c.
 */
#ifndef RSP_MEMORY_FILES_BPF_H
#define RSP_MEMORY_FILES_BPF_H

#include "bpf/memory-sums.bpf.h"

#define EEXIST 17

struct rsp_file_hash {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(__u32));
};

struct rsp_notice_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rsp_file_hash);
} rsp_memory_files SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rsp_notice_ring);
} rsp_memory_notices SEC(".maps");

__u64 rsp_memory_notice_cnt = 0;

/*
 * Adds the key of a file to the table. Returns false if the file is already known, or there is no
 * room.
 */
static __always_inline bool is_first_time(__u64 key)
{
	__u32 zero = 0;
	void *table = bpf_map_lookup_elem(&rsp_memory_files, &zero);
	long r;

	if (!table || bpf_map_lookup_elem(table, &key))
		return false;
	r = bpf_map_update_elem(table, &key, &zero, BPF_NOEXIST);
	if (r && r != -EEXIST)
		lose_memory(RSP_MEMORY_LOST_FILES);
	return r == 0;
}

static __always_inline void send_notice(__u32 tgid, __u64 start, __u64 end, __u64 key,
					bool is_child)
{
	__u32 zero = 0;
	void *ring = bpf_map_lookup_elem(&rsp_memory_notices, &zero);
	struct rsp_memory_notice *notice;

	if (!ring)
		return;
	notice = bpf_ringbuf_reserve(ring, sizeof(*notice), 0);
	if (!notice) {
		lose_memory(is_child ? RSP_MEMORY_LOST_CHILDREN : RSP_MEMORY_LOST_FILES);
		return;
	}
	notice->ts_ns = bpf_ktime_get_ns();
	notice->start = start;
	notice->end = end;
	notice->key = key;
	notice->tgid = tgid;
	notice->is_child = is_child;
	__sync_fetch_and_add(&rsp_memory_notice_cnt, 1);
	bpf_ringbuf_submit(notice, 0);
}

static __always_inline __u64 file_key(struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	return mix(mix(rsp_secret, BPF_CORE_READ(inode, i_ino)),
		   BPF_CORE_READ(inode, i_sb, s_dev)) |
	       1;
}

/*
 * The notice of an executed program contains no address range, so the reader looks at all mappings
 * of the task: the loader is also mapped, and can be an allocator, too.
 */
static __always_inline void notice_program(struct task_struct *task)
{
	struct file *file = BPF_CORE_READ(task, mm, exe_file);
	__u64 key = file_key(file);

	if (file && is_first_time(key))
		send_notice(task->tgid, 0, 0, key, false);
}

/*
 * If another thread is changing the mappings, the mapping may not be found. The notice then
 * contains no address range, and the reader looks at all mappings.
 */
static __always_inline void notice_mapping(struct task_struct *task, __u64 address)
{
	__u32 level = take_level(RSP_SCRATCH_PROBE, RSP_SCRATCH_STACK_CNT);
	struct vm_area_struct *vma = NULL;
	__u64 start, end, key;
	struct file *file;

	if (level < RSP_SCRATCH_STACK_CNT) {
		vma = (void *)rsp_vma_at(address_of(task->mm), address, level);
		give_back_level(level);
	}
	start = BPF_CORE_READ(vma, vm_start);
	end = BPF_CORE_READ(vma, vm_end);
	file = BPF_CORE_READ(vma, vm_file);
	key = file_key(file);
	if (!vma || address < start || address >= end)
		send_notice(task->tgid, 0, 0, 0, false);
	else if (file && is_first_time(key))
		send_notice(task->tgid, start, end, key, false);
}

#endif
