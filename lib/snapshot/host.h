/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hosts of a merged snapshot, which are numbered from 0. The IDs of threads and devices contain
 * the host, so no two hosts share an ID. A snapshot of one host has only IDs of host 0, so all
 * functions here also work on it.
 *
 * The upper bits of a thread's ID contain the host. No kernel assigns IDs from 2^22 on
 * (PID_MAX_LIMIT).
 */
#ifndef RSP_LIB_HOST_H
#define RSP_LIB_HOST_H

#include "rsp/event.h"

#define RSP_HOST_CNT_MAX 8 /* the bits above the device numbers have room for no more hosts */

#define RSP_HOST_TID_SHIFT 23
#define RSP_HOST_TID_MASK  ((1U << RSP_HOST_TID_SHIFT) - 1)

static inline __u32 rsp_host_of_tid(__u32 tid)
{
	return tid >> RSP_HOST_TID_SHIFT;
}

static inline __u32 rsp_host_tid(__u32 tid)
{
	return tid & RSP_HOST_TID_MASK;
}

/* The idle task has ID 0 on each host. */
static inline __u32 rsp_host_merged_tid(__u32 host, __u32 tid)
{
	return tid ? host << RSP_HOST_TID_SHIFT | (tid & RSP_HOST_TID_MASK) : 0;
}

/*
 * Device numbers have 12 bits for the major number, and Linux uses at most 9 of these bits
 * (BLKDEV_MAJOR_MAX, CHRDEV_MAJOR_MAX). The upper bits contain the host.
 */
#define RSP_HOST_DEV_SHIFT 29
#define RSP_HOST_DEV_MASK  ((1U << RSP_HOST_DEV_SHIFT) - 1)

static inline __u32 rsp_host_dev(__u32 dev)
{
	return dev & RSP_HOST_DEV_MASK;
}

static inline __u32 rsp_host_merged_dev(__u32 host, __u32 dev)
{
	return host << RSP_HOST_DEV_SHIFT | (dev & RSP_HOST_DEV_MASK);
}

/* The flags of a SOCKET record contain its host and the host of the other end. */
#define RSP_HOST_SOCKET_SHIFT 8
#define RSP_HOST_PEER_SHIFT   12
#define RSP_HOST_FLAG_MASK    0xf

static inline __u32 rsp_host_of_socket(const struct rsp_ev_socket *sock)
{
	return sock->hdr.flags >> RSP_HOST_SOCKET_SHIFT & RSP_HOST_FLAG_MASK;
}

/* Returns the host of the socket itself if the other end is on none of the hosts. */
static inline __u32 rsp_host_of_peer(const struct rsp_ev_socket *sock)
{
	return sock->hdr.flags >> RSP_HOST_PEER_SHIFT & RSP_HOST_FLAG_MASK;
}

static inline __u16 rsp_host_socket_flags(__u32 host, __u32 peer)
{
	return (__u16)(host << RSP_HOST_SOCKET_SHIFT | peer << RSP_HOST_PEER_SHIFT);
}

#endif
