/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See binaries.h. */
#include "daemon/capture/binaries.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/capture/lanes.h"
#include "daemon/capture/symcopies.h"
#include "daemon/capture/tables.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/unwind/table.h"
#include "rsp/slo.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/*
 * Number of failed requests for a binary's table after which the BPF programs wait a second between
 * requests.
 */
#define VAIN_AT_ONCE_MAX 8

/*
 * An entry takes some 200 bytes. If there are more binaries, rspd drops the oldest one, which
 * snapshots rarely need.
 */
#define BINARY_MAX 32768

/*
 * Maximum time for which a BPF program that is unwinding a stack may use a number that it has read
 * before.
 */
#define NUMBERS_LINGER_NS 1000000000ULL

/* Minimum time before rspd reuses a half of the numbers of binaries. */
#define NUMBERS_INTERVAL_NS 3600000000000ULL

/*
 * The budget for tables, divided by the budget for copies of symbols. A copy takes a tenth to a
 * half of the memory of its table.
 */
#define TABLES_PER_SYMBOLS 4

struct binary {
	TAILQ_ENTRY(binary) link;
	struct rsp_binary_key key;
	__u32 table;
	bool local;
	int fd;		 /* -1: the file is not kept open */
	__u64 symbols;	 /* number of the copy in symcopies; 0: no copy */
	__u32 mode, uid; /* of the file */
	struct rsp_ev_binary *rec;
};

struct rsp_binaries {
	struct rsp_bpf *bpf;
	struct rsp_tables *tables;
	struct rsp_lanes *lanes;
	struct rsp_symcopies *symcopies;
	bool blind; /* rspd may open no binary */
	unsigned int kept_cnt;
	TAILQ_HEAD(binary_list, binary) list; /* oldest first */
	struct rsp_idmap by_number;	      /* values: struct binary * */
	__u32 half; /* index of the half from which new numbers are taken */
	/* time at which the other half went out of use; 0: its numbers can be used again */
	__u64 retired_ns;
	struct rsp_binaries_stats stats;
};

/* --- the list --------------------------------------------------------------------------------- */

static struct binary *find(const struct rsp_binaries *b, __u32 number)
{
	uint64_t value;

	return rsp_idmap_get(&b->by_number, number, &value) ? (void *)(uintptr_t)value : NULL;
}

static void forget(struct rsp_binaries *b, struct binary *binary)
{
	TAILQ_REMOVE(&b->list, binary, link);
	rsp_idmap_remove(&b->by_number, binary->rec->number);
	b->kept_cnt -= binary->fd >= 0;
	rsp_cleanup_close(&binary->fd);
	free(binary->rec);
	free(binary);
	b->stats.binary_cnt--;
}

static struct rsp_ev_binary *make_record(__u32 number, __u32 tgid, const char *path)
{
	size_t size = sizeof(struct rsp_ev_binary) + ((strlen(path) + 1 + 7) & ~7UL);
	struct rsp_ev_binary *rec = calloc(1, size);

	if (!rec)
		return NULL;
	rec->hdr.kind = RSP_EV_BINARY;
	rec->hdr.size = (__u16)size;
	rec->number = number;
	rec->tgid = tgid;
	strcpy(rec->path, path);
	return rec;
}

