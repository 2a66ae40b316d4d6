/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See api.h. Converts the JSON of io.rsp.Recorder to the C types of the recorder, and back. */
#include "daemon/api/api.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/api/access.h"
#include "daemon/api/listener.h"
#include "daemon/api/status-json.h"
#include "daemon/api/varlink.h"
#include "daemon/base/clock.h"
#include "daemon/snapshots/dump.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/snapshot/decode.h"

#define INTERFACE "io.rsp.Recorder"

/* Maximum age of the cached status for untrusted peers. */
#define STATUS_NS 100000000ULL

extern const char rsp_interface_text[]; /* interface.S */

struct rsp_api {
	struct rsp_varlink_server *server;
	struct rsp_listener *listener;
	gid_t group;
	const struct rsp_recorder_ops *ops;
	void *ctx;
	struct json_object *status; /* the last status, read at status_ns; NULL: not read yet */
	__u64 status_ns;
};

/* --- errors ----------------------------------------------------------------------------------- */

static int fill_reason(struct json_object *o, const void *reason)
{
	return rsp_json_add_string(o, "reason", reason);
}

static void fail_because(struct rsp_call *call, int error, const char *reason)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
		{-ESRCH, INTERFACE ".NoSuchProcess"},	  {-ESTALE, INTERFACE ".TooLongAgo"},
		{-EACCES, INTERFACE ".PermissionDenied"}, {-EBUSY, INTERFACE ".Busy"},
		{-ENOMEM, INTERFACE ".OutOfMemory"},	  {-ENOENT, INTERFACE ".NotFound"},
		{-ENOTUNIQ, INTERFACE ".Ambiguous"},	  {-ESHUTDOWN, INTERFACE ".Paused"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].error == error) {
			rsp_call_error(call, names[i].name, NULL);
			return;
		}
	}
	rsp_call_error(call, INTERFACE ".Failed", rsp_json_object_of(fill_reason, reason));
}

static void fail(struct rsp_call *call, int error)
{
	fail_because(call, error, strerror(-error));
}

/* --- GetStatus -------------------------------------------------------------------------------- */

static int renew_status(struct rsp_api *api)
{
	struct rsp_status status = {0};
	struct json_object *renewed;

	api->ops->get_status(api->ctx, &status);
	renewed = rsp_status_to_json(&status);
	if (!renewed)
		return -ENOMEM;
	json_object_put(api->status);
	api->status = renewed;
	api->status_ns = rsp_now_ns();
	return 0;
}

/* Untrusted peers get a cached status, because making a status drains the rings. */
static void get_status(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	int r = 0;

	if (rsp_now_ns() - api->status_ns > STATUS_NS || rsp_call_peer(call)->trusted)
		r = renew_status(api);
	if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, json_object_get(api->status), -1);
}

/* --- Snapshot --------------------------------------------------------------------------------- */

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

/*
 * Returns false if value is not a string, or contains a NUL character. An absent or null parameter
 * leaves *ret unchanged.
 */
static bool parse_string(struct json_object *value, const char **ret)
{
	if (!value)
		return true;
	if (!json_object_is_type(value, json_type_string))
		return false;
	*ret = json_object_get_string(value);
	return strlen(*ret) == (size_t)json_object_get_string_len(value);
}

static bool parse_target(const char *key, struct json_object *value, struct rsp_target *target,
			 bool *ret_known)
{
	int64_t n = 0;
	bool ok;

	*ret_known = true;
	if (!strcmp(key, "pid")) {
		ok = !value || parse_int(value, 1, INT32_MAX, &n);
		target->pid = (pid_t)n;
	} else if (!strcmp(key, "port")) {
		ok = !value || parse_int(value, 1, UINT16_MAX, &n);
		target->port = (uint16_t)n;
	} else if (!strcmp(key, "unit")) {
		ok = parse_string(value, &target->unit);
	} else if (!strcmp(key, "cgroup")) {
		ok = parse_string(value, &target->cgroup);
	} else if (!strcmp(key, "container")) {
		ok = parse_string(value, &target->container);
	} else if (!strcmp(key, "comm")) {
		ok = parse_string(value, &target->comm);
	} else if (!strcmp(key, "own")) {
		ok = !value || json_object_is_type(value, json_type_boolean);
		target->own = json_object_get_boolean(value);
	} else {
		*ret_known = ok = false;
	}
	return ok;
}

