/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl fleet get ID|latest: finds a snapshot in ClickHouse, fetches its file from the object
 * store, saves the file, and runs rspctl to explain it.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "lib/files/copy.h"
#include "lib/fleet/slowest.h"
#include "lib/http/s3.h"
#include "lib/snapshot/snapshot.h"

/* The window of a recorder is far smaller. */
#define SNAPSHOT_BYTES_MAX (4LL << 30)
#define FILE_PREFIX	   "file://"

/* --- finding ---------------------------------------------------------------------------------- */

static int check_id(const char *id)
{
	size_t len = strlen(id);

	if (len < 4 || len > 32 || strspn(id, "0123456789abcdef") != len)
		return rsp_fail(-EINVAL,
				"'%s' is not the ID of a snapshot (4 to 32 hexadecimal digits) nor "
				"'latest'",
				id),
		       RSP_EXIT_USAGE;
	return RSP_EXIT_OK;
}

static int fail_none(const struct rsp_fleet *fleet, const char *id)
{
	const char *unit = fleet->opt.unit, *host = fleet->opt.host;

	if (id)
		return rsp_fail(-ENOENT, "no host sent a snapshot %s", id);
	return rsp_fail(-ENOENT, "no snapshot%s%s%s%s is known", unit ? " of unit " : "",
			unit ? unit : "", host ? " of host " : "", host ? host : "");
}

static int find(struct rsp_fleet *fleet, const char *id, struct rsp_fleet_result *ret)
{
	struct rsp_fleet_filter f = {
		.units = &fleet->opt.unit,
		.unit_cnt = fleet->opt.unit ? 1 : 0,
		.host = fleet->opt.host,
	};
	struct rsp_fleet_query q;
	struct rsp_fleet_snapshot first, second;
	int r;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_snapshots(q.out, &f, id, id ? 2 : 1);
	r = rsp_fleet_query_end(&q, RSP_FLEET_SNAPSHOT_COLUMNS, ret);
	if (r)
		return r;
	if (!ret->row_cnt)
		return fail_none(fleet, id);
	if (ret->row_cnt == 1)
		return RSP_EXIT_OK;
	rsp_fleet_get_snapshot(ret, 0, &first);
	rsp_fleet_get_snapshot(ret, 1, &second);
	return rsp_fail(-EEXIST, "several snapshots begin with %s: %s of %s, %s of %s", id,
			first.id, first.host, second.id, second.host);
}

/* --- fetching --------------------------------------------------------------------------------- */

/* A directory may be used as an object store, such as a mounted bucket. */
static int fetch_from_directory(const struct rsp_fleet *fleet, const char *key, int *ret_fd)
{
	char path[PATH_MAX];
	int fd, r;

	snprintf(path, sizeof(path), "%s/%s", fleet->config.s3.url + strlen(FILE_PREFIX), key);
	/* The server sent the key, so it is untrusted. */
	if (key[0] == '/' || strstr(key, "../"))
		return rsp_fail(-EINVAL, "the key of the snapshot leads out of the directory: %s",
				key);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return rsp_fail(-errno, "cannot read %s: %m", path);
	r = rsp_file_copy(fd, SNAPSHOT_BYTES_MAX);
	close(fd);
	if (r < 0)
		return rsp_fail(r, "cannot read %s: %m", path);
	*ret_fd = r;
	return RSP_EXIT_OK;
}

static int fetch_from_s3(const struct rsp_fleet *fleet, const char *key, int fd)
{
	_cleanup_http_ struct rsp_http *http = NULL;
	_cleanup_response_ struct rsp_http_response res = {0};
	char secret[RSP_FLEET_SECRET_MAX];
	struct rsp_s3 s3 = {
		.url = fleet->config.s3.url,
		.bucket = fleet->config.s3.bucket,
		.region = fleet->config.s3.region,
		.key_id = fleet->config.s3.key_id,
		.secret = secret,
	};
	int r = rsp_fleet_secret_read(fleet->config.s3.secret_file, secret);

	if (r)
		return r;
	r = rsp_http_new(
		&(struct rsp_http_config){
			.ca_file = *fleet->config.s3.ca_file ? fleet->config.s3.ca_file : NULL,
		},
		&http);
	if (r < 0)
		return rsp_fail(r, "cannot connect to %s: %m", s3.url);
	r = rsp_s3_get(http, &s3, key, fd, SNAPSHOT_BYTES_MAX, &res);
	explicit_bzero(secret, sizeof(secret));
	if (r < 0 || res.class != RSP_HTTP_OK)
		return rsp_fail(res.class == RSP_HTTP_REFUSED ? -EACCES : -EIO,
				"cannot fetch the snapshot from %s: %s", s3.url,
				res.why[0] ? res.why : strerror(-r));
	return RSP_EXIT_OK;
}

