/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks records from a ring, a window or a file. Readers may trust the sizes, counts and strings
 * of a checked record.
 */
#ifndef RSP_LIB_DECODE_H
#define RSP_LIB_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "rsp/event.h"

/*
 * Checks one record at buf (8-byte aligned), of at most len bytes. Returns 0 or -EBADMSG. Accepts
 * an unknown kind if its size is plausible, because newer recorders may write such records.
 */
int rsp_record_check(const void *buf, size_t len);

/*
 * Returns the size of a record of this kind, without the frames of a STACK and the path of a
 * BINARY; 0: the kind is unknown.
 */
size_t rsp_record_bytes(__u16 kind);

/*
 * Iterates over concatenated records. *off is 0 at first. Returns 1 and the next record; 0 at the
 * end; -EBADMSG: the record at *off is bad.
 */
int rsp_record_next(const void *buf, size_t len, size_t *off, const struct rsp_ev_hdr **ret);

/*
 * Iterates over concatenated records that have all been checked. If there are no records, `records`
 * may be NULL.
 */
#define rsp_record_foreach(hdr, records, len)                                                      \
	for ((hdr) = (const void *)(records);                                                      \
	     (size_t)((const char *)(hdr) - (const char *)(records)) < (len);                      \
	     (hdr) = (const void *)((const char *)(hdr) + (hdr)->size))

/*
 * Writes the name of an object to buf, for output: a path with slashes, or a name such as "pipe" or
 * "[eventpoll]". Unprintable characters are replaced (lib/base/text.h), and a long name is cut.
 * Returns buf.
 */
char *rsp_object_name(const struct rsp_ev_object *obj, char *buf, size_t len);

/*
 * Writes the short name of a binary to buf, such as "libfoo.so.1" or "[vdso]". Characters and
 * length are handled as by rsp_object_name(). Returns buf.
 */
char *rsp_binary_name(const struct rsp_ev_binary *binary, char *buf, size_t len);

/* sock may be NULL. */
static inline bool rsp_socket_is_unix(const struct rsp_ev_socket *sock)
{
	return sock && sock->family == AF_UNIX;
}

/*
 * Both functions write an address to buf, such as "10.0.0.1:80", "[::1]:80" or "unix socket", and
 * return buf. "*" stands for an address of zeroes or for port 0.
 */
char *rsp_socket_local(const struct rsp_ev_socket *sock, char *buf, size_t len);
char *rsp_socket_remote(const struct rsp_ev_socket *sock, char *buf, size_t len);

/*
 * Returns the name of the data that is left out from this step (enum rsp_shed) on, such as "wakers'
 * stacks".
 */
const char *rsp_shed_name(__u32 step);

/* NULL: the kind is unknown. */
const char *rsp_memory_kind_name(__u32 kind);
/* Returns 0 if no kind has this name. */
#define RSP_MEMORY_KIND_NAMES "faults, mmap, brk, malloc"
__u32 rsp_memory_kind_parse(const char *name);

#endif
