/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See procmaps.h. */
#include "lib/files/procmaps.h"

/* By default, the kernel allows a process 65530 mappings. */
#define LINES_MAX 100000

/* a path, and the fields before it */
#define LINE_BYTES (4096 + 128)

void rsp_procmaps_open(struct rsp_procmaps *m, __u32 tgid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/maps", tgid);
	*m = (struct rsp_procmaps){.f = fopen(path, "re")};
}

void rsp_procmaps_done(struct rsp_procmaps *m)
{
	if (m->f)
		fclose(m->f);
}

bool rsp_procmaps_next(struct rsp_procmaps *m, struct rsp_procmap *ret)
{
	char line[LINE_BYTES], perms[5];
	unsigned int dev_major, dev_minor;

	while (m->f && m->line_cnt++ < LINES_MAX && fgets(line, sizeof(line), m->f)) {
		ret->name[0] = '\0';
		if (sscanf(line, "%llx-%llx %4s %*x %x:%x %llu %15s", &ret->start, &ret->end, perms,
			   &dev_major, &dev_minor, &ret->ino, ret->name) < 6)
			continue;
		ret->dev = dev_major << 20 | dev_minor;
		ret->executable = perms[2] == 'x';
		return true;
	}
	return false;
}
