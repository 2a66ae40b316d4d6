/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind-tables FILE…: makes the unwind table of each ELF file, and prints one line about the
 * table. People and scripts use this to look for code that cannot be unwound. Skips files that are
 * not ELF.
 *
 *	FILE ROWS BLOCKS CODE_BYTES ms MS [CAUSE=PERCENT]…
 *	FILE error ERROR
 *
 * MS is the time for making the table. PERCENT of the code has no row in the table because of
 * CAUSE.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/unwind/table.h"

static const char *const causes[RSP_GAP_CNT] = {
	[RSP_GAP_CFA_REG] = "register",	 [RSP_GAP_CFA_EXPR] = "expression",
	[RSP_GAP_CFA_OFFSET] = "offset", [RSP_GAP_RA] = "return-address",
	[RSP_GAP_SIGNAL] = "signal",	 [RSP_GAP_BAD] = "bad",
};

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void print_table(const char *path, const struct rsp_unwind_table *table, double ms)
{
	const struct rsp_unwind_head *head = table->blocks;
	__u64 bytes = 0;

	for (size_t i = 0; i < RSP_GAP_CNT; i++)
		bytes += table->code_bytes[i];
	printf("%s %" PRIu32 " %zu %" PRIu64 " ms %.2f", path, head->row_cnt,
	       table->len / RSP_UNWIND_BLOCK_BYTES, (uint64_t)bytes, ms);
	for (size_t i = RSP_GAP_NONE + 1; i < RSP_GAP_CNT; i++)
		if (table->code_bytes[i])
			printf(" %s=%.4f", causes[i],
			       100.0 * (double)table->code_bytes[i] / (double)bytes);
	putchar('\n');
}

static void make_table(const char *path)
{
	_cleanup_(rsp_unwind_table_done) struct rsp_unwind_table table = {0};
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	double start_ms = now_ms();
	int r;

	if (fd < 0) {
		warn("%s", path);
		return;
	}
	r = rsp_unwind_table_build(fd, &table);
	if (r == 0 && rsp_unwind_table_check(table.blocks, table.len) < 0)
		errx(EXIT_FAILURE, "%s: made a table that is none", path);
	if (r == 0)
		print_table(path, &table, now_ms() - start_ms);
	else if (r != -EBADMSG || table.build_id_len)
		printf("%s error %s\n", path, strerror(-r));
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		make_table(argv[i]);
	return EXIT_SUCCESS;
}
