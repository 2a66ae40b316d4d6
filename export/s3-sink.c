/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See s3-sink.h. */
#include "export/s3-sink.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/http/sha256.h"

#define SNAPSHOT_TYPE "application/vnd.rsp.snapshot"

/* --- keys ------------------------------------------------------------------------------------- */

/*
 * Characters with a special meaning in paths or URLs become '_'. So do the dots of a name that
 * consists only of dots, because some tools would treat it as a directory.
 */
static int put_part(char *key, const char *name)
{
	size_t len = strlen(key);
	bool is_dots = strspn(name, ".") == strlen(name);

	if (len + strlen(name) + 2 > RSP_S3_KEY_BYTES)
		return -ENAMETOOLONG;
	for (const char *c = name; *c; c++)
		key[len++] = is_dots || !(isalnum((unsigned char)*c) || strchr("-._@:", *c)) ? '_'
											     : *c;
	strcpy(key + len, "/");
	return 0;
}

/* The prefix may also begin or end with '/'. */
static int put_prefix(char *key, const char *prefix)
{
	int r = 0;

	while (*prefix && r == 0) {
		size_t len = strcspn(prefix, "/");
		char name[256];

		if (len >= sizeof(name))
			return -ENAMETOOLONG;
		snprintf(name, sizeof(name), "%.*s", (int)len, prefix);
		if (len)
			r = put_part(key, name);
		prefix += len + strspn(prefix + len, "/");
	}
	return r;
}

int rsp_s3_key(const char *prefix, const struct rsp_export_host *host,
	       const struct rsp_export_snapshot *snapshot, char ret[static RSP_S3_KEY_BYTES])
{
	time_t at = (time_t)(snapshot->until_ns / 1000000000);
	char name[120], when[32];
	struct tm tm;
	int r;

	ret[0] = '\0';
	if (!gmtime_r(&at, &tm))
		return -EINVAL;
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm);
	snprintf(name, sizeof(name), "%s-%.64s.rsp", when, snapshot->id);
	r = put_prefix(ret, prefix);
	if (r == 0)
		r = put_part(ret, *host->name ? host->name : "none");
	if (r == 0)
		r = put_part(ret, *host->boot ? host->boot : "none");
	if (r == 0)
		r = put_part(ret, *snapshot->unit ? snapshot->unit : "none");
	if (r == 0)
		r = put_part(ret, name);
	if (r == 0)
		ret[strlen(ret) - 1] = '\0';
	return r;
}

/*
 * --- encoding: {"snapshots":[{"key":…, and the other members of the description}]} -------------
 */

static int fill_snapshot(struct json_object *o, const struct rsp_export_host *host,
			 const struct rsp_export_snapshot *s)
{
	int r = 0;

	r |= rsp_json_add_number(o, "version", 1);
	r |= rsp_json_add_string(o, "key", s->key);
	r |= rsp_json_add_string(o, "id", s->id);
	r |= rsp_json_add_string(o, "host", host->name);
	r |= rsp_json_add_string(o, "machine", host->machine);
	r |= rsp_json_add_string(o, "boot", host->boot);
	r |= rsp_json_add_string(o, "unit", s->unit);
	r |= rsp_json_add_string(o, "cgroup", s->cgroup);
	r |= rsp_json_add_string(o, "container", s->container);
	r |= rsp_json_add_number(o, "pid", s->pid);
	r |= rsp_json_add_string(o, "comm", s->comm);
	r |= rsp_json_add_string(o, "slo", s->slo);
	r |= rsp_json_add_string(o, "headline", s->headline);
	r |= rsp_json_add_number(o, "value_ns", s->value_ns);
	r |= rsp_json_add_number(o, "threshold_ns", s->threshold_ns);
	r |= rsp_json_add_number(o, "since_ns", s->since_ns);
	r |= rsp_json_add_number(o, "until_ns", s->until_ns);
	return r;
}

static int put_json(struct json_object *o, struct rsp_buffer *ret)
{
	const char *text = json_object_to_json_string_ext(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	return text ? rsp_buffer_put_text(ret, text) : -ENOMEM;
}

static int s3_encode(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	_cleanup_json_ struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	int r = top ? rsp_json_add(top, "snapshots", list) : -ENOMEM;

	for (size_t i = 0; r == 0 && i < batch->snapshot_cnt; i++) {
		struct json_object *o;

		if (!*batch->snapshots[i].key)
			continue;
		o = json_object_new_object();
		r = o ? fill_snapshot(o, batch->host, &batch->snapshots[i]) : -ENOMEM;
		r |= rsp_json_append(list, o);
	}
	if (r < 0 || json_object_array_length(list) == 0)
		return r < 0 ? -ENOMEM : 0;
	return put_json(top, ret);
}

/* --- sending ---------------------------------------------------------------------------------- */

struct sending {
	const struct rsp_s3_config *config;
	struct rsp_http *http;
	struct rsp_sink_result *ret;
	/* number of snapshots that no longer exist, and of snapshots that the store rejected */
	size_t gone, refused;
};

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *value;
	const char *text = json_object_object_get_ex(o, key, &value) ? json_object_get_string(value)
								     : NULL;

	return text ? text : "";
}

