/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See api.h: io.rsp.Recorder's JSON <-> the recorder's terms. */
#include "daemon/api.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/listener.h"
#include "daemon/varlink.h"
#include "lib/base/cleanup.h"

#define INTERFACE "io.rsp.Recorder"

/* The interface file itself, with a NUL behind it. */
__asm__(".pushsection .rodata\n"
	".global rsp_interface_text\n"
	"rsp_interface_text: .incbin \"rsp/" INTERFACE ".varlink\"\n"
	".byte 0\n"
	".popsection\n");
extern const char rsp_interface_text[];

struct rsp_api {
	struct rsp_varlink_server *server;
	struct rsp_listener *listener;
	const struct rsp_recorder_ops *ops;
	void *ctx;
};

static void add_int(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

static void add_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

/* --- GetStatus
 * ------------------------------------------------------------------------------------ */

struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt)
{
	struct json_object *ret = json_object_new_array();

	for (size_t i = 0; ret && i < cnt; i++) {
		struct json_object *o = json_object_new_object();

		add_string(o, "name", abilities[i].name);
		add_string(o, "chosen", abilities[i].chosen);
		add_string(o, "why", abilities[i].why);
		json_object_object_add(o, "ok", json_object_new_boolean(abilities[i].ok));
		json_object_array_add(ret, o);
	}
	return ret;
}

static struct json_object *by_kind_to_json(const struct rsp_window_stats *stats)
{
	static const char *const names[RSP_EV_KIND_MAX] = {
		[RSP_EV_SWITCH] = "switch", [RSP_EV_WAKING] = "waking", [RSP_EV_SAMPLE] = "sample",
		[RSP_EV_BLOCK] = "block",   [RSP_EV_IRQ] = "irq",	[RSP_EV_NET] = "net",
		[RSP_EV_STACK] = "stack",   [RSP_EV_OBJECT] = "object", [RSP_EV_SOCKET] = "socket",
		[RSP_EV_TASK] = "task",	    [RSP_EV_EXIT] = "exit",	[RSP_EV_LOST] = "lost",
		[RSP_EV_WORK] = "work",
	};
	struct json_object *ret = json_object_new_object();

	for (size_t i = 0; i < RSP_EV_KIND_MAX; i++)
		if (names[i])
			add_int(ret, names[i], stats->by_kind[i]);
	return ret;
}

static struct json_object *window_to_json(const struct rsp_window_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "bytes", stats->bytes);
	add_int(ret, "budget_bytes", stats->budget_bytes);
	add_int(ret, "oldest_ns", stats->oldest_ns);
	add_int(ret, "newest_ns", stats->newest_ns);
	add_int(ret, "event_bytes", stats->segment_bytes);
	add_int(ret, "held_events", stats->segment_events);
	add_int(ret, "held_switches", stats->segment_switches);
	return ret;
}

static struct json_object *ended_to_json(const struct rsp_stack_stats *stats)
{
	static const char *const names[RSP_END_CNT] = {
		[RSP_END_COMPLETE] = "complete",     [RSP_END_PENDING] = "pending",
		[RSP_END_NO_MAPPING] = "no-mapping", [RSP_END_NO_RULE] = "no-rule",
		[RSP_END_FAULT] = "fault",	     [RSP_END_BACKWARDS] = "backwards",
		[RSP_END_TRUNCATED] = "truncated",   [RSP_END_FOREIGN] = "foreign",
	};
	struct json_object *ret = json_object_new_object();

	for (size_t i = 0; i < RSP_END_CNT; i++)
		add_int(ret, names[i], stats->user_cnt[i]);
	return ret;
}

static struct json_object *stacks_to_json(const struct rsp_stack_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	json_object_object_add(ret, "ended", ended_to_json(stats));
	add_int(ret, "repeated", stats->user_repeated_cnt);
	add_int(ret, "repeated_checked", stats->user_checked_cnt);
	add_int(ret, "repeated_wrong", stats->user_wrong_cnt);
	add_int(ret, "walked", stats->kernel_walked_cnt);
	add_int(ret, "unwound", stats->kernel_unwound_cnt);
	add_int(ret, "walked_checked", stats->kernel_checked_cnt);
	add_int(ret, "walked_wrong", stats->kernel_wrong_cnt);
	return ret;
}

static struct json_object *tables_to_json(const struct rsp_binaries_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "binaries", stats->binary_cnt);
	add_int(ret, "tables", stats->table_cnt);
	add_int(ret, "bytes", stats->table_bytes);
	add_int(ret, "built", stats->built_cnt);
	add_int(ret, "refused", stats->refused_cnt);
	add_int(ret, "evicted", stats->evicted_cnt);
	return ret;
}

static void get_status(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	const struct rsp_api *api = ctx;
	struct json_object *ret = json_object_new_object();
	struct rsp_status status = {0};

	api->ops->get_status(api->ctx, &status);
	add_string(ret, "version", RSP_VERSION);
	add_int(ret, "pid", (uint64_t)getpid());
	add_int(ret, "uptime_ns", status.uptime_ns);
	json_object_object_add(ret, "abilities",
			       rsp_abilities_to_json(status.abilities, status.ability_cnt));
	json_object_object_add(ret, "window", window_to_json(&status.window));
	json_object_object_add(ret, "stacks", stacks_to_json(&status.capture.stacks));
	json_object_object_add(ret, "tables", tables_to_json(&status.capture.binaries));
	add_int(ret, "events", status.window.events);
	add_int(ret, "lost", status.window.lost_cnt);
	add_int(ret, "bad", status.window.bad_cnt);
	json_object_object_add(ret, "by_kind", by_kind_to_json(&status.window));
	rsp_call_reply(call, ret, -1);
}

