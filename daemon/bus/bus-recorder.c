/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements io.rsp.Recorder1: converts calls of its methods and reads of its properties to calls
 * of the recorder (api/api.h).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/access.h"
#include "daemon/base/clock.h"
#include "daemon/bus/bus-objects.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

/* --- Snapshot --------------------------------------------------------------------------------- */

struct snapshot_options {
	uint64_t last_usec;  /* UINT64_MAX: all of the window */
	uint64_t after_usec; /* how long to continue recording; 0: the snapshot ends now */
	int store;	     /* whether to store the snapshot; -1: store it if the caller may */
};

/* The property SnapshotOptions lists these options, too. */
static const struct {
	const char *key, *type, *meaning;
	size_t off;
} known_options[] = {
	{"last-usec", "t", "length of the recent past, in microseconds",
	 offsetof(struct snapshot_options, last_usec)},
	{"after-usec", "t", "how long to continue recording, in microseconds, at most 600000000",
	 offsetof(struct snapshot_options, after_usec)},
	{"store", "b", "keep it in the store; default: if the caller has the right",
	 offsetof(struct snapshot_options, store)},
};

#define KNOWN_OPTION_CNT (sizeof(known_options) / sizeof(known_options[0]))

static int read_option(sd_bus_message *m, struct snapshot_options *opt)
{
	const char *key;
	int r = sd_bus_message_read(m, "s", &key);

	if (r < 0)
		return r;
	for (size_t i = 0; i < KNOWN_OPTION_CNT; i++) {
		if (strcmp(known_options[i].key, key) == 0)
			return sd_bus_message_read(m, "v", known_options[i].type,
						   (char *)opt + known_options[i].off) < 0
				       ? -EINVAL
				       : 0;
	}
	return -EINVAL;
}

/* Fails if the message contains more options than exist, to limit the work for one message. */
static int read_options(sd_bus_message *m, struct snapshot_options *opt)
{
	int r = sd_bus_message_enter_container(m, 'a', "{sv}");
	size_t cnt = 0;

	while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
		r = cnt++ < KNOWN_OPTION_CNT ? read_option(m, opt) : -EINVAL;
		if (r >= 0)
			r = sd_bus_message_exit_container(m);
	}
	return r;
}

/* Returns 0 if s is not a number from 1 to max. */
static unsigned long parse_number(const char *s, unsigned long max)
{
	unsigned long n;

	if (!*s || s[strspn(s, "0123456789")])
		return 0;
	errno = 0;
	n = strtoul(s, NULL, 10);
	return errno || n > max ? 0 : n;
}

static int parse_target(const char *kind, const char *value, struct rsp_target *ret)
{
	struct rsp_target t = {0};
	bool ok = *value && strnlen(value, RSP_BUS_STRING_MAX) < RSP_BUS_STRING_MAX;

	if (strcmp(kind, "own") == 0)
		ok = t.own = !*value; /* the user is known from the bus, not from the message */
	else if (strcmp(kind, "pid") == 0)
		ok = ok && (t.pid = (pid_t)parse_number(value, INT32_MAX));
	else if (strcmp(kind, "port") == 0)
		ok = ok && (t.port = (uint16_t)parse_number(value, UINT16_MAX));
	else if (strcmp(kind, "unit") == 0)
		t.unit = value;
	else if (strcmp(kind, "cgroup") == 0)
		t.cgroup = value;
	else if (strcmp(kind, "container") == 0)
		t.container = value;
	else if (strcmp(kind, "comm") == 0)
		t.comm = value;
	else
		ok = false;
	if (!ok)
		return -EINVAL;
	*ret = t;
	return 0;
}

static int set_span(struct rsp_snapshot_request *req, const struct snapshot_options *opt)
{
	uint64_t now_ns = rsp_now_ns();

	if (opt->after_usec > RSP_AFTER_MAX_NS / 1000 || !opt->last_usec)
		return -EINVAL;
	req->since_ns = opt->last_usec < now_ns / 1000 ? now_ns - opt->last_usec * 1000 : 0;
	req->until_ns = opt->after_usec ? now_ns + opt->after_usec * 1000 : UINT64_MAX;
	return 0;
}

