/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes two files from an ELF file: the table with which BPF programs unwind its code
 * (rsp/unwind.h), and a copy of its symbols, for the time when the ELF file no longer exists.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot-format.h"
#include "lib/symbols/symcopy.h"
#include "lib/unwind/table.h"
#include "worker/commands.h"
#include "worker/inlet.h"

/* Closes fd. A failure is not an error, since the table is useful without symbols. */
static void copy_symbols(int fd, int out)
{
	_cleanup_free_ void *copy = NULL;
	size_t len;

	if (rsp_symcopy_make(fd, &copy, &len) == 0)
		(void)rsp_write_all(out, copy, len);
}

int rsp_command_unwind(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		       struct rsp_worker_message *reply)
{
	_cleanup_(rsp_unwind_table_done) struct rsp_unwind_table table = {0};
	int fd = rsp_inlet_take(request->number), r;

	if (fd < 0)
		return -EPROTO;
	r = rsp_unwind_table_build(fd, &table);
	/*
	 * The file is closed before the reply: close() may block forever, and rspd must then see
	 * that no reply comes.
	 */
	if (fds[RSP_WORKER_SYMBOLS] >= 0)
		copy_symbols(fd, fds[RSP_WORKER_SYMBOLS]);
	else
		close(fd);
	if (r == 0)
		r = rsp_write_all(fds[RSP_WORKER_TABLE], table.blocks, table.len);
	reply->build_id_len = table.build_id_len;
	memcpy(reply->build_id, table.build_id, sizeof(reply->build_id));
	return r;
}
