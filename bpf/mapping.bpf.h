/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the executable mapping that contains an address: its file and the offset in the file. A
 * program cannot wait for the lock of the process's VMAs, so the functions search their tree
 * without it. The tree allows readers at any time (RCU).
 *
 * Results are cached by space_of() and page, so the cache needs no hooks in exec, fork, exit and
 * mmap. If a mapping replaces another one of the same size, a wrong result is used for about a
 * second at most.
 */
#ifndef RSP_MAPPING_BPF_H
#define RSP_MAPPING_BPF_H

#include "bpf/ustack.bpf.h"
#include "rsp/unwind.h"

#define VM_EXEC 0x4

struct rsp_mapping {
	__u64 check;
	__u64 start, end;
	__u64 bias; /* file offset = address - bias */
	__u32 binary;
	__u32 table;
};

/* A direct-mapped cache of results. */
extern struct rsp_mappings_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_mapping);
} rsp_mappings SEC(".maps");

extern struct rsp_binaries_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, RSP_BINARY_MET_MAX);
	__type(key, struct rsp_binary_key);
	__type(value, struct rsp_binary_value);
} rsp_binaries SEC(".maps");

extern const volatile bool rsp_samples_by_nmi;
extern struct rsp_numbers rsp_numbers;
/* set by the daemon */
extern __u32 rsp_vdso_table;
extern struct rsp_binary_met rsp_binaries_met[RSP_BINARY_MET_MAX];

/* --- numbers of binaries --------------------------------------------------------------------- */

/*
 * Since Linux 6.11, an inode has two members for its modification time. Before, it has one:
 * __i_mtime since 6.7, i_mtime before 6.7.
 */
struct inode___611 {
	__s64 i_mtime_sec;
	__u32 i_mtime_nsec;
} __attribute__((preserve_access_index));

struct inode___67 {
	struct timespec64 __i_mtime;
} __attribute__((preserve_access_index));

struct inode___old {
	struct timespec64 i_mtime;
} __attribute__((preserve_access_index));

static __always_inline void read_mtime(struct inode *inode, struct rsp_binary_key *key)
{
	struct inode___611 *now = (void *)inode;
	struct inode___67 *then = (void *)inode;
	struct inode___old *old = (void *)inode;

	if (bpf_core_field_exists(now->i_mtime_sec)) {
		key->mtime_s = BPF_CORE_READ(now, i_mtime_sec);
		key->mtime_ns = BPF_CORE_READ(now, i_mtime_nsec);
	} else if (bpf_core_field_exists(then->__i_mtime)) {
		key->mtime_s = BPF_CORE_READ(then, __i_mtime.tv_sec);
		key->mtime_ns = BPF_CORE_READ(then, __i_mtime.tv_nsec);
	} else {
		key->mtime_s = BPF_CORE_READ(old, i_mtime.tv_sec);
		key->mtime_ns = BPF_CORE_READ(old, i_mtime.tv_nsec);
	}
}

static __always_inline void read_key(struct file *file, struct rsp_binary_key *key)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	key->ino = BPF_CORE_READ(inode, i_ino);
	key->size = BPF_CORE_READ(inode, i_size);
	key->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	read_mtime(inode, key);
}

static __always_inline struct rsp_binary_met *binary_met(__u32 number)
{
	return &rsp_binaries_met[bounded_index(number, RSP_BINARY_MET_MAX - 1)];
}

/*
 * Number of slots for the limits on new numbers per user. Users with the same slot share one limit.
 */
#define NUMBER_USERS (1 << 12)

static struct rsp_number_user number_users[NUMBER_USERS];

static __always_inline __u32 take_number(void)
{
	__u32 uid = (__u32)bpf_get_current_uid_gid();
	__u64 slot = bounded_index(mix(rsp_secret, uid) >> 32, NUMBER_USERS - 1);

	return rsp_number_take(&rsp_numbers, &number_users[slot], uid == 0,
			       bpf_ktime_get_ns() / 1000000000);
}