static bool parse_parameter(const char *key, struct json_object *value,
			    struct rsp_snapshot_request *req)
{
	int64_t n = 0;
	bool ok, known;

	ok = parse_target(key, value, &req->target, &known);
	if (known)
		return ok;
	if (!strcmp(key, "since_ns")) {
		ok = !value || parse_int(value, 0, INT64_MAX, &n);
		req->since_ns = (uint64_t)n;
	} else if (!strcmp(key, "until_ns")) {
		ok = !value || parse_int(value, 0, INT64_MAX, &n);
		req->until_ns = value ? (uint64_t)n : UINT64_MAX;
	} else if (!strcmp(key, "exit_status")) {
		ok = !value || parse_int(value, 0, UINT16_MAX, &n);
		req->exit_status = value ? (int32_t)n : -1;
	} else if (!strcmp(key, "command")) {
		ok = parse_string(value, &req->command);
	} else if (!strcmp(key, "store")) {
		ok = !value || json_object_is_type(value, json_type_boolean);
		req->store = json_object_get_boolean(value);
	} else if (!strcmp(key, "headline")) {
		ok = !value || json_object_is_type(value, json_type_boolean);
		req->no_headline = value && !json_object_get_boolean(value);
	}
	return ok;
}

static int target_cnt(const struct rsp_target *target)
{
	return (target->pid != 0) + (target->port != 0) + (target->unit != NULL) +
	       (target->cgroup != NULL) + (target->comm != NULL) + (target->container != NULL) +
	       target->own;
}

/* Returns the name of an invalid or missing parameter, or NULL if all are valid. */
static const char *parse_request(struct json_object *parameters, struct rsp_snapshot_request *req)
{
	json_object_object_foreach (parameters, key, value) {
		if (!parse_parameter(key, value, req))
			return key;
	}
	if (target_cnt(&req->target) != 1)
		return "pid";
	return req->until_ns < req->since_ns ? "until_ns" : NULL;
}

/* If the caller lacks the rights, answers the call with an error. */
static bool may(struct rsp_api *api, struct rsp_call *call, bool trusted_only)
{
	if (rsp_call_peer(call)->trusted || (!trusted_only && api->ops->users_may_ask(api->ctx)))
		return true;
	fail(call, -EACCES);
	return false;
}

/* A Snapshot call in progress. */
struct asked {
	struct rsp_api *api;
	struct rsp_call *call;
	struct rsp_job *job;
};

static void on_client_gone(void *userdata)
{
	struct asked *asked = userdata;

	asked->api->ops->cancel(asked->api->ctx, asked->job);
	free(asked);
}

static int fill_snapshot(struct json_object *o, const void *from)
{
	const struct rsp_snapshot_result *result = from;
	int r = rsp_json_add_string(o, "id", result->id);

	r |= rsp_json_add_string(o, "path", result->path);
	r |= rsp_json_add_string(o, "unstored", result->unstored);
	r |= rsp_json_add_string(o, "headline", result->headline);
	r |= rsp_json_add_number(o, "size", result->size);
	return r | rsp_json_add_number(o, "fd", 0); /* index among the descriptors of the reply */
}

static int fill_candidates(struct json_object *o, const void *candidates)
{
	return rsp_json_add_string(o, "candidates", candidates);
}

static void on_snapshot(int error, const struct rsp_snapshot_result *result, void *userdata)
{
	struct asked *asked = userdata;
	struct rsp_call *call = asked->call;
	int fd = -1;

	free(asked);
	if (error == 0) {
		fd = fcntl(result->fd, F_DUPFD_CLOEXEC, 3);
		error = fd < 0 ? -errno : 0;
	}
	if (error == -ENOTUNIQ && result)
		rsp_call_error(call, INTERFACE ".Ambiguous",
			       rsp_json_object_of(fill_candidates, result->candidates));
	else if (error < 0)
		fail_because(call, error, rsp_dump_error_text(error));
	else
		rsp_call_reply(call, rsp_json_object_of(fill_snapshot, result), fd);
}