static int reply_snapshot(sd_bus_message *call, const struct rsp_snapshot_result *result)
{
	_cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
	char *headline = strdup(result->headline);
	int r = headline ? sd_bus_message_new_method_return(call, &reply) : -ENOMEM;

	if (r >= 0) {
		rsp_text_clean(headline);
		r = sd_bus_message_append(reply, "sssh", result->id, result->path, headline,
					  result->fd);
	}
	free(headline);
	return r < 0 ? r : sd_bus_send(NULL, reply, NULL);
}

static void on_snapshot(int error, const struct rsp_snapshot_result *result, void *userdata)
{
	struct rsp_bus_request *req = userdata;

	if (error == 0)
		error = reply_snapshot(req->call, result);
	rsp_bus_request_end(req, error < 0 ? error : 1);
}

/* Sets all fields of *ret except peer and store. */
static int read_snapshot(sd_bus_message *call, struct rsp_snapshot_request *ret, int *ret_store)
{
	struct snapshot_options opt = {.last_usec = UINT64_MAX, .store = -1};
	struct rsp_snapshot_request req = {.command = "", .exit_status = -1};
	const char *kind, *value;
	int r;

	r = sd_bus_message_read(call, "ss", &kind, &value);
	if (r >= 0)
		r = read_options(call, &opt);
	if (r >= 0)
		r = parse_target(kind, value, &req.target);
	if (r >= 0)
		r = set_span(&req, &opt);
	if (r < 0)
		return r;
	*ret = req;
	*ret_store = opt.store;
	return 0;
}

static int check_snapshot(sd_bus_message *call)
{
	struct rsp_snapshot_request wanted;
	int store;

	return read_snapshot(call, &wanted, &store);
}

/*
 * First tries the rights that every user has for their own processes. On -EACCES,
 * rsp_bus_request_end() asks polkit, which may ask the user for a password.
 */
static int snapshot(struct rsp_bus_request *req)
{
	struct rsp_bus_context *c = req->userdata;
	struct rsp_snapshot_request wanted;
	int store, r = read_snapshot(req->call, &wanted, &store);

	if (r < 0)
		return r;
	wanted.peer = req->peer;
	wanted.store = store < 0 ? req->peer.trusted : store;
	if (!req->peer.trusted && (wanted.store || !c->ops->users_may_ask(c->ctx)))
		return -EACCES;
	return c->ops->snapshot(c->ctx, &wanted, on_snapshot, req, &req->job);
}

static void cancel_snapshot(struct rsp_bus_request *req)
{
	struct rsp_bus_context *c = req->userdata;

	c->ops->cancel(c->ctx, req->job);
}

/* --- the store, and SLOs ---------------------------------------------------------------------- */

static int check_nothing(sd_bus_message *call)
{
	return 0;
}

static int list(struct rsp_bus_request *req)
{
	_cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
	struct rsp_bus_context *c = req->userdata;
	int r;

	if (!req->peer.trusted)
		return -EACCES;
	r = sd_bus_message_new_method_return(req->call, &reply);
	if (r >= 0)
		r = rsp_bus_append_snapshots(reply, c->store_dir);
	if (r >= 0)
		r = sd_bus_send(NULL, reply, NULL);
	return r < 0 ? r : 1;
}

static int check_string(sd_bus_message *call)
{
	const char *s;
	int r = sd_bus_message_read(call, "s", &s);

	if (r < 0)
		return r;
	return strnlen(s, RSP_BUS_STRING_MAX) < RSP_BUS_STRING_MAX ? 0 : -EINVAL;
}

static int call_with_string(struct rsp_bus_request *req,
			    int (*op)(void *ctx, const char *s, const struct rsp_peer *peer))
{
	struct rsp_bus_context *c = req->userdata;
	const char *s;
	int r;

	if (!req->peer.trusted)
		return -EACCES;
	r = sd_bus_message_read(req->call, "s", &s);
	if (r >= 0)
		r = op(c->ctx, s, &req->peer);
	return r < 0 ? r : sd_bus_reply_method_return(req->call, NULL);
}

static int delete_snapshot(struct rsp_bus_request *req)
{
	struct rsp_bus_context *c = req->userdata;

	return call_with_string(req, c->ops->delete);
}

static int trigger(struct rsp_bus_request *req)
{
	struct rsp_bus_context *c = req->userdata;

	return call_with_string(req, c->ops->trigger);
}

