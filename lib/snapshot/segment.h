/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment is a part of the window (window.h). It stores each record in a few bytes, and returns
 * exactly the same records in the same order. Encoded records never leave memory, so the reader
 * does not check them.
 */
#ifndef RSP_LIB_SEGMENT_H
#define RSP_LIB_SEGMENT_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_segment;

/*
 * A coder learns from records to predict the next records. The coder that reads segments must learn
 * the same as the coder that filled them. So segments must be read in the order in which they were
 * filled, from the first segment after a reset on.
 */
struct rsp_coder;

/*
 * Each halving of a coder's tables nearly halves the size of the coder, but segments take more
 * bytes.
 */
#define RSP_CODER_HALVINGS_MAX 4

int rsp_coder_new(unsigned int halvings,
		  struct rsp_coder **ret); /* Returns 0, -EINVAL or -ENOMEM. */
struct rsp_coder *rsp_coder_free(struct rsp_coder *c);
void rsp_coder_reset(struct rsp_coder *c);
/* Both coders must have the same number of halvings. */
void rsp_coder_assign(struct rsp_coder *c, const struct rsp_coder *from);
size_t rsp_coder_bytes(unsigned int halvings);
/*
 * rsp_coder_restore() restores the data that rsp_coder_save() stored. Both coders must have the
 * same number of halvings, and both processes must run the same program file.
 * rsp_coder_learned_bytes() returns the size of the data, a multiple of 8.
 */
size_t rsp_coder_learned_bytes(unsigned int halvings);
void rsp_coder_save(const struct rsp_coder *c, void *ret);
void rsp_coder_restore(struct rsp_coder *c, const void *from);

/* sufficient for any record */
#define RSP_SEGMENT_BYTES_MIN ((size_t)95 << 10)

/*
 * Makes a segment for up to cap_bytes bytes of encoded records, at least RSP_SEGMENT_BYTES_MIN.
 * Returns 0, -EINVAL or -ENOMEM.
 */
int rsp_segment_new(size_t cap_bytes, struct rsp_segment **ret);
struct rsp_segment *rsp_segment_free(struct rsp_segment *seg);
void rsp_segment_clear(struct rsp_segment *seg);
size_t rsp_segment_bytes(const struct rsp_segment *seg);

/*
 * Adds a record that rsp_record_check() has accepted. Returns 0; -ENOSPC: the segment is full, and
 * unchanged.
 */
int rsp_segment_append(struct rsp_segment *seg, struct rsp_coder *c, const struct rsp_ev_hdr *rec);

/*
 * Copies the next records to buf. *pos is 0 at first. buf is aligned to 8 bytes, and len is at
 * least RSP_SEGMENT_READ_BYTES_MIN. Returns the number of bytes copied; 0 at the end.
 */
#define RSP_SEGMENT_READ_BYTES_MIN ((size_t)64 << 10)
size_t rsp_segment_read(const struct rsp_segment *seg, struct rsp_coder *c, size_t *pos, void *buf,
			size_t len);

#endif