static __always_inline void learn_binary(const struct rsp_binary_key *key)
{
	struct rsp_binary_value fresh = {.number = take_number()};
	struct rsp_binary_met *met;

	if (!fresh.number)
		return;
	met = binary_met(fresh.number);
	met->key = *key;
	met->asked = met->vain_cnt = met->again_s = 0;
	met->number = fresh.number;
	bpf_map_update_elem(&rsp_binaries, key, &fresh, BPF_NOEXIST);
}

/*
 * A binary that is seen for the first time gets a new number, unless none is available now. In an
 * NMI, nothing is added to rsp_binaries, since the NMI may have interrupted a change of this BPF
 * map.
 */
static __always_inline void identify(__u32 level, const struct rsp_binary_key *key,
				     struct rsp_mapping *map)
{
	struct rsp_binary_value *known;

	known = bpf_map_lookup_elem(&rsp_binaries, key);
	if (!known && !(rsp_samples_by_nmi && level == RSP_SCRATCH_SAMPLE)) {
		learn_binary(key);
		known = bpf_map_lookup_elem(&rsp_binaries, key);
	}
	if (known) {
		map->binary = known->number;
		map->table = known->table;
	}
}

/* --- the tree of VMAs ------------------------------------------------------------------------ */

/*
 * include/linux/maple_tree.h. The low bits of a node's address contain its type: 3
 * (maple_arange_64), 2 (maple_range_64), or 1 (a leaf, with the layout of type 2).
 */
#define NODE_BYTES	 256
#define NODE_TYPE(entry) ((entry) >> 3 & 15)
#define NODE_ARANGE	 3
#define NODE_RANGE	 2
/* maximum depth of the tree; sufficient if a node has 8 children on average */
#define TREE_DEPTH	 8

union rsp_node {
	struct maple_range_64 range;
	struct maple_arange_64 arange;
	__u8 bytes[NODE_BYTES];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RSP_SCRATCH_STACK_CNT);
	__type(key, __u32);
	__type(value, union rsp_node);
} rsp_nodes SEC(".maps");

/*
 * Returns 1 if the difference of two numbers below 2^63 is negative, else 0. The verifier follows
 * each branch of a loop to the end of the program, so the loops below use this function instead of
 * branches.
 */
static __always_inline __u32 sign(__u64 difference)
{
	return difference >> 63;
}

static __always_inline __u32 is_below(__u64 pivot, __u64 address)
{
	/* the last pivot may be ULONG_MAX, which is not below any address */
	return sign(pivot - address) & ~sign(pivot);
}

/*
 * Returns the child of a node that contains an address. The index of this child is the number of
 * pivots below the address.
 *
 * This function, rsp_child_of_arange() and rsp_vma_at() are global, so the verifier checks each
 * only once.
 */
__noinline __u64 rsp_child_of_range(const struct maple_range_64 *node, __u64 address)
{
	__u32 end, at = 0;

	if (!node)
		return 0;
	end = node->pivot[14] ? 15 : node->meta.end;
#pragma clang loop unroll(disable) /* an unrolled loop would need too much stack */
	for (__u32 i = 0; i < 15; i++)
		at += is_below(node->pivot[i], address) & sign((__u64)i - end);
	return (__u64)node->slot[at & 15];
}

__noinline __u64 rsp_child_of_arange(const struct maple_arange_64 *node, __u64 address)
{
	__u32 at = 0;

	if (!node)
		return 0;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < 9; i++)
		at += is_below(node->pivot[i], address) & sign((__u64)i - node->meta.end);
	return (__u64)node->slot[(at & 15) < 10 ? at & 15 : 0];
}

/* The parent pointer of a node that was replaced points to the node itself (ma_dead_node()). */
static __always_inline bool is_dead(const union rsp_node *node, __u64 entry)
{
	return (__u64)node->range.parent >> 8 == entry >> 8;
}

/*
 * Returns the VMA whose slot in the tree contains the address; 0: unknown. The VMA itself may end
 * before the address.
 */
