/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory the recorder takes where the configuration leaves it to the machine. */
#ifndef RSP_DAEMON_SIZES_H
#define RSP_DAEMON_SIZES_H

#include <stdint.h>

/*
 * Of the window: 64 MiB, and 4 MiB for each CPU above 16. So it lasts as long on a large machine as
 * on one of 16 CPUs, at the same load for each CPU.
 */
static inline uint64_t rsp_window_bytes_for(unsigned int cpu_cnt)
{
	return (cpu_cnt > 16 ? (uint64_t)cpu_cnt * 4 : 64) << 20;
}

/*
 * Of the ring of one CPU: 4 MiB, less if there are more than 64 CPUs, so that rings take 256 MiB
 * together, but at least 1 MiB: it then holds what a CPU records in a tenth of a second at 150,000
 * events/s.
 */
static inline uint64_t rsp_ring_bytes_for(unsigned int cpu_cnt)
{
	return (cpu_cnt > 128 ? 1ULL : cpu_cnt > 64 ? 2ULL : 4ULL) << 20;
}

#endif
