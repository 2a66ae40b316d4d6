/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See inlet.h. Files arrive nearly in the order in which they were requested. */
#include "worker/inlet.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "daemon/worker/worker-protocol.h"

/* This number of files may be opened at the same time, and arrive in any order. */
#define KEPT_MAX 8

struct file {
	__u32 number;
	int fd;
};

static struct file kept[KEPT_MAX]; /* oldest first */
static size_t kept_cnt;

static void forget(size_t i)
{
	memmove(&kept[i], &kept[i + 1], (--kept_cnt - i) * sizeof(kept[0]));
}

/* If there is no room, drops the oldest file, whose request was given up. */
static void keep(struct file file)
{
	if (kept_cnt == KEPT_MAX) {
		close(kept[0].fd);
		forget(0);
	}
	kept[kept_cnt++] = file;
}

static int receive(struct file *ret)
{
	int fds[RSP_MESSAGE_FD_MAX] = {-1};
	int r = rsp_message_receive(RSP_WORKER_INLET, &ret->number, sizeof(ret->number), fds);
	ret->fd = fds[0];
	return r;
}

int rsp_inlet_take(__u32 number)
{
	struct file file = {.fd = -1};

	for (size_t i = 0; i < kept_cnt; i++) {
		if (kept[i].number != number)
			continue;
		file = kept[i];
		forget(i);
		return file.fd;
	}
	while (receive(&file) == 0) {
		if (file.fd < 0)
			continue;
		if (file.number == number)
			return file.fd;
		keep(file);
	}
	return -ENOENT;
}
