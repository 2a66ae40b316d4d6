/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a copy of symbols (symcopy.h). */
#ifndef RSP_LIB_SYMCOPY_READ_H
#define RSP_LIB_SYMCOPY_READ_H

/*
 * Maximum size of a copy, uncompressed and compressed. The copies of most of the largest known
 * programs are smaller.
 */
#define RSP_SYMCOPY_MAP_BYTES_MAX (16U << 20)
#define RSP_SYMCOPY_BYTES_MAX	  (2U << 20)

struct rsp_perfmap;
/*
 * Returns 0; -EBADMSG: the file is not such a copy, or damaged; -EFBIG; -ENOMEM; -errno of fstat()
 * and pread().
 */
int rsp_symcopy_read(int fd, struct rsp_perfmap **ret);

#endif