static int fetch(const struct rsp_fleet *fleet, const struct rsp_fleet_snapshot *s, int *ret_fd)
{
	const char *url = fleet->config.s3.url;

	if (!*s->key)
		return rsp_fail(
			-ENOENT,
			"%s did not send the file of snapshot %s: see [S3] of export.conf(5); "
			"on the host itself, 'rspctl explain %s' shows it",
			s->host, s->id, s->id);
	if (!*url)
		return rsp_fail(
			-ENOENT,
			"no object store is configured: set URL= and Bucket= in section [S3] "
			"of fleet.conf; the key is %s",
			s->key);
	if (!strncmp(url, FILE_PREFIX, strlen(FILE_PREFIX)))
		return fetch_from_directory(fleet, s->key, ret_fd);
	*ret_fd = memfd_create("snapshot", MFD_CLOEXEC);
	if (*ret_fd < 0)
		return rsp_fail(-errno, "cannot fetch the snapshot: %m");
	return fetch_from_s3(fleet, s->key, *ret_fd);
}

/* --- saving and explaining -------------------------------------------------------------------- */

/*
 * The name of the file is HOST-ID.rsp. Unusual characters are replaced, because a host chooses its
 * own name.
 */
static void make_name(const struct rsp_fleet_snapshot *s, char *buf, size_t len)
{
	snprintf(buf, len, "%.64s-%.32s.rsp", s->host, s->id);
	for (char *c = buf; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *c))
			*c = '_';
	if (buf[0] == '.' || buf[0] == '-')
		buf[0] = '_';
}

static int save(int fd, const struct rsp_fleet_snapshot *s, const char *path)
{
	struct stat st;
	void *bytes;
	int r;

	if (fstat(fd, &st) < 0)
		return rsp_fail(-errno, "cannot save the snapshot: %m");
	if (st.st_size == 0 || (s->bytes && (uint64_t)st.st_size != s->bytes))
		return rsp_fail(
			-EBADMSG,
			"the file in the object store has %lld bytes, the snapshot had %llu",
			(long long)st.st_size, (unsigned long long)s->bytes);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return rsp_fail(-errno, "cannot save the snapshot: %m");
	r = rsp_snapshot_save(path, bytes, (size_t)st.st_size);
	munmap(bytes, (size_t)st.st_size);
	return r < 0 ? rsp_fail(r, "cannot save the snapshot as %s: %m", path) : RSP_EXIT_OK;
}

/*
 * In a build tree, rspctl is in the directory of this program, else in the bin directory of the
 * installation.
 */
static bool find_rspctl(char *buf, size_t len)
{
	static const char *const names[] = {"rspctl", "../../bin/rspctl", "../bin/rspctl"};
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return false;
	self[n] = '\0';
	dirname(self);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((size_t)snprintf(buf, len, "%s/%s", self, names[i]) < len &&
		    access(buf, X_OK) == 0)
			return true;
	return false;
}

static int explain(const char *path, enum rsp_json_mode json)
{
	const char *mode = json == RSP_JSON_SHORT    ? "--json=short"
			   : json == RSP_JSON_PRETTY ? "--json"
						     : "--json=off";
	char rspctl[PATH_MAX + 32], file[PATH_MAX];

	if (!find_rspctl(rspctl, sizeof(rspctl)))
		return rsp_fail(-ENOENT, "cannot find rspctl beside rsp-fleet to explain %s", path);
	/* rspctl treats an argument that contains '/' as a file, not as an ID. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./", path);
	execl(rspctl, "rspctl", "explain", mode, "--", file, NULL);
	return rsp_fail(-errno, "cannot run %s: %m", rspctl);
}

int rsp_fleet_get(struct rsp_fleet *fleet)
{
	const char *id = fleet->opt.arg_cnt ? fleet->opt.args[0] : "latest";
	_cleanup_(rsp_fleet_result_done) struct rsp_fleet_result res = {0};
	_cleanup_close_ int fd = -1;
	struct rsp_fleet_snapshot s;
	char name[160];
	int r = strcmp(id, "latest") != 0 ? check_id(id) : RSP_EXIT_OK;

	if (!r)
		r = find(fleet, strcmp(id, "latest") != 0 ? id : NULL, &res);
	if (r)
		return r;
	rsp_fleet_get_snapshot(&res, 0, &s);
	r = fetch(fleet, &s, &fd);
	if (r)
		return r;
	make_name(&s, name, sizeof(name));
	r = save(fd, &s, fleet->opt.output ? fleet->opt.output : name);
	if (r)
		return r;
	rsp_warn("snapshot %s of %s is saved as %s", s.id, s.host,
		 fleet->opt.output ? fleet->opt.output : name);
	return explain(fleet->opt.output ? fleet->opt.output : name, fleet->opt.json);
}
