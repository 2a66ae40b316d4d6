/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file -> the table with which BPF programs unwind its code (rsp/unwind.h). */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "inlet.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot-format.h"
#include "lib/unwind/table.h"

int rsp_command_unwind(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		       struct rsp_worker_message *reply)
{
	_cleanup_(rsp_unwind_table_done) struct rsp_unwind_table table = {0};
	int fd = rsp_inlet_take(request->number), r;

	if (fd < 0)
		return -EPROTO;
	r = rsp_unwind_table_build(fd, &table);
	/* Close the file before the reply: close() may hang, and rspd must notice that. */
	close(fd);
	if (r == 0)
		r = rsp_write_all(fds[RSP_WORKER_TABLE], table.blocks, table.len);
	reply->build_id_len = table.build_id_len;
	memcpy(reply->build_id, table.build_id, sizeof(reply->build_id));
	return r;
}
