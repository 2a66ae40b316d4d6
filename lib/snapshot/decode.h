/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks records from a ring, a window or a file. All code that reads records calls these functions
 * first; afterwards, the code can trust the sizes, counts and strings in the records.
 */
#ifndef RSP_LIB_DECODE_H
#define RSP_LIB_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "rsp/event.h"

/*
 * Checks one record at buf (8-byte aligned), of at most len bytes. Returns 0, or -EBADMSG: the
 * record is cut off, its size does not fit its kind, its counts exceed its size, or a string in it
 * has no end. Accepts an unknown kind if its size is plausible, because newer recorders may write
 * such records; readers skip them.
 */
int rsp_record_check(const void *buf, size_t len);

/*
 * Returns the size of a record of this kind in this version of RSP; 0: the kind is unknown. The
 * size of a STACK does not include frames, and the size of a BINARY does not include its path.
 */
size_t rsp_record_bytes(__u16 kind);

/*
 * Iterates over concatenated records. *off is 0 at first; after an error, it is the offset of the
 * bad record. Returns 1 and the next record; 0 at the end; -EBADMSG: the errors of
 * rsp_record_check().
 */
int rsp_record_next(const void *buf, size_t len, size_t *off, const struct rsp_ev_hdr **ret);

/*
 * Iterates over concatenated records that have all been checked. If there are no records, `records`
 * may be NULL: the code adds no number to it, since C forbids adding even 0 to NULL.
 */
#define rsp_record_foreach(hdr, records, len)                                                      \
	for ((hdr) = (const void *)(records);                                                      \
	     (size_t)((const char *)(hdr) - (const char *)(records)) < (len);                      \
	     (hdr) = (const void *)((const char *)(hdr) + (hdr)->size))

/*
 * Writes the name of an object to buf, for output: a path with slashes, "pipe", "[eventpoll]",
 * "virtio2-req.0". Unprintable characters are replaced (lib/base/text.h). If the name is too long,
 * it is cut; it always ends with a NUL. Returns buf.
 */
char *rsp_object_name(const struct rsp_ev_object *obj, char *buf, size_t len);

/*
 * Writes the short name of a binary to buf: "libfoo.so.1" for /usr/lib/libfoo.so.1, even if the
 * file was deleted; "[vdso]" for the vDSO. Characters and length are handled as by
 * rsp_object_name(). Returns buf.
 */
char *rsp_binary_name(const struct rsp_ev_binary *binary, char *buf, size_t len);

/* Returns whether the record is about a connected unix socket. sock may be NULL. */
static inline bool rsp_socket_is_unix(const struct rsp_ev_socket *sock)
{
	return sock && sock->family == AF_UNIX;
}

/*
 * rsp_socket_local() writes the local address of a socket to buf, and rsp_socket_remote() the
 * remote address: "10.0.0.1:80" or "[::1]:80". "*" stands for an address of zeroes, ":*" for port
 * 0. For a unix socket, the text is "unix socket". Both functions return buf.
 */
char *rsp_socket_local(const struct rsp_ev_socket *sock, char *buf, size_t len);
char *rsp_socket_remote(const struct rsp_ev_socket *sock, char *buf, size_t len);

/*
 * Returns the name of the data that a step (enum rsp_shed) leaves out in addition to the step
 * before, such as "wakers' stacks".
 */
const char *rsp_shed_name(__u32 step);

/* Returns the name of a kind, such as "faults"; NULL: kind is not an enum rsp_memory_kind. */
const char *rsp_memory_kind_name(__u32 kind);
/* Returns the enum rsp_memory_kind with this name; 0: there is no such kind. */
#define RSP_MEMORY_KIND_NAMES "faults, mmap, brk, malloc"
__u32 rsp_memory_kind_parse(const char *name);

#endif
