/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays the recorder on the bus, or another program on the bus that the recorder talks to:
 *
 *	bus-harness recorder STORE   runs daemon/bus/bus.c, with operations that print the requests
 *	bus-harness polkit ACTION…   plays a polkit that allows these actions without a password
 *	bus-harness listen           prints each SnapshotTaken signal
 *	bus-harness systemd NAME=CGROUP…  plays a systemd with these services
 *	bus-harness units NAME=STATE…  plays a systemd that sends signals of these unit changes
 *	bus-harness spoof NAME=STATE…  sends such signals as another user
 *	bus-harness flood            requests all properties in a loop, with 64 calls under way
 *
 * Each mode prints "ready" when it has started. The mode recorder pretends that PID 404 does not
 * exist, that a snapshot of PID 405 fails after a while, that a snapshot of PID 500 never ends, and
 * that untrusted clients own only PIDs 1000 and 500. It announces each stored snapshot, and prints
 * a line on SIGUSR1. SIGTERM ends the mode flood, which then prints the number of answers.
 */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/journal.h"
#include "daemon/bus/bus.h"

/*
 * There may be no group "rsp". So this file's getgrnam() returns the ID of "daemon", a group that
 * every machine has.
 */
#define GROUP 1

struct rsp_job {
	sd_event_source *source;
	rsp_snapshot_done_fn done;
	void *userdata;
	pid_t pid;
	struct rsp_peer peer;
	bool store;
};

static sd_event *event;
static struct rsp_bus *bus;
static struct rsp_share share = {.places = 8, .per_user = 1}; /* as in the recorder */

struct group *getgrnam(const char *name)
{
	static struct group rsp = {.gr_name = "rsp", .gr_gid = GROUP};

	return strcmp(name, "rsp") == 0 ? &rsp : NULL;
}

/* --- the recorder's operations --------------------------------------------------------------- */

static void get_status(void *ctx, struct rsp_status *ret)
{
	puts("status");
	*ret = (struct rsp_status){
		.uptime_ns = 7000000000,
		.window = {.bytes = 4096,
			   .events = 12,
			   .lost_cnt = 3,
			   .oldest_ns = 1000000000,
			   .newest_ns = 3500000000},
		.cost = {.cost_ppm = 4000, .budget_ppm = 10000, .shed = RSP_SHED_SAMPLES},
		.snapshots = {.asked = 5, .breached = 2},
		.store = {.bytes = 8192, .files = 2},
	};
}

static void finish(struct rsp_job *job)
{
	static const char path[] = "/store/ab12.rsp", headline[] = "it\nwaited";
	struct rsp_snapshot_result result = {
		.id = "ab12",
		.path = job->store ? path : "",
		.headline = headline,
		.fd = memfd_create("snapshot", MFD_CLOEXEC),
		.size = 0,
	};

	if (job->store)
		rsp_bus_emit_snapshot(bus, result.id, "", job->pid, path, headline);
	job->done(job->pid == 405 ? -ESRCH : 0, job->pid == 405 ? NULL : &result, job->userdata);
	close(result.fd);
}

static int on_job(sd_event_source *source, void *userdata)
{
	struct rsp_job *job = userdata;

	if (job->pid == 500)
		return 0;
	rsp_share_give(&share, &job->peer);
	finish(job);
	sd_event_source_unref(job->source);
	free(job);
	return 0;
}

