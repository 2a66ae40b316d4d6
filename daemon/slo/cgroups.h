/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people call a service -> cgroups of the unified hierarchy (v2), by whose ids the kernel
 * tells tasks apart. Reads directories only.
 */
#ifndef RSP_DAEMON_CGROUPS_H
#define RSP_DAEMON_CGROUPS_H

#include <linux/types.h>
#include <stddef.h>

/*
 * The cgroup of a systemd unit, "nginx.service" -> "/system.slice/nginx.service", wherever it lies;
 * the first in order of depth. *ret_path: free(). 0; -ENOENT: it does not run, or there is no v2
 * hierarchy; -EINVAL: no name of a unit; -errno.
 */
int rsp_cgroups_find_unit(const char *unit, char **ret_path);

/*
 * The ids of the cgroup at path, which begins with '/', and of all below it, its own first.
 * *ret_level: its depth, the root being 0. *ret_ids: free(). 0; -ENOENT; -errno.
 */
int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt, unsigned int *ret_level);

/* Its directory, for what it says of itself; its id and depth as above. A descriptor or -errno. */
int rsp_cgroups_open(const char *path, __u64 *ret_id, unsigned int *ret_level);

#endif