static int begin_snapshot(struct rsp_api *api, struct rsp_call *call,
			  const struct rsp_snapshot_request *req)
{
	struct asked *asked;
	int r;

	asked = calloc(1, sizeof(*asked));
	if (!asked)
		return -ENOMEM;
	*asked = (struct asked){.api = api, .call = call};
	r = api->ops->snapshot(api->ctx, req, on_snapshot, asked, &asked->job);
	if (r < 0)
		free(asked);
	else
		rsp_call_watch(call, on_client_gone, asked);
	return r;
}

static void snapshot(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
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
	if (!may(api, call, false))
		return;
	r = begin_snapshot(api, call, &req);
	if (r < 0)
		fail(call, r);
}

/* --- Watch ------------------------------------------------------------------------------------ */

/* A watch ends when the connection of its client closes. */
struct watching {
	struct rsp_api *api;
	unsigned int number;
};

static void on_watcher_gone(void *userdata)
{
	struct watching *watching = userdata;

	watching->api->ops->unwatch(watching->api->ctx, watching->number);
	free(watching);
}

static bool parse_memory(struct json_object *kinds, __u32 *ret)
{
	if (!kinds)
		return true;
	if (!json_object_is_type(kinds, json_type_array))
		return false;
	for (size_t i = 0; i < json_object_array_length(kinds); i++) {
		struct json_object *name = json_object_array_get_idx(kinds, i);
		__u32 kind = json_object_is_type(name, json_type_string)
				     ? rsp_memory_kind_parse(json_object_get_string(name))
				     : 0;

		if (!kind)
			return false;
		*ret |= 1U << kind;
	}
	return true;
}

static const char *parse_watch(struct json_object *parameters, struct rsp_watch_request *request,
			       int64_t *limit_ns)
{
	int64_t pid = 0;

	json_object_object_foreach (parameters, key, value) {
		bool ok = false;

		if (!strcmp(key, "syscalls")) {
			ok = !value || json_object_is_type(value, json_type_boolean);
			request->calls = json_object_get_boolean(value);
		} else if (!strcmp(key, "memory")) {
			ok = parse_memory(value, &request->memory_kinds);
		} else if (!strcmp(key, "pid")) {
			ok = !value || parse_int(value, 1, INT_MAX, &pid);
		} else if (!strcmp(key, "limit_ns")) {
			ok = !value || parse_int(value, 1, RSP_AFTER_MAX_NS, limit_ns);
		}
		if (!ok)
			return key;
	}
	request->pid = (pid_t)pid;
	return request->memory_kinds && !pid ? "pid" : NULL;
}

static void watch(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	int64_t limit_ns = RSP_AFTER_MAX_NS;
	struct watching *watching;
	struct rsp_watch_request request = {0};
	const char *wrong = parse_watch(parameters, &request, &limit_ns);
	int r;

	if (wrong) {
		rsp_call_invalid(call, wrong);
		return;
	}
	if (!may(api, call, true))
		return;
	watching = calloc(1, sizeof(*watching));
	if (!watching) {
		fail(call, -ENOMEM);
		return;
	}
	watching->api = api;
	r = api->ops->watch(api->ctx, &request, (uint64_t)limit_ns, &watching->number);
	if (r < 0) {
		free(watching);
		fail(call, r);
		return;
	}
	rsp_call_watch_connection(call, on_watcher_gone, watching);
	rsp_call_reply(call, json_object_new_object(), -1);
}

/* --- calls for trusted peers only ------------------------------------------------------------- */

static int fill_recent(struct json_object *o, const void *from)
{
	const struct rsp_recent *recent = from;
	int r = rsp_json_add_number(o, "position", recent->position);

	r |= rsp_json_add_number(o, "now_ns", recent->now_ns);
	r |= json_object_object_add(o, "missed", json_object_new_boolean(recent->missed));
	r |= rsp_json_add_number(o, "size", recent->size);
	return r | rsp_json_add_number(o, "fd", 0); /* index among the descriptors of the reply */
}

static void recent(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	struct rsp_recent recent;
	int64_t position = 0;
	int r;

	json_object_object_foreach (parameters, key, value) {
		if (strcmp(key, "position") != 0 ||
		    (value && !parse_int(value, 0, INT64_MAX, &position))) {
			rsp_call_invalid(call, key);
			return;
		}
	}
	if (!may(api, call, true))
		return;
	r = api->ops->recent(api->ctx, (uint64_t)position, &recent);
	if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, rsp_json_object_of(fill_recent, &recent), recent.fd);
}

