/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a copy of symbols (symcopy.h). */
#ifndef RSP_LIB_SYMCOPY_READ_H
#define RSP_LIB_SYMCOPY_READ_H

/*
 * The maximum size of a map, uncompressed and compressed. Most of the largest known programs stay
 * below it. The files of the others can usually still be opened when a snapshot is made.
 */
#define RSP_SYMCOPY_MAP_BYTES_MAX (16U << 20)
#define RSP_SYMCOPY_BYTES_MAX	  (2U << 20)

struct rsp_perfmap;
/*
 * Reads a copy of symbols. -EBADMSG: not such a copy, or damaged; -EFBIG; -ENOMEM; -errno of fstat
 * and pread.
 */
int rsp_symcopy_read(int fd, struct rsp_perfmap **ret);

#endif
