/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the snapshots in the recorder's store. Reads only the section META of a file, whose size is
 * limited.
 */
#ifndef RSP_EXPORT_STORED_SNAPSHOTS_H
#define RSP_EXPORT_STORED_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/stored-name.h"

struct rsp_stored_list {
	struct rsp_stored_file {
		struct rsp_stored_name name;
		char file[128]; /* file name in the directory of the store */
	} * v;
	size_t cnt, cap;
};

#define RSP_STORED_FILES_MAX 16384

/* If the directory does not exist, the list is empty. Returns 0 or -errno. */
int rsp_stored_files(const char *dir, struct rsp_stored_list *ret);
void rsp_stored_files_done(struct rsp_stored_list *list);

struct rsp_stored_info {
	struct rsp_meta meta;
	char unit[256], cgroup[256], container[65], comm[32];
	char *headline; /* "": a user took the snapshot */
	uint64_t bytes;
	uint64_t since_realtime_ns, until_realtime_ns;
};

/* Returns 0; -ENOENT: the file no longer exists; -EBADMSG: it is damaged; another -errno. */
int rsp_stored_describe(const char *dir, const char *file, struct rsp_stored_info *ret);
void rsp_stored_info_done(struct rsp_stored_info *info);

#endif