/* --- Snapshot
 * ------------------------------------------------------------------------------------- */

static bool parse_int(struct json_object *value, int64_t min, int64_t max, int64_t *ret)
{
	int64_t n;

	if (!json_object_is_type(value, json_type_int))
		return false;
	n = json_object_get_int64(value);
	if (n < min || n > max)
		return false;
	*ret = n;
	return true;
}

static bool parse_parameter(const char *key, struct json_object *value,
			    struct rsp_snapshot_request *req)
{
	int64_t n = 0;
	bool ok;

	if (!strcmp(key, "pid")) {
		ok = parse_int(value, 1, INT32_MAX, &n);
		req->pid = (pid_t)n;
	} else if (!strcmp(key, "since_ns")) {
		ok = !value || parse_int(value, 0, INT64_MAX, &n);
		req->since_ns = (uint64_t)n;
	} else if (!strcmp(key, "until_ns")) {
		ok = !value || parse_int(value, 0, INT64_MAX, &n);
		req->until_ns = value ? (uint64_t)n : UINT64_MAX;
	} else if (!strcmp(key, "exit_status")) {
		ok = !value || parse_int(value, 0, UINT16_MAX, &n);
		req->exit_status = value ? (int32_t)n : -1;
	} else if (!strcmp(key, "command")) {
		ok = !value || json_object_is_type(value, json_type_string);
		req->command = value && ok ? json_object_get_string(value) : "";
	} else {
		ok = false;
	}
	return ok;
}

/* The name of the parameter that is wrong; NULL: none. */
static const char *parse_request(struct json_object *parameters, struct rsp_snapshot_request *req)
{
	json_object_object_foreach (parameters, key, value) {
		if (!parse_parameter(key, value, req))
			return key;
	}
	if (req->pid == 0)
		return "pid";
	return req->until_ns < req->since_ns ? "until_ns" : NULL;
}

static void snapshot(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	const struct rsp_api *api = ctx;
	struct rsp_snapshot_request req = {
		.until_ns = UINT64_MAX,
		.command = "",
		.exit_status = -1,
		.peer = *rsp_call_peer(call),
	};
	const char *wrong = parse_request(parameters, &req);
	int r;

	if (wrong) {
		rsp_call_invalid(call, wrong);
		return;
	}
	r = api->ops->snapshot(api->ctx, &req, call);
	if (r < 0)
		rsp_snapshot_fail(call, r);
}

void rsp_snapshot_reply(struct rsp_call *call, const char *id, uint64_t size, int fd)
{
	struct json_object *ret = json_object_new_object();

	add_string(ret, "id", id);
	add_int(ret, "size", size);
	add_int(ret, "fd", 0);
	rsp_call_reply(call, ret, fd);
}

void rsp_snapshot_fail(struct rsp_call *call, int error)
{
	struct json_object *ret = json_object_new_object(), *pid;
	const char *name;

	switch (error) {
	case -ESRCH:
		name = INTERFACE ".NoSuchProcess";
		json_object_object_get_ex(rsp_call_parameters(call), "pid", &pid);
		json_object_object_add(ret, "pid", json_object_get(pid));
		break;
	case -EBUSY:
		name = INTERFACE ".Busy";
		break;
	case -ENOMEM:
		name = INTERFACE ".OutOfMemory";
		break;
	default:
		name = INTERFACE ".Failed";
		add_string(ret, "reason", strerror(-error));
	}
	rsp_call_error(call, name, ret);
}

/* --- the server
 * ----------------------------------------------------------------------------------- */

static const struct rsp_varlink_method methods[] = {
	{"GetStatus", get_status},
	{"Snapshot", snapshot},
};

static const struct rsp_varlink_interface interface = {
	.name = INTERFACE,
	.description = rsp_interface_text,
	.product = "RSP",
	.version = RSP_VERSION,
	.methods = methods,
	.method_cnt = sizeof(methods) / sizeof(methods[0]),
};

int rsp_api_new(sd_event *event, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret)
{
	_cleanup_free_ struct rsp_api *api = calloc(1, sizeof(*api));
	int r;

	if (!api)
		return -ENOMEM;
	api->ops = ops;
	api->ctx = ctx;
	r = rsp_varlink_server_new(event, &interface, api, &api->server);
	if (r < 0)
		return r;
	*ret = rsp_take_ptr(api);
	return 0;
}

struct rsp_api *rsp_api_free(struct rsp_api *api)
{
	if (!api)
		return NULL;
	rsp_varlink_server_free(api->server);
	rsp_listener_free(api->listener);
	free(api);
	return NULL;
}

int rsp_api_listen(struct rsp_api *api, const char *path)
{
	int fd, r;

	r = rsp_listener_new(path, &api->listener, &fd);
	if (r < 0)
		return r;
	return rsp_varlink_server_listen(api->server, fd);
}

int rsp_api_adopt(struct rsp_api *api, int fd)
{
	return rsp_varlink_server_adopt(api->server, fd);
}
