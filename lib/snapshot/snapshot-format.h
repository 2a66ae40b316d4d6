/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reader and writer of snapshot files share, and nobody else needs: the fixed parts of the
 * file and the JSON of its META section. docs/snapshot-format.md explains both.
 */
#ifndef RSP_LIB_SNAPSHOT_FORMAT_H
#define RSP_LIB_SNAPSHOT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "snapshots are little-endian");

/* Like PNG's: not text, and damaged visibly by whoever transfers it as text. */
#define RSP_SNAPSHOT_MAGIC   "\x89RSP\r\n\x1a\n"
#define RSP_SNAPSHOT_VERSION 1

struct rsp_file_header {
	char magic[8];
	uint32_t version;
	uint32_t reserved; /* 0 */
};

#define RSP_SEC_END 0 /* the end marker's type, beside enum rsp_section_type */

struct rsp_section_header {
	uint32_t type;
	uint32_t check;	     /* FNV-1a of the other fields, in their order */
	uint64_t stored_len; /* of the zstd frame that follows; padding to 8 bytes comes on top */
	uint64_t raw_len;    /* END: length of the file before this header */
};

_Static_assert(sizeof(struct rsp_file_header) == 16, "layout");
_Static_assert(sizeof(struct rsp_section_header) == 24, "layout");

static inline uint64_t rsp_section_padded(uint64_t stored_len)
{
	return (stored_len + 7) & ~7ULL;
}

uint32_t rsp_section_header_check(const struct rsp_section_header *hdr);

/* Where the end marker of the snapshot in fd lies. Errors as of rsp_snapshot_reopen. */
int rsp_snapshot_find_end(int fd, uint64_t *ret_off);

/* Returns the length of all records of a snapshot, decompressed, as the section headers claim. */
uint64_t rsp_snapshot_events_bytes(int fd);

/*
 * Opens a snapshot, but keeps only some of its records. filter is called for each section of
 * records, in the order of the file. It moves the records to keep to the beginning of the section
 * and returns their length. It has to check the records itself. Errors as of rsp_snapshot_open_fd.
 */
typedef size_t (*rsp_records_filter_fn)(const struct rsp_meta *meta, void *records, size_t len,
					void *userdata);
int rsp_snapshot_open_filtered_fd(int fd, rsp_records_filter_fn filter, void *userdata,
				  struct rsp_snapshot **ret);

/* Short writes and EINTR taken care of. 0 or -errno. */
int rsp_write_all(int fd, const void *data, size_t len);

/*
 * zstd's level 1 compresses records 5 to 8 times at several hundred MB/s; higher levels cost a
 * production machine more than they save. Its window stays far below the bound that readers set
 * for their memory's sake (8 MiB, what RFC 8878 asks every decoder to support).
 */
#define RSP_SNAPSHOT_ZSTD_LEVEL	     1
#define RSP_SNAPSHOT_ZSTD_WINDOW_LOG 23

/*
 * Decompressed, a file has at most so many times its own length, and this much on top, because
 * little of anything may compress well.
 */
#define RSP_SNAPSHOT_RATIO_MAX	64ULL
#define RSP_SNAPSHOT_RATIO_FREE (64ULL << 20)

/* Bounds what json-c builds from a stranger's META. */
#define RSP_META_BYTES_MAX (64 << 10)
#define RSP_META_DEPTH_MAX 16

/* The JSON text of a META section (free). 0 or -ENOMEM. */
int rsp_meta_format(const struct rsp_meta *meta, char **ret, size_t *ret_len);
/*
 * Unknown keys are ignored; a missing one, or one of another type, leaves its member empty.
 * -EBADMSG: not one JSON object within the bounds above. -ENOMEM.
 */
int rsp_meta_parse(const char *json, size_t len, struct rsp_meta *ret);

#endif
