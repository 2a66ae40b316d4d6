/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the systemd unit of a cgroup's processes from the path of the cgroup. Only the outermost
 * unit below the slices counts, because systemd itself makes its cgroup. Any user to whom a cgroup
 * is delegated can make further cgroups in it, with the names of other units.
 */
#ifndef RSP_LIB_UNIT_H
#define RSP_LIB_UNIT_H

#include <stddef.h>

struct rsp_unit {
	size_t name_off, name_len; /* name of the unit in the path; length 0: no unit */
	/*
	 * The first group_len bytes of the path are the same for all processes of the unit. In a
	 * container (container.h), they end with the cgroup of the container. If the path has
	 * neither unit nor container, they are the whole path.
	 */
	size_t group_len;
};

/*
 * Finds the unit of a path such as "/system.slice/nginx.service/worker". The path begins with '/'.
 */
void rsp_unit_of_path(const char *path, struct rsp_unit *ret);

#endif