static const char *or_none(const char *s)
{
	return s ? s : "-";
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *req, rsp_snapshot_done_fn done,
		    void *userdata, struct rsp_job **ret)
{
	const struct rsp_target *t = &req->target;
	uint64_t now_ns = rsp_now_ns();
	struct rsp_job *job;

	printf("snapshot pid=%d port=%u unit=%s cgroup=%s comm=%s container=%s last=%llu after=%llu store=%d "
	       "uid=%u trusted=%d own=%d\n",
	       (int)t->pid, t->port, or_none(t->unit), or_none(t->cgroup), or_none(t->comm),
	       or_none(t->container),
	       req->since_ns ? (unsigned long long)((now_ns - req->since_ns) / 1000000000) : 0,
	       req->until_ns == UINT64_MAX
		       ? 0
		       : (unsigned long long)((req->until_ns - now_ns + 999999999) / 1000000000),
	       req->store, (unsigned int)req->peer.uid, req->peer.trusted, t->own);
	if (t->pid == 404)
		return -ESRCH;
	if (t->unit && strcmp(t->unit, "none.service") == 0)
		return -ENOENT;
	if (!req->peer.trusted && !t->own && t->pid != 1000 && t->pid != 500)
		return -EACCES;
	if (rsp_share_take(&share, &req->peer) < 0)
		return -EBUSY;
	job = calloc(1, sizeof(*job));
	if (!job)
		return -ENOMEM;
	*job = (struct rsp_job){.done = done,
				.userdata = userdata,
				.pid = t->pid,
				.peer = req->peer,
				.store = req->store};
	sd_event_add_defer(event, &job->source, on_job, job);
	*ret = job;
	return 0;
}

static void cancel(void *ctx, struct rsp_job *job)
{
	printf("cancelled %d\n", (int)job->pid);
	rsp_share_give(&share, &job->peer);
	sd_event_source_disable_unref(job->source);
	free(job);
}

static int trigger(void *ctx, const char *slo, const struct rsp_peer *peer)
{
	printf("trigger %s\n", slo);
	return strcmp(slo, "checkout") == 0 ? 0 : -ENOENT;
}

static int delete_snapshot(void *ctx, const char *id, const struct rsp_peer *peer)
{
	printf("delete %s\n", id);
	if (strcmp(id, "a") == 0)
		return -ENOTUNIQ;
	return strcmp(id, "ab") == 0 ? 0 : -ENOENT;
}

static void unit_changed(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns)
{
	static const char *const types[RSP_MARK_TYPE_MAX] = {[RSP_MARK_STARTED] = "started",
							     [RSP_MARK_STOPPED] = "stopped",
							     [RSP_MARK_FAILED] = "failed"};

	printf("unit %s %s\n", unit, types[type]);
}

static bool users_may_ask(void *ctx)
{
	return true;
}

static const struct rsp_recorder_ops ops = {
	.get_status = get_status,
	.snapshot = snapshot,
	.cancel = cancel,
	.trigger = trigger,
	.delete = delete_snapshot,
	.users_may_ask = users_may_ask,
	.unit_changed = unit_changed,
};

static int on_usr1(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata)
{
	puts("alive");
	return 0;
}

static int run_recorder(const char *store)
{
	int r = sd_event_add_signal(event, NULL, SIGUSR1, on_usr1, NULL);

	rsp_journal_init();
	if (r < 0)
		return r;
	r = rsp_bus_new(event, &ops, NULL, store, &bus);
	if (r >= 0) {
		puts("ready");
		r = sd_event_loop(event);
	}
	rsp_bus_free(bus);
	return r;
}

/* --- polkit ---------------------------------------------------------------------------------- */

static int on_check(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	char **allowed = userdata;
	const char *kind, *key, *name, *action;
	int yes = 0;
	int r = sd_bus_message_read(m, "(sa{sv})s", &kind, 1, &key, "s", &name, &action);

	if (r < 0)
		return r;
	for (; *allowed; allowed++)
		yes |= strcmp(*allowed, action) == 0;
	printf("check %s %s %s\n", kind, key, action);
	return sd_bus_reply_method_return(m, "(bba{ss})", yes, !yes, 0);
}

static const sd_bus_vtable polkit_vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", on_check,
		      SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

