/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses sizes by the number of CPUs if the configuration says "auto". */
#ifndef RSP_DAEMON_SIZES_H
#define RSP_DAEMON_SIZES_H

#include <stdint.h>

/* At the same load per CPU, the windows of all machines with 16 CPUs or more span the same time. */
static inline uint64_t rsp_window_bytes_for(unsigned int cpu_cnt)
{
	return (cpu_cnt > 16 ? (uint64_t)cpu_cnt * 4 : 64) << 20;
}

/*
 * All rings of a machine with up to 256 CPUs take at most 256 MiB. The minimum of 1 MiB holds the
 * records of a tenth of a second, at 150,000 events/s on that CPU.
 */
static inline uint64_t rsp_ring_bytes_for(unsigned int cpu_cnt)
{
	return (cpu_cnt > 128 ? 1ULL : cpu_cnt > 64 ? 2ULL : 4ULL) << 20;
}

#endif
