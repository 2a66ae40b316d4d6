/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the sinks of rsp-export (export/) without rsp-export. The secret (a password or key) is in
 * $SINK_SECRET.
 *
 *	sinks http|s3-head|s3-get|s3|otlp KEY=VALUE…
 *
 * http, s3-head and s3-get send one request. Their keys: method=, url=, body=FILE,
 * auth=basic|bearer|aws, user=, region=, bucket=, key=, save=FILE, max=BYTES. They print the class
 * and the status of the answer and the seconds of Retry-After. A second line contains the message.
 *
 * s3 and otlp encode the batch in batch=FILE, and send it times= times. Each time they print the
 * error and the message. The snapshots are in dir=DIR. otlp calls spans=PROGRAM to make the spans.
 *
 * All modes accept ca=, connect_ms=, total_ms= and dry=yes.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "export/otlp-sink.h"
#include "export/s3-sink.h"
#include "lib/base/cleanup.h"
#include "lib/http/sha256.h"

static char **args;

/*
 * Returns `otherwise` if the key is missing, and the last value if the key is given several times.
 */
static const char *arg(const char *key, const char *otherwise)
{
	size_t len = strlen(key);
	const char *found = otherwise;

	for (char **a = args; *a; a++)
		if (strncmp(*a, key, len) == 0 && (*a)[len] == '=')
			found = *a + len + 1;
	return found;
}

static const char *secret(void)
{
	const char *s = getenv("SINK_SECRET");

	return s ? s : "";
}

static struct rsp_http *open_http(void)
{
	struct rsp_http_config config = {
		.ca_file = arg("ca", NULL),
		.connect_ms = (unsigned int)atoi(arg("connect_ms", "0")),
		.total_ms = (unsigned int)atoi(arg("total_ms", "0")),
		.dry_run = arg("dry", NULL) ? stdout : NULL,
	};
	struct rsp_http *h;

	if (rsp_http_new(&config, &h) < 0)
		errx(1, "no memory");
	return h;
}

static struct rsp_buffer read_file(const char *path)
{
	struct rsp_buffer b = {0};
	FILE *f = fopen(path, "re");
	char buf[4096];
	size_t n;

	if (!f)
		err(1, "%s", path);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		if (rsp_buffer_put(&b, buf, n) < 0)
			errx(1, "no memory");
	fclose(f);
	return b;
}

/* --- one request ------------------------------------------------------------------------------ */

static const char *class_name(enum rsp_http_class class)
{
	static const char *const names[] = {
		[RSP_HTTP_OK] = "ok",
		[RSP_HTTP_UNREACHABLE] = "unreachable",
		[RSP_HTTP_TIMEOUT] = "timeout",
		[RSP_HTTP_UNTRUSTED] = "untrusted",
		[RSP_HTTP_REFUSED] = "refused",
		[RSP_HTTP_ABSENT] = "absent",
		[RSP_HTTP_BUSY] = "busy",
		[RSP_HTTP_NEVER] = "never",
		[RSP_HTTP_NONSENSE] = "nonsense",
	};

	return names[class];
}

static int print_answer(int r, const struct rsp_http_response *answer)
{
	if (r < 0)
		printf("error %s\n%s\n", strerror(-r), answer->why);
	else
		printf("%s %u %u\n%s\n", class_name(answer->class), answer->status,
		       answer->retry_after_s, answer->why);
	if (answer->body.len && arg("show", NULL))
		printf("%s\n", answer->body.v);
	return 0;
}

static struct rsp_http_auth make_auth(void)
{
	const char *kind = arg("auth", "none");
	struct rsp_http_auth auth = {
		.user = arg("user", ""), .secret = secret(), .region = arg("region", "")};

	if (strcmp(kind, "basic") == 0)
		auth.kind = RSP_HTTP_AUTH_BASIC;
	else if (strcmp(kind, "bearer") == 0)
		auth.kind = RSP_HTTP_AUTH_BEARER;
	else if (strcmp(kind, "aws") == 0)
		auth.kind = RSP_HTTP_AUTH_AWS;
	return auth;
}

static int do_http(struct rsp_http *h)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	_cleanup_buffer_ struct rsp_buffer body = {0};
	struct rsp_http_request req = {.method = arg("method", "GET"),
				       .url = arg("url", ""),
				       .auth = make_auth(),
				       .answer_max = (size_t)atol(arg("max", "0"))};

	if (arg("body", NULL)) {
		body = read_file(arg("body", ""));
		req.body = body.v ? body.v : "";
		req.body_len = body.len;
		req.headers[0] = "Content-Type: application/octet-stream";
	}
	return print_answer(rsp_http_request(h, &req, &answer), &answer);
}

/* --- the object store ------------------------------------------------------------------------- */

static struct rsp_s3 make_store(void)
{
	return (struct rsp_s3){.url = arg("url", ""),
			       .bucket = arg("bucket", ""),
			       .region = arg("region", ""),
			       .key_id = arg("user", ""),
			       .secret = secret()};
}

static int do_s3_head(struct rsp_http *h)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	struct rsp_s3 store = make_store();
	struct rsp_s3_object object = {0};
	int r = rsp_s3_head(h, &store, arg("key", ""), &object, &answer);

	print_answer(r, &answer);
	printf("%llu %s\n", (unsigned long long)object.bytes, object.sha256);
	return 0;
}

