/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a BLOCK record when a disk request is inserted into the queue, issued to the device, or
 * completed.
 */
#include "bpf/io-limit.bpf.h"
#include "bpf/object.bpf.h"
#include "bpf/slo-disk.bpf.h"

/* Before Linux 5.17, a request has a pointer to its disk. */
struct request___old {
	struct gendisk *rq_disk;
} __attribute__((preserve_access_index));

static __always_inline struct gendisk *disk_of(struct request *rq)
{
	if (bpf_core_field_exists(struct request___old, rq_disk))
		return BPF_CORE_READ((struct request___old *)rq, rq_disk);
	return BPF_CORE_READ(rq, q, disk);
}

/* Also sends the disk's name if it was not sent in this epoch (rsp.bpf.h). */
static __always_inline __u32 device_of(struct request *rq)
{
	struct gendisk *disk = disk_of(rq);
	struct rsp_scratch *scratch;
	__u32 dev, draft;

	if (!disk)
		return 0;
	dev = BPF_CORE_READ(disk, major) << 20 | BPF_CORE_READ(disk, first_minor);
	if (was_sent(RSP_DISK_ID(dev)))
		return dev;
	draft = take_draft();
	scratch = scratch_of(draft);
	if (!scratch)
		return dev;
	begin_object(scratch, RSP_OBJ_DISK, RSP_DISK_ID(dev));
	append_string(scratch, disk->disk_name);
	scratch->object.dev = dev;
	send_object(scratch);
	give_back_level(draft);
	return dev;
}

/* if page->mapping points to an address_space, these bits of it are 0 */
#define PAGE_MAPPING_BITS 3

struct page___71 {
	unsigned long compound_info; /* since 7.1 */
} __attribute__((preserve_access_index));

struct page___old {
	unsigned long compound_head;
} __attribute__((preserve_access_index));

static __always_inline __u64 compound_word_of(struct page *page)
{
	if (bpf_core_field_exists(struct page___71, compound_info))
		return BPF_CORE_READ((struct page___71 *)page, compound_info);
	return BPF_CORE_READ((struct page___old *)page, compound_head);
}

/*
 * Returns the first page of the folio that contains the page, because only this page points to the
 * folio's file. In the other pages, the low bit of this word is set. The other bits are the address
 * of the first page or, since Linux 7.1, a mask for the page's own address (compound_head() in
 * page-flags.h). A mask has its 24 highest bits set, and no address of a struct page has them all
 * set.
 */
static __always_inline struct page *head_of(struct page *page)
{
	__u64 word = compound_word_of(page);

	if (!(word & 1))
		return page;
	return (struct page *)(word >> 40 == 0xffffff ? (__u64)page & word : word - 1);
}

/* Returns the id of the file to which the first page of the request belongs; 0: none or unknown. */
static __always_inline __u64 file_of(struct request *rq)
{
	struct address_space *mapping;
	struct inode *host;
	struct page *page;
	__u32 draft;
	__u64 id;

	if (!has_part(RSP_PART_PAGES))
		return 0;
	page = head_of(BPF_CORE_READ(rq, bio, bi_io_vec, bv_page));
	mapping = BPF_CORE_READ(page, mapping);
	if (!mapping || (__u64)mapping & PAGE_MAPPING_BITS)
		return 0;
	host = BPF_CORE_READ(mapping, host);
	if (!host)
		return 0;
	draft = take_draft();
	id = rsp_inode_object(draft, (__u64)host);
	give_back_level(draft);
	return id;
}

static __always_inline int step(struct request *rq, __u16 flags, __u32 bytes, __u64 object)
{
	__u32 dev = device_of(rq);
	struct rsp_ev_block *rec = rsp_reserve(rsp_ev_block, RSP_EV_BLOCK, flags);

	if (!rec)
		return 0;
	rec->request = identity(rq);
	rec->sector = BPF_CORE_READ(rq, __sector);
	rec->dev = dev;
	rec->bytes = bytes;
	rec->op_flags = BPF_CORE_READ(rq, cmd_flags);
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->object = object;
	rsp_submit(rec);
	record_release(rq);
	return 0;
}

/*
 * Fires before the kernel adds the bio to its request, and so before the other events of this
 * request.
 */
SEC("tp_btf/block_getrq")
int RSP_PROG(on_getrq, struct bio *bio)
{
	note_released(bio);
	return 0;
}

SEC("tp_btf/block_rq_insert")
int RSP_PROG(on_rq_insert, struct request *rq)
{
	if (rsp_slo_active.disk && has_part(RSP_PART_LIMITS))
		slo_disk_begins(rq, true);
	return step(rq, RSP_BLK_INSERT, BPF_CORE_READ(rq, __data_len), file_of(rq));
}

SEC("tp_btf/block_rq_issue")
int RSP_PROG(on_rq_issue, struct request *rq)
{
	if (rsp_slo_active.disk && has_part(RSP_PART_LIMITS))
		slo_disk_begins(rq, false);
	return step(rq, RSP_BLK_ISSUE, BPF_CORE_READ(rq, __data_len), file_of(rq));
}

/* Fires before the request's bios end and wake the threads that wait for them. */
SEC("tp_btf/block_rq_complete")
int RSP_PROG(on_rq_complete, struct request *rq, int error, unsigned int bytes)
{
	if (rsp_slo_active.disk && has_part(RSP_PART_LIMITS))
		slo_disk_completes(rq, bytes);
	set_special(RSP_WAKE_BLOCK, identity(rq));
	return step(rq, RSP_BLK_COMPLETE, bytes, 0);
}
