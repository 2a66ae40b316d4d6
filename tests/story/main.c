/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story IN.story OUT.rsp: converts a story (story.h) to a snapshot. The same story always gives the
 * same bytes. If the story has an error, prints the file and the line, and does not write OUT.rsp.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot.h"
#include "tests/story/story.h"

static void free_story(struct story **s)
{
	story_free(*s);
}

static void free_writer(struct rsp_snapshot_writer **w)
{
	rsp_snapshot_writer_free(*w);
}

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static char *read_file(const char *path)
{
	_cleanup_(close_file) FILE *file = fopen(path, "re");
	_cleanup_free_ char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	/* A story contains no NUL, so getdelim() reads the whole file. */
	if (getdelim(&text, &size, '\0', file) < 0)
		return ferror(file) ? NULL : strdup("");
	return rsp_take_ptr(text);
}

static void sign(struct rsp_meta *meta, __u32 sample_hz)
{
	if (!meta->id[0])
		snprintf(meta->id, sizeof(meta->id), "%032d", 0);
	if (!meta->host[0])
		snprintf(meta->host, sizeof(meta->host), "storyland");
	snprintf(meta->kernel, sizeof(meta->kernel), "6.12.0");
	snprintf(meta->arch, sizeof(meta->arch), "x86_64");
	snprintf(meta->version, sizeof(meta->version), "%s", RSP_VERSION);
	meta->cpu_cnt = 4;
	meta->sample_hz = sample_hz;
	meta->exit_status = -1;
}

static int write_snapshot(int fd, const struct rsp_snapshot *snap)
{
	_cleanup_(free_writer) struct rsp_snapshot_writer *w = NULL;
	int r = rsp_snapshot_writer_new(fd, &w);

	if (r == 0)
		r = rsp_snapshot_write_meta(w, &snap->meta);
	for (size_t i = 0; i < snap->section_cnt && r == 0; i++)
		r = rsp_snapshot_write_section(w, snap->sections[i].type, snap->sections[i].data,
					       snap->sections[i].len);
	return r == 0 ? rsp_snapshot_writer_finish(w) : r;
}

static int fail(const char *what, int error)
{
	fprintf(stderr, "story: %s: %s\n", what, strerror(error));
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	_cleanup_(free_story) struct story *s = story_begin();
	_cleanup_free_ char *text = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	if (argc != 3) {
		fputs("usage: story IN.story OUT.rsp\n", stderr);
		return 2;
	}
	text = read_file(argv[1]);
	if (!text)
		return fail(argv[1], errno);
	if (story_read(s, text) < 0) {
		fprintf(stderr, "%s:%d: %s\n", argv[1], s->error_line, s->error);
		return EXIT_FAILURE;
	}
	story_finish(s);
	sign(&s->snap.meta, s->sample_hz);
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail(argv[2], errno);
	r = write_snapshot(fd, &s->snap);
	return r < 0 ? fail(argv[2], -r) : EXIT_SUCCESS;
}
