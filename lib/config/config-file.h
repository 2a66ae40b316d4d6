/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads configuration files like systemd (systemd.syntax(7)), and calls a function for each line.
 * Does not know the names of sections and keys. libinih is not used, because it cuts sections at 50
 * bytes and lines at 200 bytes without an error, and has other rules for continuation lines and
 * comments.
 */
#ifndef RSP_LIB_CONFIG_FILE_H
#define RSP_LIB_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reports a problem in the configuration. file: the file or directory, or NULL if the problem is in
 * neither. line: the line, or 0. text: one sentence without a full stop that describes the error
 * and what to do.
 */
typedef void (*rsp_config_problem_fn)(const char *file, unsigned int line, const char *text,
				      void *userdata);

#define RSP_CONFIG_FILE_BYTES_MAX (1 << 20)

/* A section head, or an assignment in a section. All text is UTF-8 without control characters. */
struct rsp_config_line {
	const char *file;
	unsigned int number;
	char *section; /* the text between the brackets */
	char *key;     /* NULL: the line is a section head */
	char *value;   /* without surrounding whitespace */
};

struct rsp_config_reader {
	void (*take)(const struct rsp_config_line *line, void *userdata);
	void *take_userdata;
	rsp_config_problem_fn problem;
	void *problem_userdata;
	unsigned int problem_cnt;
};

/* Reports a problem and counts it. The text may be untrusted. */
void rsp_config_report(struct rsp_config_reader *reader, const char *file, unsigned int line,
		       const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Returns 0; -ENOENT; -EFBIG; -EINVAL: not a regular file; -errno. Reports all errors except
 * -ENOENT.
 */
int rsp_config_file_read(const char *path, struct rsp_config_reader *reader);

/*
 * Reads the file called name in the first of dirs that contains it. Then reads the files that end
 * with ".conf" in the folders name.d of all dirs, sorted by file name. If two of these have the
 * same name, reads only the one in the earlier directory. Reads all files despite errors. Returns 0
 * or the first error.
 */
int rsp_config_files_read(const char *const *dirs, const char *name,
			  struct rsp_config_reader *reader);

#endif