static int do_s3_get(struct rsp_http *h)
{
	_cleanup_response_ struct rsp_http_response answer = {0};
	_cleanup_close_ int fd = open(arg("save", ""), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				      0600);
	struct rsp_s3 store = make_store();

	if (fd < 0)
		err(1, "%s", arg("save", ""));
	return print_answer(rsp_s3_get(h, &store, arg("key", ""), fd,
				       (uint64_t)atoll(arg("max", "100000000")), &answer),
			    &answer);
}

static int open_snapshot(void *userdata, const char *id)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.rsp", arg("dir", "."), id);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* --- batches ---------------------------------------------------------------------------------- */

#define SNAPSHOTS_MAX 8

struct batch {
	struct json_object *top;
	struct rsp_export_host host;
	struct json_object *summaries[8];
	struct rsp_export_snapshot snapshots[SNAPSHOTS_MAX];
	char keys[SNAPSHOTS_MAX][RSP_S3_KEY_BYTES];
	struct rsp_batch batch;
};

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		errx(1, "the batch has no %s", key);
	return value;
}

static const char *text(struct json_object *o, const char *key)
{
	return json_object_get_string(member(o, key));
}

static uint64_t number(struct json_object *o, const char *key)
{
	return json_object_get_uint64(member(o, key));
}

static void read_snapshots(struct batch *b)
{
	struct json_object *list = member(b->top, "snapshots");
	size_t cnt = json_object_array_length(list);

	for (size_t i = 0; i < cnt && i < SNAPSHOTS_MAX; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		b->snapshots[i] = (struct rsp_export_snapshot){
			.id = text(o, "id"),
			.unit = text(o, "unit"),
			.cgroup = text(o, "cgroup"),
			.container = text(o, "container"),
			.comm = text(o, "comm"),
			.slo = text(o, "slo"),
			.headline = text(o, "headline"),
			.pid = (uint32_t)number(o, "pid"),
			.value_ns = number(o, "value_ns"),
			.threshold_ns = number(o, "threshold_ns"),
			.since_ns = number(o, "since_ns"),
			.until_ns = number(o, "until_ns"),
			.bytes = number(o, "bytes"),
			.key = b->keys[i],
		};
		if (rsp_s3_key(arg("prefix", ""), &b->host, &b->snapshots[i], b->keys[i]) < 0)
			errx(1, "the key is too long");
		b->batch.snapshot_cnt++;
	}
}

static void read_batch(struct batch *b)
{
	struct rsp_buffer bytes = read_file(arg("batch", ""));
	struct json_object *host, *list;

	if (rsp_json_parse(bytes.v, bytes.len, 32, &b->top) < 0)
		errx(1, "the batch is not JSON");
	rsp_buffer_done(&bytes);
	host = member(b->top, "host");
	snprintf(b->host.name, sizeof(b->host.name), "%s", text(host, "name"));
	snprintf(b->host.machine, sizeof(b->host.machine), "%s", text(host, "machine"));
	snprintf(b->host.boot, sizeof(b->host.boot), "%s", text(host, "boot"));
	list = member(b->top, "summaries");
	b->batch = (struct rsp_batch){.token = text(b->top, "token"),
				      .host = &b->host,
				      .summaries = b->summaries,
				      .snapshots = b->snapshots};
	for (size_t i = 0; i < json_object_array_length(list) && i < 8; i++)
		b->summaries[b->batch.summary_cnt++] = json_object_array_get_idx(list, i);
	read_snapshots(b);
}

static int do_sink(struct rsp_http *h, const struct rsp_sink_ops *sink, const void *config)
{
	_cleanup_buffer_ struct rsp_buffer bytes = {0};
	struct rsp_sink_result result;
	struct batch b = {0};
	int r;

	read_batch(&b);
	r = sink->encode(config, &b.batch, &bytes);
	if (r < 0)
		errx(1, "%s: cannot encode: %s", sink->name, strerror(-r));
	if (bytes.len == 0)
		printf("nothing to send\n");
	for (int i = 0; bytes.len && i < atoi(arg("times", "1")); i++) {
		sink->send(config, h, b.batch.token, bytes.v, bytes.len, &result);
		printf("%s %u\n%s\n", result.error ? strerrorname_np(-result.error) : "accepted",
		       result.retry_after_s, result.why);
	}
	json_object_put(b.top);
	return 0;
}

static int do_s3(struct rsp_http *h)
{
	struct rsp_s3_config config = {.store = make_store(), .open_snapshot = open_snapshot};

	return do_sink(h, &rsp_sink_s3, &config);
}

static int do_otlp(struct rsp_http *h)
{
	struct rsp_otlp_progress progress = {0};
	struct rsp_otlp_config config = {.url = arg("url", ""),
					 .token = getenv("SINK_SECRET"),
					 .spans_program = arg("spans", NULL),
					 .open_snapshot = open_snapshot,
					 .progress = &progress};
	int r = do_sink(h, &rsp_sink_otlp, &config);

	printf("refused parts: %llu\n", (unsigned long long)progress.rejected);
	return r;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct rsp_http *h);
	} verbs[] = {{"http", do_http},
		     {"s3-head", do_s3_head},
		     {"s3-get", do_s3_get},
		     {"s3", do_s3},
		     {"otlp", do_otlp}};
	_cleanup_http_ struct rsp_http *h = NULL;

	if (argc < 2)
		errx(2, "which sink?");
	args = argv + 2;
	h = open_http();
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, argv[1]) == 0)
			return verbs[i].run(h);
	errx(2, "no such sink: %s", argv[1]);
}
