/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds cgroups of the unified hierarchy (v2) by the names of systemd units or by paths, and
 * returns their ids.
 */
#ifndef RSP_DAEMON_CGROUPS_H
#define RSP_DAEMON_CGROUPS_H

#include <linux/types.h>
#include <stddef.h>

/*
 * Returns the default path of a systemd unit's cgroup. A unit with Slice= has another path, but
 * this function does not search for it: users choose the names of cgroups below their own, so a
 * directory with the unit's name proves nothing. Returns 0; -EINVAL: not the name of a unit;
 * -ENAMETOOLONG.
 */
int rsp_cgroups_place_unit(const char *unit, char *ret_path, size_t len);

/*
 * Opens the cgroup at path, which begins with '/'. Returns a descriptor of its directory;
 * *ret_level is its depth (root: 0). Errors: -EINVAL: not a path of a cgroup; -ENOENT: no such
 * cgroup; -errno.
 */
int rsp_cgroups_open(const char *path, __u64 *ret_id, unsigned int *ret_level);

/*
 * Returns in *ret the directory of the cgroup at path, which need not exist. The caller frees *ret.
 * Returns 0, or an error of rsp_cgroups_open().
 */
int rsp_cgroups_directory(const char *path, char **ret);

/*
 * Calls fn for the cgroup at path, then for the cgroups below it (65,536 cgroups at most), until fn
 * returns a value other than 0. fn gets the path from the root of the hierarchy. The time depends
 * on the number of cgroups, so the process that drains the rings must not call this function.
 * Returns the result of fn; -ENOENT: no such cgroup; -errno.
 */
typedef int (*rsp_cgroups_fn)(__u64 id, const char *path, void *userdata);
int rsp_cgroups_walk(const char *path, rsp_cgroups_fn fn, void *userdata);

/*
 * Lists the ids of the cgroup at path and of all cgroups below it; the first id is that of path.
 * Takes as long as rsp_cgroups_walk(). The caller frees *ret_ids. Returns 0; -ENOENT: no such
 * cgroup; -errno.
 */
int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt);

#endif
