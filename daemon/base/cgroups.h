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

/* Returns the directory of the cgroup at path (free), which need not exist. Errors as above. */
int rsp_cgroups_directory(const char *path, char **ret);

/*
 * Calls fn for the cgroup at path, then for all cgroups below, with the id and the path from the
 * root of the hierarchy, until fn returns other than 0. The time depends on the number of cgroups,
 * so the process that drains the rings must not call it. Returns the result of fn; -ENOENT; -errno.
 */
typedef int (*rsp_cgroups_fn)(__u64 id, const char *path, void *userdata);
int rsp_cgroups_walk(const char *path, rsp_cgroups_fn fn, void *userdata);

/*
 * Lists the ids of the cgroup at path, its own first, and of all cgroups below, as
 * rsp_cgroups_walk(). *ret_ids: free(). 0; -ENOENT; -errno.
 */
int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt);

#endif
