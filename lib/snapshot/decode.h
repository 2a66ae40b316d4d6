/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns bytes from a ring, a window or a file into validated records. All code that reads records
 * uses these functions first; then the record's size, counts and strings can be trusted.
 */
#ifndef RSP_LIB_DECODE_H
#define RSP_LIB_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "rsp/event.h"

/*
 * Checks one record of at most len bytes at buf (8-byte aligned). Returns 0, or -EBADMSG if the
 * record is cut short, its size does not fit its kind, its inner counts exceed its size, or a
 * string in it has no end. Accepts an unknown kind with a plausible size, because newer kernel
 * programs may send it; readers skip it.
 */
int rsp_record_check(const void *buf, size_t len);

/*
 * Returns the size of a record of this kind in this version, for a STACK without frames, and for a
 * BINARY without its path. 0: the kind is unknown.
 */
size_t rsp_record_bytes(__u16 kind);

/*
 * Steps through concatenated records. *off is 0 at first; on error it is the offset of the bad
 * record. Returns 1 and the record, 0 at the end, or -EBADMSG as above.
 */
int rsp_record_next(const void *buf, size_t len, size_t *off, const struct rsp_ev_hdr **ret);

/*
 * Steps through concatenated records that have all been checked. If there are no records, the
 * pointer may be NULL, and C forbids adding even 0 to NULL.
 */
#define rsp_record_foreach(hdr, records, len)                                                      \
	for ((hdr) = (const void *)(records);                                                      \
	     (size_t)((const char *)(hdr) - (const char *)(records)) < (len);                      \
	     (hdr) = (const void *)((const char *)(hdr) + (hdr)->size))

/*
 * Writes the printable name of an object to buf: a path with its slashes, "pipe", "[eventpoll]",
 * "virtio2-req.0". Cleaned as described in text.h. Always terminated; returns buf.
 */
char *rsp_object_name(const struct rsp_ev_object *obj, char *buf, size_t len);

/*
 * Writes the short name of a binary to buf: "libfoo.so.1" for /usr/lib/libfoo.so.1, even if the
 * file has been deleted; "[vdso]". Cleaned, cut and terminated like the name of an object; returns
 * buf.
 */
char *rsp_binary_name(const struct rsp_ev_binary *binary, char *buf, size_t len);

/* Returns whether this is the record of a connected unix socket. sock may be NULL. */
static inline bool rsp_socket_is_unix(const struct rsp_ev_socket *sock)
{
	return sock && sock->family == AF_UNIX;
}

/*
 * Write the local and the remote address of a socket to buf: "10.0.0.1:80", "[::1]:80"; "*" for an
 * address of zeroes, ":*" for port 0; "unix socket". Return buf.
 */
char *rsp_socket_local(const struct rsp_ev_socket *sock, char *buf, size_t len);
char *rsp_socket_remote(const struct rsp_ev_socket *sock, char *buf, size_t len);

/*
 * Returns what a step (enum rsp_shed) leaves out in addition to the step before: "wakers' stacks",
 * ...
 */
const char *rsp_shed_name(__u32 step);

/* Returns the name of a kind, such as "faults"; NULL: kind is not an enum rsp_memory_kind. */
const char *rsp_memory_kind_name(__u32 kind);
/* Returns the enum rsp_memory_kind with that name; 0: no kind has it. */
#define RSP_MEMORY_KIND_NAMES "faults, mmap, brk, malloc"
__u32 rsp_memory_kind_parse(const char *name);

#endif