/*
 * name must be the only parameter. If the parameters are invalid, answers the call with an error
 * and returns NULL.
 */
static const char *only_string(struct rsp_call *call, struct json_object *parameters,
			       const char *name)
{
	const char *ret = NULL;

	json_object_object_foreach (parameters, key, value) {
		if (strcmp(key, name) != 0 || !parse_string(value, &ret)) {
			rsp_call_invalid(call, key);
			return NULL;
		}
	}
	if (!ret)
		rsp_call_invalid(call, name);
	return ret;
}

static void act(struct rsp_api *api, struct rsp_call *call, struct json_object *parameters,
		const char *name,
		int (*action)(void *ctx, const char *value, const struct rsp_peer *peer))
{
	const char *value = only_string(call, parameters, name);
	int r;

	if (!value || !may(api, call, true))
		return;
	r = action(api->ctx, value, rsp_call_peer(call));
	if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, json_object_new_object(), -1);
}

static void trigger(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;

	act(api, call, parameters, "slo", api->ops->trigger);
}

static void mark(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	const char *text = only_string(call, parameters, "text");
	int r;

	if (!text || !may(api, call, true))
		return;
	r = api->ops->mark(api->ctx, text, rsp_call_peer(call));
	if (r == -EINVAL)
		rsp_call_invalid(call, "text");
	else if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, json_object_new_object(), -1);
}

static int fill_unkept(struct json_object *o, const void *error)
{
	int unkept = *(const int *)error;

	return rsp_json_add_string(o, "unkept", unkept < 0 ? strerror(-unkept) : "");
}

static const char *parse_pause(struct json_object *parameters, const char **reason, int64_t *for_ns)
{
	json_object_object_foreach (parameters, key, value) {
		bool ok = false;

		if (!strcmp(key, "reason"))
			ok = parse_string(value, reason);
		else if (!strcmp(key, "for_ns"))
			ok = !value || parse_int(value, 1, RSP_PAUSE_MAX_NS, for_ns);
		if (!ok)
			return key;
	}
	return rsp_pause_reason_is_valid(*reason) ? NULL : "reason";
}

static void pause_recording(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	const char *reason = "", *wrong;
	int64_t for_ns = 0;
	int unkept = 0, r;

	wrong = parse_pause(parameters, &reason, &for_ns);
	if (wrong) {
		rsp_call_invalid(call, wrong);
		return;
	}
	if (!may(api, call, true))
		return;
	r = api->ops->pause(api->ctx, reason, (uint64_t)for_ns, rsp_call_peer(call), &unkept);
	if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, rsp_json_object_of(fill_unkept, &unkept), -1);
}

static void resume_recording(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	int r;

	json_object_object_foreach (parameters, key, value) {
		(void)value;
		rsp_call_invalid(call, key);
		return;
	}
	if (!may(api, call, true))
		return;
	r = api->ops->resume(api->ctx, rsp_call_peer(call));
	if (r < 0)
		fail(call, r);
	else
		rsp_call_reply(call, json_object_new_object(), -1);
}

static int fill_prepared(struct json_object *o, const void *pending)
{
	return rsp_json_add_number(o, "pending", *(const unsigned int *)pending);
}

static bool parse_prepare(const char *key, struct json_object *value, int64_t *pid,
			  struct json_object **aside)
{
	if (!strcmp(key, "pid"))
		return !value || parse_int(value, 0, INT32_MAX, pid);
	*aside = value;
	return !strcmp(key, "aside") && (!value || json_object_is_type(value, json_type_boolean));
}

static void prepare(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	struct json_object *aside = NULL;
	unsigned int pending;
	int64_t pid = -1;

	json_object_object_foreach (parameters, key, value) {
		if (!parse_prepare(key, value, &pid, &aside)) {
			rsp_call_invalid(call, key);
			return;
		}
	}
	if (!may(api, call, true))
		return;
	if (aside)
		api->ops->stand_aside(api->ctx, json_object_get_boolean(aside));
	pending = api->ops->prepare(api->ctx, (pid_t)pid);
	rsp_call_reply(call, rsp_json_object_of(fill_prepared, &pending), -1);
}

static void delete_snapshot(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;

	act(api, call, parameters, "id", api->ops->delete);
}

/* --- Summaries -------------------------------------------------------------------------------- */

