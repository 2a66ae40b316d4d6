/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See config-file.h. */
#include "lib/config/config-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

#define WHITESPACE " \t\r"
#define BOM	   "\xef\xbb\xbf"

void rsp_config_report(struct rsp_config_reader *reader, const char *file, unsigned int line,
		       const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	rsp_text_clean(text);
	reader->problem_cnt++;
	reader->problem(file, line, text, reader->problem_userdata);
}

/* --- lines ----------------------------------------------------------------------------------- */

static char *strip(char *s)
{
	char *end = s + strlen(s);

	while (end > s && strchr(WHITESPACE, end[-1]))
		end--;
	*end = '\0';
	return s + strspn(s, WHITESPACE);
}

/*
 * Returns whether the len bytes are valid UTF-8. Control characters are invalid, but tabs and
 * carriage returns become spaces.
 */
static bool make_text(char *s, size_t len)
{
	_cleanup_free_ char *clean = NULL;

	if (strlen(s) != len)
		return false;
	for (char *p = s; *p; p++)
		if (*p == '\t' || *p == '\r')
			*p = ' ';
	clean = strdup(s);
	if (!clean)
		return false;
	rsp_text_clean(clean);
	return strcmp(clean, s) == 0;
}

struct cursor {
	char *next, *end; /* *end is writable */
	unsigned int number;
};

static bool ends_escaped(const char *s, size_t len)
{
	size_t cnt = 0;

	while (cnt < len && s[len - 1 - cnt] == '\\')
		cnt++;
	return cnt % 2 == 1;
}

static bool is_comment(const char *s)
{
	s += strspn(s, WHITESPACE);
	return *s == '#' || *s == ';';
}

/*
 * Writes the line, joined with its continuation lines, over the original lines. Skips comments,
 * even between a line and its continuation.
 */
static char *next_line(struct cursor *c, size_t *ret_len, unsigned int *ret_number)
{
	char *line = c->next, *out = line;
	bool found = false, continued = false;

	while (c->next < c->end && (!found || continued)) {
		char *s = c->next, *end = memchr(s, '\n', (size_t)(c->end - s));
		size_t len;

		if (!end)
			end = c->end;
		c->next = end < c->end ? end + 1 : end;
		c->number++;
		*end = '\0';
		if (is_comment(s))
			continue;
		if (!found)
			*ret_number = c->number;
		found = true;
		len = (size_t)(end - s);
		if (len > 0 && s[len - 1] == '\r')
			len--;
		memmove(out, s, len);
		out += len;
		continued = ends_escaped(line, (size_t)(out - line));
		if (continued)
			out[-1] = ' ';
	}
	if (!found)
		return NULL;
	*out = '\0';
	*ret_len = (size_t)(out - line);
	return line;
}

/*
 * SECTION_BROKEN: the section head was invalid. The assignments in this section are skipped without
 * reports.
 */
enum section_state { SECTION_NONE, SECTION_KNOWN, SECTION_BROKEN };

struct section {
	enum section_state state;
	char *name;
};

static void take_head(struct rsp_config_reader *reader, struct rsp_config_line *line, char *s,
		      struct section *section)
{
	size_t len = strlen(s);

	section->state = SECTION_BROKEN;
	if (len < 3 || s[len - 1] != ']') {
		rsp_config_report(reader, line->file, line->number,
				  "'%s' is not a section header: write [NAME]", s);
		return;
	}
	s[len - 1] = '\0';
	section->state = SECTION_KNOWN;
	section->name = strip(s + 1);
	line->section = section->name;
	reader->take(line, reader->take_userdata);
}

static void take_assignment(struct rsp_config_reader *reader, struct rsp_config_line *line, char *s,
			    const struct section *section)
{
	char *equals = strchr(s, '=');

	if (!equals || equals == s) {
		rsp_config_report(reader, line->file, line->number,
				  "'%s' is ignored: write KEY=VALUE", s);
		return;
	}
	if (section->state == SECTION_NONE)
		rsp_config_report(reader, line->file, line->number,
				  "'%s' is ignored: no section, as [NAME], precedes it", s);
	if (section->state != SECTION_KNOWN)
		return;
	*equals = '\0';
	line->section = section->name;
	line->key = strip(s);
	line->value = strip(equals + 1);
	reader->take(line, reader->take_userdata);
}

/* bytes[len] must be writable. */
static void parse(struct rsp_config_reader *reader, const char *file, char *bytes, size_t len)
{
	struct cursor c = {.next = bytes, .end = bytes + len};
	struct section section = {.state = SECTION_NONE};
	unsigned int number = 0;
	char *s;

	if (len >= strlen(BOM) && memcmp(bytes, BOM, strlen(BOM)) == 0)
		c.next += strlen(BOM);
	while ((s = next_line(&c, &len, &number))) {
		struct rsp_config_line line = {.file = file, .number = number};

		if (!make_text(s, len)) {
			rsp_config_report(reader, file, number,
					  "this line is ignored: it is not valid UTF-8");
			if (s[strspn(s, WHITESPACE)] == '[')
				section.state = SECTION_BROKEN;
			continue;
		}
		s = strip(s);
		if (*s == '[')
			take_head(reader, &line, s, &section);
		else if (*s)
			take_assignment(reader, &line, s, &section);
	}
}