static int on_signal(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	const char *id, *slo, *path, *headline;
	uint32_t pid;
	int r = sd_bus_message_read(m, "ssuss", &id, &slo, &pid, &path, &headline);

	if (r >= 0)
		printf("taken %s '%s' %u %s %s\n", id, slo, pid, path, headline);
	return 0;
}

static int run_peer(char **allowed)
{
	sd_bus *peer = NULL;
	int r = sd_bus_open_system(&peer);

	if (r >= 0 && allowed)
		r = sd_bus_add_object_vtable(peer, NULL, "/org/freedesktop/PolicyKit1/Authority",
					     "org.freedesktop.PolicyKit1.Authority", polkit_vtable,
					     allowed);
	if (r >= 0 && allowed)
		r = sd_bus_request_name(peer, "org.freedesktop.PolicyKit1", 0);
	if (r >= 0 && !allowed)
		r = sd_bus_match_signal(peer, NULL, NULL, "/io/rsp/Recorder1", "io.rsp.Recorder1",
					"SnapshotTaken", on_signal, NULL);
	if (r >= 0)
		r = sd_bus_attach_event(peer, event, 0);
	if (r >= 0) {
		puts("ready");
		r = sd_event_loop(event);
	}
	sd_bus_close_unref(peer);
	return r;
}

/* --- systemd, and a malicious user ----------------------------------------------------------- */

static int get_cgroup(sd_bus *peer, const char *path, const char *interface, const char *property,
		      sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	return sd_bus_message_append(reply, "s", userdata);
}

static const sd_bus_vtable service_vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("ControlGroup", "s", get_cgroup, 0, 0),
	SD_BUS_VTABLE_END,
};

static int add_service(sd_bus *peer, char *name)
{
	char *cgroup = strchr(name, '='), *path = NULL;
	int r = cgroup ? 0 : -EINVAL;

	if (r >= 0) {
		*cgroup++ = '\0';
		r = sd_bus_path_encode("/org/freedesktop/systemd1/unit", name, &path);
	}
	if (r >= 0)
		r = sd_bus_add_object_vtable(peer, NULL, path, "org.freedesktop.systemd1.Service",
					     service_vtable, cgroup);
	free(path);
	return r;
}

static int run_systemd(char **services)
{
	sd_bus *peer = NULL;
	int r = sd_bus_open_system(&peer);

	for (; r >= 0 && *services; services++)
		r = add_service(peer, *services);
	if (r >= 0)
		r = sd_bus_request_name(peer, "org.freedesktop.systemd1", 0);
	if (r >= 0)
		r = sd_bus_attach_event(peer, event, 0);
	if (r >= 0) {
		puts("ready");
		r = sd_event_loop(event);
	}
	sd_bus_close_unref(peer);
	return r;
}

/* --- systemd's signals, and a user who sends similar signals --------------------------------- */

static char **changes;

/* Sends systemd's signal for a change such as "nginx.service=failed", twice. */
static int emit_change(sd_bus *peer, char *change, const char *destination)
{
	uint64_t now_us = rsp_now_ns() / 1000;
	sd_bus_message *m = NULL;
	char *state = strchr(change, '='), *path = NULL;
	bool active = state && !strcmp(state + 1, "active");
	int r = state ? 0 : -EINVAL;

	if (r >= 0)
		*state = '\0';
	if (r >= 0)
		r = sd_bus_path_encode("/org/freedesktop/systemd1/unit", change, &path);
	for (int i = 0; r >= 0 && i < 2; i++) {
		r = sd_bus_message_new_signal(peer, &m, path, "org.freedesktop.DBus.Properties",
					      "PropertiesChanged");
		if (r >= 0)
			r = sd_bus_message_append(
				m, "sa{sv}as", "org.freedesktop.systemd1.Unit", 4, "Job", "(uo)", 0,
				"/", "ActiveState", "s", state + 1,
				"InactiveEnterTimestampMonotonic", "t", active ? 0 : now_us,
				"ActiveEnterTimestampMonotonic", "t", active ? now_us : 1, 0);
		if (r >= 0)
			r = sd_bus_send_to(peer, m, destination, NULL);
		sd_bus_message_unref(m);
		m = NULL;
	}
	free(path);
	return r;
}