/* --- verbs ------------------------------------------------------------------------------------ */

static const struct rsp_bus_verb snapshot_verb = {
	.action = "io.rsp.recorder.snapshot",
	.purpose = "take a snapshot of other users' processes, or to store one",
	.check = check_snapshot,
	.perform = snapshot,
	.cancel = cancel_snapshot,
	.errors =
		(const struct rsp_bus_error[]){
			{-ESRCH, RSP_BUS_ERROR "NoSuchProcess",
			 "the window contains no such process"},
			{-ENOTUNIQ, RSP_BUS_ERROR "Ambiguous",
			 "processes of several containers match"},
			{-ENOENT, RSP_BUS_ERROR "NoSuchUnit", "there is no such unit or cgroup"},
			{-ESTALE, RSP_BUS_ERROR "TooLongAgo",
			 "the window does not reach so far back"},
			{0},
		},
};

static const struct rsp_bus_verb list_verb = {
	.action = "io.rsp.recorder.list",
	.purpose = "list snapshots",
	.check = check_nothing,
	.perform = list,
};

static const struct rsp_bus_verb delete_verb = {
	.action = "io.rsp.recorder.delete",
	.purpose = "delete a snapshot",
	.check = check_string,
	.perform = delete_snapshot,
	.errors =
		(const struct rsp_bus_error[]){
			{-ENOENT, RSP_BUS_ERROR "NoSuchSnapshot",
			 "no snapshot has an ID with this beginning"},
			{-ENOTUNIQ, RSP_BUS_ERROR "Ambiguous",
			 "several snapshots have IDs with this beginning"},
			{0},
		},
};

static const struct rsp_bus_verb trigger_verb = {
	.action = "io.rsp.recorder.trigger",
	.purpose = "trigger an SLO",
	.check = check_string,
	.perform = trigger,
	.errors =
		(const struct rsp_bus_error[]){
			{-ENOENT, RSP_BUS_ERROR "NoSuchSLO", "no SLO has that name"},
			{0},
		},
};

static int begin(sd_bus_message *m, struct rsp_bus_context *c, const struct rsp_bus_verb *verb)
{
	return rsp_bus_request_begin(&c->requests, m, verb, c);
}

static int on_snapshot_call(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	return begin(m, userdata, &snapshot_verb);
}

static int on_list_call(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	return begin(m, userdata, &list_verb);
}

static int on_delete_call(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	return begin(m, userdata, &delete_verb);
}

static int on_trigger_call(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	return begin(m, userdata, &trigger_verb);
}

#define FIGURES_NS 100000000ULL

/* --- properties: any user may read them ------------------------------------------------------- */

static const struct figure {
	const char *name;
	char type;
	size_t off;
} figures[] = {
	{"UptimeUSec", 't', offsetof(struct rsp_bus_figures, uptime_usec)},
	{"WindowUSec", 't', offsetof(struct rsp_bus_figures, window_usec)},
	{"WindowBytes", 't', offsetof(struct rsp_bus_figures, window_bytes)},
	{"Events", 't', offsetof(struct rsp_bus_figures, events)},
	{"Lost", 't', offsetof(struct rsp_bus_figures, lost)},
	{"CostPPM", 'u', offsetof(struct rsp_bus_figures, cost_ppm)},
	{"BudgetPPM", 'u', offsetof(struct rsp_bus_figures, budget_ppm)},
	{"Shed", 's', offsetof(struct rsp_bus_figures, shed)},
	{"Snapshots", 't', offsetof(struct rsp_bus_figures, snapshots)},
	{"StoreBytes", 't', offsetof(struct rsp_bus_figures, store_bytes)},
	{"StoreFiles", 'u', offsetof(struct rsp_bus_figures, store_files)},
};

/*
 * Any user may read the properties, and GetAll reads them one by one. So the values are cached for
 * a tenth of a second.
 */