__noinline __u64 rsp_vma_at(__u64 mm, __u64 address, __u32 level)
{
	union rsp_node *node = bpf_map_lookup_elem(&rsp_nodes, &level);
	__u64 entry;

	if (!node || !has_part(RSP_PART_STACKS))
		return 0;
	entry = (__u64)BPF_CORE_READ((struct mm_struct *)mm, mm_mt.ma_root);
	/* not a node (xa_is_node()): the tree has at most one entry, which is ignored */
	if ((entry & 3) != 2)
		return 0;
	for (int i = 0; i < TREE_DEPTH; i++) {
		__u32 type = NODE_TYPE(entry);

		if (bpf_probe_read_kernel(node, NODE_BYTES, (void *)(entry & ~255ULL)) ||
		    is_dead(node, entry))
			return 0;
		entry = type == NODE_ARANGE ? rsp_child_of_arange(&node->arange, address)
					    : rsp_child_of_range(&node->range, address);
		if (type < NODE_RANGE)
			return entry;
	}
	return 0;
}

/* --- mappings -------------------------------------------------------------------------------- */

/*
 * Another thread may unmap the mapping at any time. A mapping holds a reference to its file. So if
 * bounds, mm and file are unchanged, all values that were read belong to this mapping.
 */
static __always_inline bool is_still(struct vm_area_struct *vma, __u64 mm,
				     const struct rsp_mapping *read, const struct file *file)
{
	return BPF_CORE_READ(vma, vm_start) == read->start &&
	       BPF_CORE_READ(vma, vm_end) == read->end && (__u64)BPF_CORE_READ(vma, vm_mm) == mm &&
	       BPF_CORE_READ(vma, vm_file) == file;
}

/*
 * Returns false if the address is in no executable mapping, the mapping changed meanwhile, or its
 * binary has no number. spare: memory for a key, since the BPF stack is too small.
 */
static __always_inline bool read_mapping(__u64 mm, __u64 address, __u32 level,
					 struct rsp_binary_key *spare, struct rsp_mapping *ret)
{
	struct vm_area_struct *vma = (void *)rsp_vma_at(mm, address, level);
	struct file *file;

	ret->start = BPF_CORE_READ(vma, vm_start);
	ret->end = BPF_CORE_READ(vma, vm_end);
	if (address < ret->start || address >= ret->end || (__u64)BPF_CORE_READ(vma, vm_mm) != mm ||
	    !(BPF_CORE_READ(vma, vm_flags) & VM_EXEC))
		return false;
	ret->bias = ret->start - (BPF_CORE_READ(vma, vm_pgoff) << 12);
	ret->binary = 0;
	ret->table = RSP_TABLE_NONE;
	file = BPF_CORE_READ(vma, vm_file);
	if (file)
		read_key(file, spare);
	if (!is_still(vma, mm, ret, file))
		return false;
	if (file) {
		identify(level, spare, ret);
		return ret->binary;
	}
	if (ret->start == (__u64)BPF_CORE_READ((struct mm_struct *)mm, context.vdso)) {
		ret->bias = ret->start;
		ret->binary = RSP_BINARY_VDSO;
		ret->table = rsp_vdso_table;
	}
	return true;
}

static __always_inline __u64 seal_mapping(__u64 key, const struct rsp_mapping *map)
{
	return seal(key, mix(mix(mix(map->start, map->end), map->bias),
			     (__u64)map->binary << 32 | map->table));
}

static __always_inline bool find_mapping(__u64 mm, __u64 space, __u64 address, __u32 level,
					 struct rsp_binary_key *spare, struct rsp_mapping *ret)
{
	__u64 key = mix(space, address >> 12);
	struct rsp_mapping *kept = slot_in(rsp_mappings, key);

	if (!kept)
		return false;
	*ret = *kept;
	if (ret->check == seal_mapping(key, ret))
		return true;
	if (!read_mapping(mm, address, level, spare, ret))
		return false;
	ret->check = seal_mapping(key, ret);
	*kept = *ret;
	return true;
}

#endif
