/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file -> which function a file offset lies in. From .symtab, else .dynsym. The file may be
 * anyone's: any bytes are safe, an offset outside of every function gets no name rather than its
 * neighbour's. Reads no debug information and demangles nothing.
 */
#ifndef RSP_LIB_ELFSYMS_H
#define RSP_LIB_ELFSYMS_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_elfsyms;

#define RSP_ELF_BYTES_MAX (2ULL << 30)

/*
 * fd: a regular file, needed only during the call. A file without symbols is fine and names
 * nothing. -EBADMSG: not ELF or damaged; -EFBIG: larger than RSP_ELF_BYTES_MAX; -ENOMEM; -errno of
 * fstat.
 */
int rsp_elfsyms_load(int fd, struct rsp_elfsyms **ret);
struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e);

/* The name as it stands in the file, owned by e: equal offsets give equal pointers. NULL: no name.
 */
const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 file_off);

/* The GNU build-id. -ENODATA: none, or longer than the kernel would read. Else as _load(). */
int rsp_elfsyms_build_id(int fd, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len);

#endif
