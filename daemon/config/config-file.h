/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration files -> their lines, in the order in which they count. Finds and reads files as
 * systemd does (systemd.syntax(7)); knows no section and no key. Any bytes are safe.
 *
 * Not libinih: it cuts sections at 50 bytes and lines at 200 without a word, and has its own ideas
 * of continued lines and of comments.
 */
#ifndef RSP_DAEMON_CONFIG_FILE_H
#define RSP_DAEMON_CONFIG_FILE_H

#include "config.h"

#define RSP_CONFIG_FILE_BYTES_MAX (1 << 20)

/* A head of a section, or an assignment below one. Text is UTF-8 without control characters. */
struct rsp_config_line {
	const char *file;
	unsigned int number;
	char *section; /* what stands between the brackets */
	char *key;     /* NULL: the head itself */
	char *value;   /* without whitespace around it */
};

struct rsp_config_reader {
	void (*take)(const struct rsp_config_line *line, void *userdata);
	void *take_userdata;
	rsp_config_problem_fn problem;
	void *problem_userdata;
	unsigned int problem_cnt;
};

/* Tells, and counts. Bytes of a stranger are made fit for a terminal. */
void rsp_config_tell(struct rsp_config_reader *reader, const char *file, unsigned int line,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* 0; -ENOENT; -EFBIG; -EINVAL: no regular file; -errno. Told, but for -ENOENT. */
int rsp_config_file_read(const char *path, struct rsp_config_reader *reader);

/*
 * name below the first of dirs that has it, then the *.conf of name.d below all of them, sorted by
 * file name; of two that are called the same the one of the earlier directory. 0, or the first
 * error, told; what can be read is read nevertheless.
 */
int rsp_config_files_read(const char *const *dirs, const char *name,
			  struct rsp_config_reader *reader);

#endif