/*
 * Maximum number of bytes of a reply without its entries (summaries), and of an entry without its
 * text.
 */
#define REPLY_BYTES 512
#define ENTRY_BYTES 64

static int fill_entry(struct json_object *o, const void *from)
{
	const struct rsp_summary_entry *entry = from;
	int r = rsp_json_add_number(o, "number", entry->number);

	return r | rsp_json_add_string(o, "json", entry->text);
}

/* Returns the summary with this number and later ones, as many as fit in a message. */
static struct json_object *list_entries(const struct rsp_summary_ring *ring, uint64_t number)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();
	size_t room = RSP_VARLINK_MESSAGE_MAX - REPLY_BYTES;
	const struct rsp_summary_entry *entry;

	for (; array && (entry = rsp_summary_ring_get(ring, number)); number++) {
		if (entry->cost + ENTRY_BYTES > room)
			break;
		room -= entry->cost + ENTRY_BYTES;
		if (rsp_json_append(array, rsp_json_object_of(fill_entry, entry)) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

struct summaries_query {
	const struct rsp_summary_ring *ring;
	uint64_t after;
};

static int fill_summaries(struct json_object *o, const void *from)
{
	const struct summaries_query *query = from;
	uint64_t oldest = rsp_summary_ring_oldest(query->ring), first = query->after + 1;
	int r = rsp_json_add_string(o, "boot", query->ring->boot);

	if (first < oldest)
		first = oldest;
	r |= rsp_json_add(o, "summaries", list_entries(query->ring, first));
	return r | rsp_json_add_number(o, "missed", first - query->after - 1);
}

/*
 * Numbers begin at 1 at each start of the recorder, which ring->boot identifies. If the client
 * passes no boot, or another one, "after" is ignored.
 */
static void summaries(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	struct rsp_api *api = ctx;
	const char *boot = NULL;
	struct summaries_query query;
	int64_t after = 0;

	json_object_object_foreach (parameters, key, value) {
		bool ok = false;

		if (!strcmp(key, "boot"))
			ok = parse_string(value, &boot);
		else if (!strcmp(key, "after"))
			ok = !value || parse_int(value, 0, INT64_MAX - 1, &after);
		if (!ok) {
			rsp_call_invalid(call, key);
			return;
		}
	}
	if (!may(api, call, true))
		return;
	query.ring = api->ops->summaries(api->ctx);
	query.after = boot && !strcmp(boot, query.ring->boot) ? (uint64_t)after : 0;
	if (query.after > query.ring->made)
		query.after = query.ring->made;
	rsp_call_reply(call, rsp_json_object_of(fill_summaries, &query), -1);
}

/* --- the server ------------------------------------------------------------------------------- */

static const struct rsp_varlink_method methods[] = {
	{"GetStatus", get_status},  {"Snapshot", snapshot},
	{"Trigger", trigger},	    {"Delete", delete_snapshot},
	{"Prepare", prepare},	    {"Mark", mark},
	{"Watch", watch},	    {"Recent", recent},
	{"Pause", pause_recording}, {"Resume", resume_recording},
	{"Summaries", summaries},
};

static int identify(void *ctx, int fd, struct rsp_peer *ret)
{
	struct rsp_api *api = ctx;

	return rsp_access_of_socket(fd, api->group, ret);
}

static const struct rsp_varlink_interface interface = {
	.name = INTERFACE,
	.description = rsp_interface_text,
	.product = "RSP",
	.version = RSP_VERSION,
	.methods = methods,
	.method_cnt = sizeof(methods) / sizeof(methods[0]),
	.identify = identify,
};

int rsp_api_new(sd_event *event, sd_event *guests, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret)
{
	_cleanup_free_ struct rsp_api *api = calloc(1, sizeof(*api));
	int r;

	if (!api)
		return -ENOMEM;
	api->ops = ops;
	api->ctx = ctx;
	api->group = rsp_access_group();
	r = rsp_varlink_server_new(event, guests, &interface, api, &api->server);
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
	json_object_put(api->status);
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

int rsp_api_listen_fd(struct rsp_api *api, int fd)
{
	return rsp_varlink_server_listen(api->server, fd);
}

int rsp_api_adopt(struct rsp_api *api, int fd)
{
	return rsp_varlink_server_adopt(api->server, fd);
}