/* --- files ----------------------------------------------------------------------------------- */

/* Administrators disable a configuration file of a package by a link to /dev/null. */
static bool is_dev_null(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/*
 * The byte after the content is allocated, too. O_NONBLOCK prevents that a FIFO blocks the
 * recorder.
 */
static int slurp(const char *path, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	_cleanup_free_ char *bytes = NULL;
	size_t len = 0;
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) && !is_dev_null(&st))
		return -EINVAL;
	bytes = malloc(RSP_CONFIG_FILE_BYTES_MAX + 1);
	if (!bytes)
		return -ENOMEM;
	do {
		n = read(fd, bytes + len, RSP_CONFIG_FILE_BYTES_MAX + 1 - len);
		if (n < 0)
			return -errno;
		len += (size_t)n;
	} while (n > 0);
	if (len > RSP_CONFIG_FILE_BYTES_MAX)
		return -EFBIG;
	*ret = rsp_take_ptr(bytes);
	*ret_len = len;
	return 0;
}

static const char *reason(int error)
{
	switch (error) {
	case -EFBIG:
		return "it is longer than 1 MiB";
	case -EINVAL:
		return "it is not a regular file";
	default:
		return strerror(-error);
	}
}

int rsp_config_file_read(const char *path, struct rsp_config_reader *reader)
{
	_cleanup_free_ char *bytes = NULL;
	size_t len = 0;
	int r;

	r = slurp(path, &bytes, &len);
	if (r == 0)
		parse(reader, path, bytes, len);
	else if (r != -ENOENT)
		rsp_config_report(reader, path, 0, "cannot be read: %s", reason(r));
	return r;
}

/* --- finding files ---------------------------------------------------------------------------- */

struct dropins {
	struct dropin {
		char *path;
		const char *name; /* within path */
	} * v;
	size_t cnt, cap;
};

static void dropins_done(struct dropins *d)
{
	for (size_t i = 0; i < d->cnt; i++)
		free(d->v[i].path);
	free(d->v);
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static bool is_config_name(const char *name)
{
	size_t len = strlen(name);

	return name[0] != '.' && len > 5 && strcmp(name + len - 5, ".conf") == 0;
}

static bool has_name(const struct dropins *d, size_t cnt, const char *name)
{
	for (size_t i = 0; i < cnt; i++)
		if (strcmp(d->v[i].name, name) == 0)
			return true;
	return false;
}

/* Skips the drop-ins with the name of a drop-in in an earlier directory. */
static int find_dropins(const char *dir, struct dropins *d)
{
	_cleanup_(closedirp) DIR *stream = opendir(dir);
	size_t known_cnt = d->cnt;
	struct dirent *entry;

	if (!stream)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
	while (errno = 0, (entry = readdir(stream))) {
		struct dropin *dropin;

		if (!is_config_name(entry->d_name) || entry->d_type == DT_DIR ||
		    has_name(d, known_cnt, entry->d_name))
			continue;
		dropin = rsp_array_add(d);
		if (!dropin)
			return -ENOMEM;
		if (asprintf(&dropin->path, "%s/%s", dir, entry->d_name) < 0) {
			d->cnt--;
			return -ENOMEM;
		}
		dropin->name = strrchr(dropin->path, '/') + 1;
	}
	return -errno;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct dropin *)a)->name, ((const struct dropin *)b)->name);
}

static int read_main(const char *const *dirs, const char *name, struct rsp_config_reader *reader)
{
	int r = -ENOENT;

	for (size_t i = 0; dirs[i] && r == -ENOENT; i++) {
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", dirs[i], name) < 0) {
			path = NULL; /* asprintf() leaves it undefined on failure */
			return -ENOMEM;
		}
		r = rsp_config_file_read(path, reader);
	}
	return r == -ENOENT ? 0 : r;
}

static int read_dropins(const char *const *dirs, const char *name, struct rsp_config_reader *reader)
{
	_cleanup_(dropins_done) struct dropins d = {0};
	int first_error = 0, r;

	for (size_t i = 0; dirs[i]; i++) {
		_cleanup_free_ char *dir = NULL;

		if (asprintf(&dir, "%s/%s.d", dirs[i], name) < 0) {
			dir = NULL; /* asprintf() leaves it undefined on failure */
			return -ENOMEM;
		}
		r = find_dropins(dir, &d);
		if (r < 0) {
			rsp_config_report(reader, dir, 0, "cannot be read: %s", reason(r));
			first_error = first_error ?: r;
		}
	}
	if (d.cnt > 0)
		qsort(d.v, d.cnt, sizeof(*d.v), by_name);
	for (size_t i = 0; i < d.cnt; i++) {
		r = rsp_config_file_read(d.v[i].path, reader);
		/* -ENOENT: a dangling link, or deleted since the directory was read */
		if (r < 0 && r != -ENOENT)
			first_error = first_error ?: r;
	}
	return first_error;
}

int rsp_config_files_read(const char *const *dirs, const char *name,
			  struct rsp_config_reader *reader)
{
	int main_error = read_main(dirs, name, reader), r = read_dropins(dirs, name, reader);

	return main_error ?: r;
}
