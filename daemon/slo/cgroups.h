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
 * Where a systemd unit's cgroup lies unless the unit says otherwise (Slice=): a slice below its
 * parents, anything else in system.slice, where nobody but root makes cgroups. Another directory of
 * the unit's name proves nothing: users name the cgroups below their own. 0; -EINVAL: no name of a
 * unit; -ENAMETOOLONG. Looks at nothing.
 */
int rsp_cgroups_place_unit(const char *unit, char *ret_path, size_t len);

/*
 * The directory of the cgroup at path, which begins with '/'; its id; its depth, the root being 0.
 * Takes microseconds. A descriptor; -EINVAL: no path of a cgroup; -ENOENT, -errno.
 */
int rsp_cgroups_open(const char *path, __u64 *ret_id, unsigned int *ret_level);

/*
 * The ids of the cgroup at path and of all below it, its own first. Takes as long as there are
 * cgroups: not for the process that drains the rings. *ret_ids: free(). 0; -ENOENT; -errno.
 */
int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt);

#endif