static int fail(struct sending *s, int error, const char *why)
{
	s->ret->error = error;
	snprintf(s->ret->why, sizeof(s->ret->why), "%s", why);
	return error;
}

/*
 * If the store will never accept the object, counts this and returns 0. Any other error is an error
 * of the whole batch.
 */
static int put(struct sending *s, const char *key, const char *type,
	       const struct rsp_http_file *file)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	bool sent;
	int r = rsp_s3_put_once(s->http, &s->config->store, key, type, file, &sent, &answer);

	if (r < 0)
		return fail(s, r, answer.why);
	r = rsp_http_class_error(answer.class);
	if (r == 0)
		return 0;
	s->ret->retry_after_s = answer.retry_after_s;
	fail(s, r, answer.why);
	if (r != -EBADMSG)
		return r;
	s->refused++;
	return 0;
}

/* The description is written to a memfd, because lib/http hashes and sends only files. */
static int put_description(struct sending *s, struct json_object *o, const char *key,
			   const struct rsp_http_file *snapshot)
{
	_cleanup_buffer_ struct rsp_buffer text = {0};
	_cleanup_close_ int fd = memfd_create("rsp-description", MFD_CLOEXEC);
	struct rsp_http_file file = {.fd = fd};
	char name[RSP_S3_KEY_BYTES + 8];
	int r = 0;

	if (fd < 0)
		return fail(s, -errno, "no memory for the description of a snapshot");
	json_object_object_del(o, "key");
	r |= rsp_json_add_number(o, "bytes", snapshot->size);
	r |= rsp_json_add_string(o, "sha256", snapshot->sha256);
	r |= put_json(o, &text);
	r |= rsp_buffer_put_text(&text, "\n");
	if (r < 0 || write(fd, text.v, text.len) != (ssize_t)text.len ||
	    rsp_sha256_file(fd, file.sha256, &file.size) < 0)
		return fail(s, -ENOMEM, "no memory for the description of a snapshot");
	snprintf(name, sizeof(name), "%.*s.json", (int)(strlen(key) - strlen(".rsp")), key);
	return put(s, name, "application/json", &file);
}

static int send_snapshot(struct sending *s, struct json_object *o)
{
	char key[RSP_S3_KEY_BYTES], why[100];
	struct rsp_http_file file = {0};
	size_t refused;
	_cleanup_close_ int fd = s->config->open_snapshot(s->config->userdata, text_of(o, "id"));
	int r;

	snprintf(key, sizeof(key), "%s", text_of(o, "key"));
	if (fd == -ENOENT) {
		s->gone++;
		return 0;
	}
	if (fd >= 0) {
		file.fd = fd;
		r = rsp_sha256_file(fd, file.sha256, &file.size);
	} else {
		r = fd;
	}
	if (r < 0) {
		snprintf(why, sizeof(why), "cannot read snapshot %.32s: %s", text_of(o, "id"),
			 strerror(-r));
		return fail(s, r, why);
	}
	refused = s->refused;
	r = put(s, key, SNAPSHOT_TYPE, &file);
	if (r < 0 || s->refused > refused)
		return r;
	return put_description(s, o, key, &file);
}

static bool is_snapshot(struct json_object *o)
{
	const char *key = text_of(o, "key");
	size_t len = strlen(key);

	return json_object_is_type(o, json_type_object) && len > 4 && len < RSP_S3_KEY_BYTES &&
	       strcmp(key + len - 4, ".rsp") == 0;
}

static void send_all(struct sending *s, struct json_object *list)
{
	size_t cnt = json_object_array_length(list);

	for (size_t i = 0; i < cnt; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (!is_snapshot(o)) {
			fail(s, -EBADMSG, "the spooled batch is damaged");
			return;
		}
		if (send_snapshot(s, o) < 0)
			return;
	}
	if (s->gone) {
		fail(s, -EBADMSG, "");
		snprintf(s->ret->why, sizeof(s->ret->why),
			 "%zu of %zu snapshots were deleted on this host before they were sent",
			 s->gone, cnt);
	}
}

static void s3_send(const void *config, struct rsp_http *http, const char *token, const void *bytes,
		    size_t len, struct rsp_sink_result *ret)
{
	struct sending s = {.config = config, .http = http, .ret = ret};
	_cleanup_json_ struct json_object *top = NULL;
	struct json_object *list;
	int r = rsp_json_parse(bytes, len, 8, &top);

	*ret = (struct rsp_sink_result){0};
	if (r == -ENOMEM)
		fail(&s, r, "out of memory");
	else if (r < 0 || !json_object_object_get_ex(top, "snapshots", &list) ||
		 !json_object_is_type(list, json_type_array))
		fail(&s, -EBADMSG, "the spooled batch is damaged");
	else
		send_all(&s, list);
}

const struct rsp_sink_ops rsp_sink_s3 = {.name = "S3", .encode = s3_encode, .send = s3_send};
