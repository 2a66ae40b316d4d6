/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See config.h. */
#include "fleet/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/rspctl.h"
#include "lib/base/cleanup.h"
#include "lib/config/config-file.h"

static const struct {
	const char *section, *key;
	size_t offset;
} keys[] = {
	{"ClickHouse", "URL", offsetof(struct rsp_fleet_config, clickhouse.url)},
	{"ClickHouse", "Database", offsetof(struct rsp_fleet_config, clickhouse.database)},
	{"ClickHouse", "User", offsetof(struct rsp_fleet_config, clickhouse.user)},
	{"ClickHouse", "PasswordFile", offsetof(struct rsp_fleet_config, clickhouse.password_file)},
	{"ClickHouse", "CAFile", offsetof(struct rsp_fleet_config, clickhouse.ca_file)},
	{"S3", "URL", offsetof(struct rsp_fleet_config, s3.url)},
	{"S3", "Bucket", offsetof(struct rsp_fleet_config, s3.bucket)},
	{"S3", "Region", offsetof(struct rsp_fleet_config, s3.region)},
	{"S3", "KeyID", offsetof(struct rsp_fleet_config, s3.key_id)},
	{"S3", "SecretFile", offsetof(struct rsp_fleet_config, s3.secret_file)},
	{"S3", "CAFile", offsetof(struct rsp_fleet_config, s3.ca_file)},
};

struct reading {
	struct rsp_config_reader reader;
	struct rsp_fleet_config *config;
};

static void warn_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	(void)userdata;
	if (file && line)
		rsp_warn("%s:%u: %s", file, line, text);
	else
		rsp_warn("%s%s%s", file ? file : "", file ? ": " : "", text);
}

static void take(const struct rsp_config_line *line, void *userdata)
{
	struct reading *x = userdata;

	if (!line->key)
		return;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(keys[i].section, line->section) != 0 ||
		    strcmp(keys[i].key, line->key) != 0)
			continue;
		if (strlen(line->value) >= RSP_FLEET_NAME_MAX) {
			rsp_config_report(&x->reader, line->file, line->number, "%s= is too long",
					  line->key);
			return;
		}
		strcpy((char *)x->config + keys[i].offset, line->value);
		return;
	}
	rsp_config_report(&x->reader, line->file, line->number,
			  "there is no setting %s= in section [%s]%s", line->key, line->section,
			  strcasestr(line->key, "password") || strcasestr(line->key, "secret")
				  ? ": secrets are in files, see PasswordFile= and SecretFile="
				  : "");
}

int rsp_fleet_config_read(const char *path, struct rsp_fleet_config *ret)
{
	struct reading x = {{take, &x, warn_problem, &x, 0}, ret};
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
	_cleanup_free_ char *own = NULL;
	int r;

	*ret = (struct rsp_fleet_config){.clickhouse.database = "rsp"};
	if (xdg && *xdg == '/')
		r = asprintf(&own, "%s/rsp", xdg);
	else
		r = asprintf(&own, "%s/.config/rsp", home ? home : "");
	if (r < 0) {
		own = NULL;
		return rsp_fail(-ENOMEM, "cannot read fleet.conf: %m");
	}
	if (path)
		r = rsp_config_file_read(path, &x.reader);
	else
		r = rsp_config_files_read((const char *const[]){own, "/etc/rsp", NULL},
					  "fleet.conf", &x.reader);
	if (path && r == -ENOENT)
		return rsp_fail(r, "cannot read %s: %m", path);
	/* All errors except -ENOENT have been reported. */
	return (r < 0 && r != -ENOENT) || x.reader.problem_cnt ? RSP_EXIT_FAILURE : RSP_EXIT_OK;
}

int rsp_fleet_secret_read(const char *path, char ret[static RSP_FLEET_SECRET_MAX])
{
	_cleanup_close_ int fd = -1;
	struct stat st;
	ssize_t n;

	memset(ret, 0, RSP_FLEET_SECRET_MAX);
	if (!*path)
		return RSP_EXIT_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0)
		return rsp_fail(-errno, "cannot read %s: %m", path);
	if (!S_ISREG(st.st_mode) || st.st_mode & 0007)
		return rsp_fail(-EINVAL, "%s must be a file that others cannot read: chmod o= %s",
				path, path);
	n = read(fd, ret, RSP_FLEET_SECRET_MAX - 1);
	if (n < 0)
		return rsp_fail(-errno, "cannot read %s: %m", path);
	ret[strcspn(ret, "\r\n")] = '\0';
	if (!*ret)
		return rsp_fail(-EINVAL, "%s contains no secret in its first line", path);
	return RSP_EXIT_OK;
}
