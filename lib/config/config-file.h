/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads configuration files and passes on their lines in order of precedence. Finds and reads files
 * as systemd does (systemd.syntax(7)). Does not know the names of sections and keys. Accepts any
 * bytes.
 *
 * Does not use libinih, because it silently cuts sections at 50 bytes and lines at 200, and has
 * other rules for continued lines and comments.
 */
#ifndef RSP_LIB_CONFIG_FILE_H
#define RSP_LIB_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reports a problem. The setting keeps its previous value. file and line: the place; NULL and 0:
 * the problem has no place in a file. text: one sentence without a full stop, with the error and
 * the remedy.
 */
typedef void (*rsp_config_problem_fn)(const char *file, unsigned int line, const char *text,
				      void *userdata);

#define RSP_CONFIG_FILE_BYTES_MAX (1 << 20)

/* A section head, or an assignment in a section. Text is UTF-8 without control characters. */
struct rsp_config_line {
	const char *file;
	unsigned int number;
	char *section; /* the text between the brackets */
	char *key;     /* NULL: the head itself */
	char *value;   /* without surrounding whitespace */
};

struct rsp_config_reader {
	void (*take)(const struct rsp_config_line *line, void *userdata);
	void *take_userdata;
	rsp_config_problem_fn problem;
	void *problem_userdata;
	unsigned int problem_cnt;
};

/* Reports a problem and counts it. Makes untrusted text safe for a terminal. */
void rsp_config_report(struct rsp_config_reader *reader, const char *file, unsigned int line,
		       const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Reads one file. 0; -ENOENT; -EFBIG; -EINVAL: not a regular file; -errno. Reports all errors
 * except -ENOENT.
 */
int rsp_config_file_read(const char *path, struct rsp_config_reader *reader);

/*
 * Reads name in the first of dirs that has it, then the *.conf files of name.d in all of dirs,
 * sorted by file name. If two files have the same name, reads only the one in the earlier
 * directory. After an error, still reads all other files. Returns 0 or the first error. Errors are
 * reported.
 */
int rsp_config_files_read(const char *const *dirs, const char *name,
			  struct rsp_config_reader *reader);

#endif