static int on_subscribe(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	int r = sd_bus_reply_method_return(m, "");

	for (; r >= 0 && *changes; changes++)
		r = emit_change(sd_bus_message_get_bus(m), *changes, NULL);
	puts("subscribed");
	return r < 0 ? r : 1;
}

static const sd_bus_vtable manager_vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("Subscribe", "", "", on_subscribe, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

static int run_units(void)
{
	sd_bus *peer = NULL;
	int r = sd_bus_open_system(&peer);

	if (r >= 0)
		r = sd_bus_add_object_vtable(peer, NULL, "/org/freedesktop/systemd1",
					     "org.freedesktop.systemd1.Manager", manager_vtable,
					     NULL);
	if (r >= 0)
		r = sd_bus_request_name(peer, "org.freedesktop.systemd1", 0);
	if (r >= 0)
		r = sd_bus_attach_event(peer, event, 0);
	if (r >= 0) {
		puts("ready");
		r = sd_event_loop(event);
	}
	sd_bus_close_unref(peer);
	return r;
}

static int run_spoof(void)
{
	sd_bus *peer = NULL;
	int r = sd_bus_open_system(&peer);

	for (; r >= 0 && *changes; changes++)
		r = emit_change(peer, *changes, "io.rsp.Recorder1");
	if (r >= 0)
		r = sd_bus_flush(peer);
	sd_bus_close_unref(peer);
	return r;
}

static unsigned long answered, refused;

static int ask_all(sd_bus *peer);

static int on_all(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	if (sd_bus_message_is_method_error(reply, NULL))
		refused++;
	else
		answered++;
	return ask_all(sd_bus_message_get_bus(reply));
}

static int ask_all(sd_bus *peer)
{
	return sd_bus_call_method_async(peer, NULL, "io.rsp.Recorder1", "/io/rsp/Recorder1",
					"org.freedesktop.DBus.Properties", "GetAll", on_all, NULL,
					"s", "io.rsp.Recorder1");
}

static int run_flood(void)
{
	sd_bus *peer = NULL;
	int r = sd_bus_open_system(&peer);

	for (int i = 0; r >= 0 && i < 64; i++)
		r = ask_all(peer);
	if (r >= 0)
		r = sd_bus_attach_event(peer, event, 0);
	if (r >= 0) {
		puts("ready");
		r = sd_event_loop(event);
		printf("answered %lu refused %lu\n", answered, refused);
	}
	sd_bus_close_unref(peer);
	return r;
}

int main(int argc, char **argv)
{
	sigset_t mask;
	int r = -EINVAL;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (sd_event_default(&event) < 0 ||
	    sd_event_add_signal(event, NULL, SIGTERM, NULL, NULL) < 0)
		return 1;
	if (argc == 3 && strcmp(argv[1], "recorder") == 0)
		r = run_recorder(argv[2]);
	else if (argc >= 2 && strcmp(argv[1], "polkit") == 0)
		r = run_peer(argv + 2);
	else if (argc == 2 && strcmp(argv[1], "listen") == 0)
		r = run_peer(NULL);
	else if (argc >= 2 && strcmp(argv[1], "systemd") == 0)
		r = run_systemd(argv + 2);
	else if (argc >= 2 && strcmp(argv[1], "units") == 0)
		changes = argv + 2, r = run_units();
	else if (argc >= 2 && strcmp(argv[1], "spoof") == 0)
		changes = argv + 2, r = run_spoof();
	else if (argc == 2 && strcmp(argv[1], "flood") == 0)
		r = run_flood();
	if (r < 0)
		fprintf(stderr, "bus-harness: %s\n", strerror(-r));
	sd_event_unref(event);
	return r < 0;
}
