/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fixed parts of a snapshot file, and the JSON of its META section. docs/snapshot-format.md
 * describes both.
 */
#ifndef RSP_LIB_SNAPSHOT_FORMAT_H
#define RSP_LIB_SNAPSHOT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot/snapshot.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "snapshots are little-endian");

/* As in PNG files, the magic number is damaged by a transfer in text mode. */
#define RSP_SNAPSHOT_MAGIC   "\x89RSP\r\n\x1a\n"
#define RSP_SNAPSHOT_VERSION 1

struct rsp_file_header {
	char magic[8];
	uint32_t version;
	uint32_t reserved; /* 0 */
};

#define RSP_SEC_END 0 /* type of the end marker; it is not in enum rsp_section_type */

struct rsp_section_header {
	uint32_t type;
	uint32_t check;	     /* FNV-1a hash of the other members, in their order */
	uint64_t stored_len; /* length of the zstd frame that follows, without padding */
	/* decompressed length; for the end marker: length of the file before this header */
	uint64_t raw_len;
};

_Static_assert(sizeof(struct rsp_file_header) == 16, "layout");
_Static_assert(sizeof(struct rsp_section_header) == 24, "layout");

static inline uint64_t rsp_section_padded(uint64_t stored_len)
{
	return (stored_len + 7) & ~7ULL;
}

uint32_t rsp_section_header_check(const struct rsp_section_header *hdr);

/*
 * Finds the offset of the end marker of the snapshot in fd. Returns 0 or an error of
 * rsp_snapshot_reopen().
 */
int rsp_snapshot_find_end(int fd, uint64_t *ret_off);

/* Returns the decompressed length of all records, according to the section headers. */
uint64_t rsp_snapshot_events_bytes(int fd);

/*
 * Opens a snapshot, but keeps only the records that filter selects. filter gets the sections of
 * records in the order of the file, moves the records to keep to the beginning of the section, and
 * returns their length. Returns 0 or an error of rsp_snapshot_open_fd().
 */
typedef size_t (*rsp_records_filter_fn)(const struct rsp_meta *meta, void *records, size_t len,
					void *userdata);
int rsp_snapshot_open_filtered_fd(int fd, rsp_records_filter_fn filter, void *userdata,
				  struct rsp_snapshot **ret);

/* Returns 0 or -errno. */
int rsp_write_all(int fd, const void *data, size_t len);

/*
 * Level 1 of zstd compresses records 5 to 8 times. On a production machine, the CPU time of higher
 * levels costs more than the space that they save. The window of zstd has at most 8 MiB, which RFC
 * 8878 asks every decoder to support.
 */
#define RSP_SNAPSHOT_ZSTD_LEVEL	     1
#define RSP_SNAPSHOT_ZSTD_WINDOW_LOG 23

/*
 * The maximum decompressed size of a file is its own length times RSP_SNAPSHOT_RATIO_MAX, plus
 * RSP_SNAPSHOT_RATIO_FREE, because a small amount of data may compress very well.
 */
#define RSP_SNAPSHOT_RATIO_MAX	64ULL
#define RSP_SNAPSHOT_RATIO_FREE (64ULL << 20)

/* Limits of size and nesting for json-c, because META may be hostile. */
#define RSP_META_BYTES_MAX (64 << 10)
#define RSP_META_DEPTH_MAX 16

/* Formats a META section as JSON text, which the caller frees. Returns 0 or -ENOMEM. */
int rsp_meta_format(const struct rsp_meta *meta, char **ret, size_t *ret_len);
/*
 * Parses a META section. If a key is missing or has another type, its member is empty. Returns 0;
 * -EBADMSG: the text is not a single JSON object within the limits above; -ENOMEM.
 */
int rsp_meta_parse(const char *json, size_t len, struct rsp_meta *ret);

#endif