static void read_figures(struct rsp_bus_context *c)
{
	struct rsp_status s = {0};
	uint64_t now_ns = rsp_now_ns();

	if (c->figures_ns && now_ns - c->figures_ns < FIGURES_NS)
		return;
	c->figures_ns = now_ns;
	c->ops->get_status(c->ctx, &s);
	c->figures = (struct rsp_bus_figures){
		.uptime_usec = s.uptime_ns / 1000,
		.window_usec = s.window.oldest_ns ? (s.window.newest_ns - s.window.oldest_ns) / 1000
						  : 0,
		.window_bytes = s.window.bytes,
		.events = s.window.events,
		.lost = s.window.lost_cnt,
		.cost_ppm = s.cost.cost_ppm,
		.budget_ppm = s.cost.budget_ppm,
		.shed = rsp_shed_name(s.cost.shed),
		.snapshots = s.snapshots.asked + s.snapshots.breached,
		.store_bytes = s.store.bytes,
		.store_files = s.store.files,
	};
}

static int get_figure(sd_bus *bus, const char *path, const char *interface, const char *property,
		      sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus_context *c = userdata;

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const void *value;

		if (strcmp(figures[i].name, property) != 0)
			continue;
		read_figures(c);
		value = (const char *)&c->figures + figures[i].off;
		if (figures[i].type == 's') /* sd-bus expects the string itself, not its address */
			value = *(const char *const *)value;
		return sd_bus_message_append_basic(reply, figures[i].type, value);
	}
	return -ENOENT;
}

static int get_version(sd_bus *bus, const char *path, const char *interface, const char *property,
		       sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	return sd_bus_message_append(reply, "s", RSP_VERSION);
}

static int get_options(sd_bus *bus, const char *path, const char *interface, const char *property,
		       sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	int r = sd_bus_message_open_container(reply, 'a', "{s(ss)}");

	for (size_t i = 0; r >= 0 && i < KNOWN_OPTION_CNT; i++)
		r = sd_bus_message_append(reply, "{s(ss)}", known_options[i].key,
					  known_options[i].type, known_options[i].meaning);
	return r < 0 ? r : sd_bus_message_close_container(reply);
}

/* --- the interface ---------------------------------------------------------------------------- */

/*
 * Turns off sd-bus's own check of rights, which would wait for the bus. The methods check the
 * caller's rights themselves.
 */
#define ANYBODY SD_BUS_VTABLE_UNPRIVILEGED

#define FIGURE(name, type) SD_BUS_PROPERTY(name, type, get_figure, 0, 0)

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("Version", "s", get_version, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("SnapshotOptions", "a{s(ss)}", get_options, 0,
			SD_BUS_VTABLE_PROPERTY_CONST),
	FIGURE("UptimeUSec", "t"),
	FIGURE("WindowUSec", "t"),
	FIGURE("WindowBytes", "t"),
	FIGURE("Events", "t"),
	FIGURE("Lost", "t"),
	FIGURE("CostPPM", "u"),
	FIGURE("BudgetPPM", "u"),
	FIGURE("Shed", "s"),
	FIGURE("Snapshots", "t"),
	FIGURE("StoreBytes", "t"),
	FIGURE("StoreFiles", "u"),
	SD_BUS_METHOD_WITH_ARGS("Snapshot", SD_BUS_ARGS("s", target, "s", value, "a{sv}", options),
				SD_BUS_RESULT("s", id, "s", path, "s", headline, "h", file),
				on_snapshot_call, ANYBODY),
	SD_BUS_METHOD_WITH_ARGS("ListSnapshots", SD_BUS_NO_ARGS,
				SD_BUS_RESULT("a(stts)", snapshots), on_list_call, ANYBODY),
	SD_BUS_METHOD_WITH_ARGS("DeleteSnapshot", SD_BUS_ARGS("s", id), SD_BUS_NO_RESULT,
				on_delete_call, ANYBODY),
	SD_BUS_METHOD_WITH_ARGS("Trigger", SD_BUS_ARGS("s", slo), SD_BUS_NO_RESULT, on_trigger_call,
				ANYBODY),
	SD_BUS_SIGNAL_WITH_ARGS("SnapshotTaken",
				SD_BUS_ARGS("s", id, "s", slo, "u", pid, "s", path, "s", headline),
				0),
	SD_BUS_VTABLE_END,
};

int rsp_bus_add_recorder(sd_bus *bus, struct rsp_bus_context *c)
{
	int r = sd_bus_add_object_vtable(bus, NULL, RSP_BUS_PATH, RSP_BUS_NAME, vtable, c);

	return r < 0 ? r : 0;
}
