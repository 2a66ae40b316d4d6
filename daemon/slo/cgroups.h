/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds cgroups of the unified hierarchy (v2) by names that people use for services. The kernel
 * identifies cgroups by their ids. Reads only directories.
 */
#ifndef RSP_DAEMON_CGROUPS_H
#define RSP_DAEMON_CGROUPS_H

#include <linux/types.h>
#include <stddef.h>

/*
 * Returns the default path of a systemd unit's cgroup, which the unit can change (Slice=): a slice
 * is below its parents, any other unit in system.slice, where only root creates cgroups. A
 * directory elsewhere with the unit's name proves nothing, since users name the cgroups below their
 * own. 0; -EINVAL: not the name of a unit; -ENAMETOOLONG. Does not access the file system.
 */
int rsp_cgroups_place_unit(const char *unit, char *ret_path, size_t len);

/*
 * Opens the cgroup at path, which begins with '/', and returns its id and its depth (root: 0).
 * Takes microseconds. Returns a descriptor of its directory; -EINVAL: not a path of a cgroup;
 * -ENOENT, -errno.
 */
int rsp_cgroups_open(const char *path, __u64 *ret_id, unsigned int *ret_level);

/*
 * Lists the ids of the cgroup at path, its own first, and of all cgroups below. The time depends on
 * the number of cgroups, so the process that drains the rings must not call it. *ret_ids: free().
 * 0; -ENOENT; -errno.
 */
int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt);

#endif
