/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See local.h. */
#include "lib/files/local.h"

#include <linux/magic.h>
#include <stddef.h>

/* Constants that linux/magic.h lacks. */
#define BCACHEFS_MAGIC 0xca451a4e
#define EROFS_MAGIC    0xe0f5e1e2
#define XFS_MAGIC      0x58465342
#define ZFS_MAGIC      0x2fc12fc1

bool rsp_file_system_is_local(__u64 magic)
{
	static const __u64 magics[] = {
		EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, XFS_MAGIC,	  F2FS_SUPER_MAGIC,
		BCACHEFS_MAGIC,	  ZFS_MAGIC,	     TMPFS_MAGIC, RAMFS_MAGIC,
		HUGETLBFS_MAGIC,  SQUASHFS_MAGIC,    EROFS_MAGIC, ISOFS_SUPER_MAGIC,
	};

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magic == magics[i])
			return true;
	return false;
}