static struct binary *add(struct rsp_binaries *b, const struct rsp_binary_wanted *wanted,
			  const char *path)
{
	struct binary *binary = calloc(1, sizeof(*binary));

	if (!binary)
		return NULL;
	binary->key = wanted->key;
	binary->fd = -1;
	binary->rec = make_record(wanted->number, wanted->tgid, path);
	if (!binary->rec || rsp_idmap_put(&b->by_number, wanted->number, (uintptr_t)binary) < 0) {
		free(binary->rec);
		free(binary);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&b->list, binary, link);
	b->stats.binary_cnt++;
	return binary;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Makes the BPF programs drop their cached data about mappings. */
static void bump_epoch(struct rsp_binaries *b)
{
	__atomic_fetch_add(&b->bpf->bss->rsp_tables_epoch, 1, __ATOMIC_SEQ_CST);
}

/* Makes each BPF program that is unwinding a stack drop this stack. */
static void bump_areas_epoch(struct rsp_binaries *b)
{
	__atomic_fetch_add(&b->bpf->bss->rsp_areas_epoch, 1, __ATOMIC_SEQ_CST);
}

/*
 * Does nothing if the map has dropped the binary: the BPF programs will then treat it as a new
 * binary.
 */
static void update_kernel_map(struct rsp_binaries *b, const struct binary *binary)
{
	struct rsp_binary_value value = {.number = binary->rec->number, .table = binary->table};

	if (value.number != RSP_BINARY_VDSO)
		bpf_map_update_elem(bpf_map__fd(b->bpf->maps.rsp_binaries), &binary->key, &value,
				    BPF_EXIST);
}

/*
 * The BPF programs request a table once per number, and note this in an array indexed by the number
 * modulo its size. If the element belongs to a later binary, deletes this binary from the kernel's
 * map, so that a program that meets the binary again gives it a new number.
 */
static void allow_requests(struct rsp_binaries *b, __u32 number, const struct rsp_binary_key *key)
{
	struct rsp_binary_met *met = &b->bpf->bss->rsp_binaries_met[number % RSP_BINARY_MET_MAX];

	if (met->number == number) {
		met->asked = 0;
		return;
	}
	bpf_map_delete_elem(bpf_map__fd(b->bpf->maps.rsp_binaries), key);
	bump_epoch(b);
}

/*
 * Lets the next stack request the table again, after VAIN_AT_ONCE_MAX failures at most once a
 * second, because the opener forks a process for each request.
 */
static void request_again(struct rsp_binaries *b, const struct rsp_binary_wanted *wanted)
{
	struct rsp_binary_met *met =
		&b->bpf->bss->rsp_binaries_met[wanted->number % RSP_BINARY_MET_MAX];

	if (met->number == wanted->number && ++met->vain_cnt > VAIN_AT_ONCE_MAX)
		met->again_s = (__u32)(rsp_now_ns() / 1000000000) + 1;
	allow_requests(b, wanted->number, &wanted->key);
}

static void set_table(struct rsp_binaries *b, struct binary *binary, __u32 table)
{
	binary->table = table;
	update_kernel_map(b, binary);
	if (table == RSP_TABLE_PENDING)
		allow_requests(b, binary->rec->number, &binary->key);
}

/*
 * Drops the oldest binary except the vdso, which is the first in the list. Deletes the binary from
 * the kernel's map, too, so that no BPF program uses a table that rspd no longer knows.
 */
static void forget_oldest(struct rsp_binaries *b)
{
	struct binary *oldest = TAILQ_NEXT(TAILQ_FIRST(&b->list), link);

	bpf_map_delete_elem(bpf_map__fd(b->bpf->maps.rsp_binaries), &oldest->key);
	bump_epoch(b);
	forget(b, oldest);
}

static void evict(struct rsp_binaries *b, __u32 area)
{
	unsigned int table_cnt = rsp_tables_cnt(b->tables);
	struct binary *binary;

	TAILQ_FOREACH(binary, &b->list, link)
	if (RSP_TABLE_AREA(binary->table) == area)
		set_table(b, binary, RSP_TABLE_PENDING);
	bump_epoch(b);
	bump_areas_epoch(b);
	rsp_tables_remove(b->tables, area);
	b->stats.evicted_cnt += table_cnt - rsp_tables_cnt(b->tables);
}

/* Evicts areas if necessary. Returns RSP_TABLE_NONE if the table cannot be stored. */
static __u32 put_table(struct rsp_binaries *b, const void *blocks, size_t len)
{
	__u32 table = RSP_TABLE_NONE, idlest;
	int r;

	while ((r = rsp_tables_put(b->tables, blocks, len, &table)) == -ENOSPC) {
		idlest = rsp_tables_idlest(b->tables);
		if (!idlest)
			break;
		evict(b, idlest);
	}
	if (r == 0)
		b->stats.built_cnt++;
	return table;
}

/* Returns RSP_TABLE_PENDING if no binary with the same build-id has a table. */
static __u32 shared_table(const struct rsp_binaries *b, const struct binary *binary)
{
	const struct rsp_ev_binary *rec = binary->rec;
	const struct binary *other;

	TAILQ_FOREACH(other, &b->list, link)
	if (other != binary && other->table >= RSP_TABLE_FIRST && rec->build_id_len &&
	    other->rec->build_id_len == rec->build_id_len &&
	    memcmp(other->rec->build_id, rec->build_id, rec->build_id_len) == 0)
		return other->table;
	return RSP_TABLE_PENDING;
}

static void take_answer(struct rsp_binaries *b, struct binary *binary, int error,
			const struct rsp_worker_answer *answer)
{
	__u32 table;

	binary->rec->build_id_len = answer->build_id_len;
	memcpy(binary->rec->build_id, answer->build_id, sizeof(binary->rec->build_id));
	if (answer->symbols)
		binary->symbols = rsp_symcopies_put(b->symcopies, answer->symbols,
						    answer->symbols_len);
	if (error < 0) {
		if (error != -ENODATA)
			b->stats.refused_cnt++;
		table = RSP_TABLE_NONE;
	} else {
		table = shared_table(b, binary);
		if (table == RSP_TABLE_PENDING)
			table = put_table(b, answer->table, answer->len);
	}
	set_table(b, binary, table);
	bump_epoch(b);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/*
 * When the BPF programs meet the deleted binaries again, the binaries get numbers of the other
 * half.
 */
static void retire(struct rsp_binaries *b, __u32 half)
{
	const struct bpf_map *map = b->bpf->maps.rsp_binaries;
	struct rsp_binary_key key, next;
	struct rsp_binary_value value;
	int fd = bpf_map__fd(map);
	bool has = bpf_map_get_next_key(fd, NULL, &key) == 0;

	/* The map may change during the loop, so limit the number of steps. */
	for (__u32 i = 0; has && i < 2 * bpf_map__max_entries(map); i++, key = next) {
		has = bpf_map_get_next_key(fd, &key, &next) == 0;
		if (bpf_map_lookup_elem(fd, &key, &value) == 0 &&
		    rsp_number_is_in(value.number, half))
			bpf_map_delete_elem(fd, &key);
	}
	bump_epoch(b);
}

static void forget_half(struct rsp_binaries *b, __u32 half)
{
	struct binary *binary = TAILQ_FIRST(&b->list), *next;

	for (; binary; binary = next) {
		next = TAILQ_NEXT(binary, link);
		if (rsp_number_is_in(binary->rec->number, half))
			forget(b, binary);
	}
}

enum rsp_number_step rsp_binaries_poll_numbers(struct rsp_binaries *b, __u64 now_ns,
					       __u64 window_oldest_ns)
{
	struct rsp_numbers *numbers = &b->bpf->data->rsp_numbers;
	__u64 cnt = __atomic_load_n(&numbers->taken_cnt, __ATOMIC_RELAXED);
	__u32 half = rsp_number_half(cnt < numbers->granted_cnt ? cnt : numbers->granted_cnt - 1);

	if (half != b->half) {
		b->half = half;
		b->retired_ns = now_ns;
		retire(b, half - 1);
		return RSP_NUMBERS_RETIRED;
	}
	if (!b->retired_ns || now_ns - b->retired_ns < NUMBERS_INTERVAL_NS ||
	    window_oldest_ns <= b->retired_ns + NUMBERS_LINGER_NS)
		return RSP_NUMBERS_SAME;
	b->retired_ns = 0;
	forget_half(b, half + 1);
	__atomic_fetch_add(&numbers->granted_cnt, RSP_NUMBER_HALF_CNT, __ATOMIC_SEQ_CST);
	return RSP_NUMBERS_GRANTED;
}

/* --- files ------------------------------------------------------------------------------------ */

/*
 * Returns whether opening the file took so long that another binary may have the requested number
 * now.
 */
static bool is_outdated(const struct rsp_binaries *b, const struct rsp_binary_wanted *wanted)
{
	struct rsp_binary_value value;

	return b->half > 1 && (bpf_map_lookup_elem(bpf_map__fd(b->bpf->maps.rsp_binaries),
						   &wanted->key, &value) < 0 ||
			       value.number != wanted->number);
}

/* Returns NULL if rspd does not know the binary, or another binary has its number now. */
static struct binary *find_wanted(const struct rsp_binaries *b,
				  const struct rsp_binary_wanted *wanted)
{
	struct binary *binary = find(b, wanted->number);

	return binary && memcmp(&binary->key, &wanted->key, sizeof(binary->key)) == 0 ? binary
										      : NULL;
}

static void keep(struct rsp_binaries *b, struct binary *binary, int fd)
{
	if (fd < 0 || binary->fd >= 0 || b->kept_cnt == RSP_KEPT_MAX)
		return;
	binary->fd = fcntl(fd, F_DUPFD_CLOEXEC, RSP_KEPT_FD_MIN);
	b->kept_cnt += binary->fd >= 0;
}

static void on_opened(const struct rsp_binary_wanted *wanted, const struct rsp_opened *opened,
		      void *userdata)
{
	struct rsp_binaries *b = userdata;
	struct binary *binary = find_wanted(b, wanted);

	if (!binary && !is_outdated(b, wanted) && !find(b, wanted->number))
		binary = add(b, wanted, opened->path);
	if (!binary)
		return;
	if (b->stats.binary_cnt > BINARY_MAX)
		forget_oldest(b);
	binary->local = rsp_lanes_is_local(&wanted->origin);
	binary->rec->ino = opened->ino;
	binary->rec->dev = opened->dev;
	binary->mode = opened->mode;
	binary->uid = opened->uid;
	keep(b, binary, opened->fd);
}

/* Returns whether opening the file again would probably fail with the same error. */
static bool is_final(int error)
{
	return error == -EPERM || error == -EACCES || error == -EFBIG || error == -EIO;
}

static void on_done(const struct rsp_binary_wanted *wanted, int error,
		    const struct rsp_worker_answer *answer, void *userdata)
{
	struct rsp_binaries *b = userdata;
	struct binary *binary = find_wanted(b, wanted);

	/*
	 * For example, the file was deleted, or opening it hung. A later stack may request the
	 * table again.
	 */
	if (!answer && !is_final(error))
		request_again(b, wanted);
	else if (answer && binary)
		take_answer(b, binary, error, answer);
}

void rsp_binaries_want(struct rsp_binaries *b, const struct rsp_binary_wanted *wanted)
{
	int r = b->blind ? 0 : rsp_lanes_submit(b->lanes, wanted);

	if (r == -EBUSY)
		request_again(b, wanted);
	else if (r < 0)
		b->stats.left_out_cnt++;
}

/* --- start and end ---------------------------------------------------------------------------- */

/* The section headers are the last part of the ELF image. */
static size_t image_bytes(const Elf64_Ehdr *image)
{
	return image->e_shoff + (size_t)image->e_shnum * image->e_shentsize;
}

/* Adds the vdso, which is the same in all processes, including the daemon. */
static void add_vdso(struct rsp_binaries *b)
{
	const Elf64_Ehdr *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	const struct rsp_binary_wanted wanted = {.number = RSP_BINARY_VDSO};
	struct binary *binary = add(b, &wanted, "[vdso]");
	struct rsp_unwind_table table = {0};

	if (!binary || !image ||
	    rsp_unwind_table_build_memory(image, image_bytes(image), &table) < 0)
		return;
	binary->table = b->bpf->data->rsp_vdso_table = put_table(b, table.blocks, table.len);
	binary->rec->build_id_len = table.build_id_len;
	memcpy(binary->rec->build_id, table.build_id, sizeof(table.build_id));
	rsp_unwind_table_done(&table);
}

/*
 * /proc shows the process IDs of rspd's PID namespace; the BPF programs use the IDs of the initial
 * one.
 */
static bool counts_as_bpf_does(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == RSP_PIDNS_INITIAL;
}

/*
 * The kernel requires the same right for rspd's own files and those of other processes, so the test
 * opens a mapped file of rspd.
 */
static bool can_open_mapped(void)
{
	DIR *dir = opendir("/proc/self/map_files");
	_cleanup_close_ int fd = -1;
	struct dirent *entry;

	if (!dir)
		return false;
	while ((entry = readdir(dir)) && entry->d_name[0] == '.')
		;
	if (entry)
		fd = openat(dirfd(dir), entry->d_name, O_PATH | O_CLOEXEC);
	closedir(dir);
	return fd >= 0;
}

static void find_out_ability(struct rsp_binaries *b, struct rsp_ladder *ladder)
{
	const char *lacks = NULL;

	if (!counts_as_bpf_does())
		lacks = "rspd has a PID namespace of its own, so it finds no binaries: a user "
			"stack has only its innermost function, without a name";
	else if (!can_open_mapped())
		lacks = "rspd lacks CAP_CHECKPOINT_RESTORE, so it cannot open binaries: a user "
			"stack has only its innermost function, without a name";
	rsp_ladder_add(ladder, "stacks", lacks ? "none" : "unwind tables",
		       lacks ? lacks : "binaries can be opened as processes have them mapped",
		       !lacks);
	b->blind = lacks;
}

int rsp_binaries_new(sd_event *event, struct rsp_bpf *bpf, struct rsp_opener *opener,
		     const struct rsp_binaries_options *opt, struct rsp_ladder *ladder,
		     struct rsp_binaries **ret)
{
	struct rsp_binaries *b = calloc(1, sizeof(*b));
	struct rsp_lanes_ops ops = {.keeps_files = opt->keeps_files,
				    .opened = on_opened,
				    .done = on_done,
				    .userdata = b};
	int r;

	if (!b)
		return -ENOMEM;
	TAILQ_INIT(&b->list);
	b->bpf = bpf;
	r = rsp_tables_new(bpf_map__fd(bpf->maps.rsp_areas), bpf->bss->rsp_area_used,
			   opt->table_budget_bytes, &b->tables);
	if (r == 0)
		r = rsp_symcopies_new(opt->table_budget_bytes / TABLES_PER_SYMBOLS, &b->symcopies);
	if (r == 0)
		r = rsp_lanes_new(event, opener, &ops, &b->lanes);
	if (r < 0) {
		rsp_binaries_free(b);
		return r;
	}
	add_vdso(b);
	find_out_ability(b, ladder);
	*ret = b;
	return 0;
}

struct rsp_binaries *rsp_binaries_free(struct rsp_binaries *b)
{
	if (!b)
		return NULL;
	rsp_lanes_free(b->lanes);
	rsp_tables_free(b->tables);
	rsp_symcopies_free(b->symcopies);
	while (!TAILQ_EMPTY(&b->list))
		forget(b, TAILQ_FIRST(&b->list));
	rsp_idmap_done(&b->by_number);
	free(b);
	return NULL;
}

const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number)
{
	const struct binary *binary = find(b, number);

	return binary ? binary->rec : NULL;
}

bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number)
{
	const struct binary *binary = find(b, number);

	return binary && binary->local;
}

