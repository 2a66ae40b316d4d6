/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the store's directory for ListSnapshots. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "daemon/bus/bus-objects.h"
#include "lib/snapshot/stored-name.h"

/* Maximum number of directory entries to read. */
#define SNAPSHOT_MAX 10000

static int append_file(sd_bus_message *reply, int dir, const char *file)
{
	struct rsp_stored_name name;
	struct stat st;

	if (rsp_stored_name_parse(file, &name) < 0 ||
	    fstatat(dir, file, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return 0;
	return sd_bus_message_append(reply, "(stts)", name.id,
				     (uint64_t)st.st_mtim.tv_sec * 1000000 +
					     (uint64_t)st.st_mtim.tv_nsec / 1000,
				     (uint64_t)st.st_size, name.slo);
}

int rsp_bus_append_snapshots(sd_bus_message *reply, const char *store_dir)
{
	struct dirent *entry;
	unsigned int cnt = 0;
	DIR *dir = opendir(store_dir);
	int r;

	if (!dir && errno != ENOENT)
		return -errno;
	r = sd_bus_message_open_container(reply, 'a', "(stts)");
	while (dir && r >= 0 && cnt++ < SNAPSHOT_MAX && (entry = readdir(dir)))
		r = append_file(reply, dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	return r < 0 ? r : sd_bus_message_close_container(reply);
}
