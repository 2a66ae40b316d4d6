/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the rsp-worker in this program's directory analyse a snapshot, or search for a function, as
 * rspd does:
 *
 *	analysis-harness analyse [-c COMMAND] [-u UID] [-n] [-p SECONDS] SNAPSHOT RESULT
 *	analysis-harness find FILE FUNCTION
 *
 * Options of analyse: -c: replace the snapshot's command by COMMAND; -u: redact the result for the
 * user UID; -n: choose the process of interest; -p: timeout. analyse prints the headline; find
 * prints the offset of FUNCTION in FILE. On an error, both print the name of the error and exit
 * with status 1.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/analysis.h"
#include "daemon/worker/inquiry.h"
#include "lib/snapshot/snapshot.h"
#include "tests/tools/open-trace.h"

struct rsp_binaries {
	struct rsp_trace *trace;
};

const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number)
{
	return rsp_trace_binary(b->trace, number);
}

int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number)
{
	return -1;
}

bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number)
{
	return false;
}

const void *rsp_binaries_symbols(const struct rsp_binaries *b, __u32 number,
				 struct rsp_symbols_origin *ret)
{
	return NULL;
}

bool rsp_binaries_is_unchanged(const struct rsp_binaries *b, __u32 number, const struct stat *st)
{
	return true;
}

static int report(int r)
{
	if (r < 0)
		puts(strerrorname_np(-r));
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/*
 * Copies the snapshot to a memfd, without its symbols. If command is not NULL, it replaces the
 * command of the snapshot.
 */
static int write_again(const struct rsp_snapshot *snap, const char *command)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC), r = fd < 0 ? -errno : 0;
	struct rsp_snapshot_writer *w = NULL;
	struct rsp_meta meta = snap->meta;

	if (command)
		snprintf(meta.command, sizeof(meta.command), "%s", command);
	if (r == 0)
		r = rsp_snapshot_writer_new(fd, &w);
	if (r == 0)
		r = rsp_snapshot_write_meta(w, &meta);
	for (size_t i = 0; r == 0 && i < snap->section_cnt; i++)
		if (snap->sections[i].type != RSP_SEC_SYMBOLS)
			r = rsp_snapshot_write_section(w, snap->sections[i].type,
						       snap->sections[i].data,
						       snap->sections[i].len);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	if (r < 0)
		errx(2, "retell: %s", strerror(-r));
	rsp_snapshot_writer_free(w);
	return fd;
}

static void save(const struct rsp_analysis *analysis, const char *path)
{
	void *bytes = mmap(NULL, analysis->size, PROT_READ, MAP_PRIVATE, analysis->fd, 0);
	int r;

	if (bytes == MAP_FAILED)
		err(2, "result");
	r = rsp_snapshot_save(path, bytes, analysis->size);
	if (r < 0)
		errx(2, "%s: %s", path, strerror(-r));
	munmap(bytes, analysis->size);
}

static int do_analyse(int argc, char **argv)
{
	struct rsp_analysis_request request = {
		.headline = true, .patience_s = 60, .broker_places = -1};
	struct rsp_analysis analysis;
	struct rsp_binaries binaries;
	const char *command = NULL;
	int c, r;

	while ((c = getopt(argc, argv, "c:u:np:")) >= 0) {
		if (c == 'c') {
			command = optarg;
		} else if (c == 'u') {
			request.redact = true;
			request.uid = (uid_t)atoi(optarg);
		} else if (c == 'n') {
			request.choose = true;
		} else if (c == 'p') {
			request.patience_s = (unsigned int)atoi(optarg);
		} else {
			return 2;
		}
	}
	if (argc != optind + 2)
		return 2;
	binaries.trace = open_trace(argv[optind]);
	request.binaries = &binaries;
	request.snapshot = request.naming = write_again(binaries.trace->snap, command);
	r = rsp_analyse(&request, &analysis);
	if (r == 0) {
		puts(analysis.headline);
		save(&analysis, argv[optind + 1]);
		close(analysis.fd);
	}
	close(request.snapshot);
	close_trace(binaries.trace);
	return report(r);
}

static int do_find(int argc, char **argv)
{
	__u64 offset;
	int fd, r;

	if (argc != 3)
		return 2;
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(2, "%s", argv[1]);
	r = rsp_inquiry_find_function(fd, argv[2], &offset);
	if (r == 0)
		printf("0x%llx\n", offset);
	close(fd);
	return report(r);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *verb;
		int (*run)(int argc, char **argv);
	} verbs[] = {{"analyse", do_analyse}, {"find", do_find}};

	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(argv[1], verbs[i].verb) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	errx(2, "see the beginning of analysis-harness.c");
}