int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number)
{
	const struct binary *binary = find(b, number);

	return binary ? binary->fd : -1;
}

const void *rsp_binaries_symbols(const struct rsp_binaries *b, __u32 number,
				 struct rsp_symbols_origin *ret)
{
	const struct binary *binary = find(b, number);

	if (!binary)
		return NULL;
	*ret = (struct rsp_symbols_origin){.mode = binary->mode, .uid = binary->uid};
	return rsp_symcopies_get(b->symcopies, binary->symbols, &ret->len);
}

bool rsp_binaries_is_unchanged(const struct rsp_binaries *b, __u32 number, const struct stat *st)
{
	const struct binary *binary = find(b, number);

	return binary && binary->key.size == (__u64)st->st_size &&
	       binary->key.mtime_s == st->st_mtim.tv_sec &&
	       binary->key.mtime_ns == (__u64)st->st_mtim.tv_nsec;
}

unsigned int rsp_binaries_busy_cnt(const struct rsp_binaries *b)
{
	return rsp_lanes_busy_cnt(b->lanes);
}

void rsp_binaries_get_stats(const struct rsp_binaries *b, struct rsp_binaries_stats *ret)
{
	*ret = b->stats;
	ret->unnumbered_cnt = b->bpf->data->rsp_numbers.refused_cnt;
	ret->table_cnt = rsp_tables_cnt(b->tables);
	ret->hung_cnt = rsp_lanes_hung_cnt(b->lanes);
	ret->table_bytes = rsp_tables_bytes(b->tables);
	rsp_symcopies_get_stats(b->symcopies, &ret->symbols);
}
