/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls the method Snapshot of the bus interface with any strings, and with options of any key and
 * type. The request must keep the contract of struct rsp_recorder_ops.
 */
#include <errno.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>

#include "daemon/bus/bus-objects.h"
#include "tests/fuzz/input.h"

#define OPTIONS_MAX 8

/* --- the recorder ----------------------------------------------------------------------------- */

static void get_status(void *ctx, struct rsp_status *ret)
{
	*ret = (struct rsp_status){.uptime_ns = 1};
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *req, rsp_snapshot_done_fn done,
		    void *userdata, struct rsp_job **ret)
{
	const struct rsp_target *t = &req->target;

	must((t->pid != 0) + (t->port != 0) + !!t->unit + !!t->cgroup + !!t->comm == 1);
	must(t->pid >= 0 && req->until_ns >= req->since_ns && req->command);
	return -ESRCH;
}

static bool users_may_ask(void *ctx)
{
	return true;
}

static const struct rsp_recorder_ops ops = {
	.get_status = get_status,
	.snapshot = snapshot,
	.users_may_ask = users_may_ask,
};

static struct rsp_bus_context context = {.ops = &ops, .store_dir = "/nonexistent"};

/* --- in place of daemon/bus/bus-request.c, which sends requests to the bus ------------------- */

int rsp_bus_request_begin(struct rsp_bus_requests *all, sd_bus_message *call,
			  const struct rsp_bus_verb *verb, void *userdata)
{
	struct rsp_bus_request req = {.all = all,
				      .verb = verb,
				      .userdata = userdata,
				      .call = call,
				      .peer = {.pid = 1, .trusted = true}};
	int r = verb->check(call);

	if (r >= 0)
		r = sd_bus_message_rewind(call, true);
	return r < 0 ? r : verb->perform(&req);
}

void rsp_bus_request_end(struct rsp_bus_request *req, int r)
{
}

/* --- two connections -------------------------------------------------------------------------- */

static sd_bus *server, *client;

static void process(void)
{
	while (sd_bus_process(server, NULL) > 0 || sd_bus_process(client, NULL) > 0)
		;
}

static void connect_both(void)
{
	sd_id128_t id = {.bytes = {1}};
	int fds[2];

	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) == 0);
	must(sd_bus_new(&server) >= 0 && sd_bus_new(&client) >= 0);
	must(sd_bus_set_fd(server, fds[0], fds[0]) >= 0 && sd_bus_set_server(server, 1, id) >= 0);
	must(sd_bus_set_anonymous(server, 1) >= 0 && sd_bus_set_trusted(server, 1) >= 0);
	must(sd_bus_set_fd(client, fds[1], fds[1]) >= 0);
	must(sd_bus_start(server) >= 0 && sd_bus_start(client) >= 0);
	must(rsp_bus_add_recorder(server, &context) >= 0);
	process();
}

/* --- the call --------------------------------------------------------------------------------- */

static void put_string(sd_bus_message *m, struct input *in)
{
	static const char *const known[] = {"pid",  "port",	 "unit",       "cgroup",
					    "comm", "last-usec", "after-usec", "store",
					    "1",    "",		 "container"};
	__u8 which = take_u8(in);
	char text[64];

	take_text(in, text, sizeof(text));
	/* ASCII only, because messages can contain only valid UTF-8. */
	for (char *p = text; *p; p++)
		*p &= 0x7f;
	must(sd_bus_message_append(m, "s", which < 11 ? known[which] : text) >= 0);
}

static void put_variant(sd_bus_message *m, struct input *in)
{
	switch (take_u8(in) % 5) {
	case 0:
		must(sd_bus_message_append(m, "v", "t", take_u64(in)) >= 0);
		return;
	case 1:
		must(sd_bus_message_append(m, "v", "b", take_u8(in) & 1) >= 0);
		return;
	case 2:
		must(sd_bus_message_append(m, "v", "as", 2, "a", "b") >= 0);
		return;
	case 3:
		must(sd_bus_message_append(m, "v", "v", "i", take_u32(in)) >= 0);
		return;
	default:
		must(sd_bus_message_append(m, "v", "(uy)", take_u32(in), take_u8(in)) >= 0);
	}
}

static void put_options(sd_bus_message *m, struct input *in)
{
	must(sd_bus_message_open_container(m, 'a', "{sv}") >= 0);
	for (unsigned int cnt = take_u8(in) % OPTIONS_MAX; cnt > 0; cnt--) {
		must(sd_bus_message_open_container(m, 'e', "sv") >= 0);
		put_string(m, in);
		put_variant(m, in);
		must(sd_bus_message_close_container(m) >= 0);
	}
	must(sd_bus_message_close_container(m) >= 0);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static const char interface[] = "io.rsp.Recorder1";
	struct input in = {data, len};
	sd_bus_message *m = NULL;

	if (!server)
		connect_both();
	must(sd_bus_message_new_method_call(client, &m, NULL, RSP_BUS_PATH, interface,
					    "Snapshot") >= 0);
	put_string(m, &in);
	put_string(m, &in);
	put_options(m, &in);
	must(sd_bus_message_set_expect_reply(m, 0) >= 0);
	must(sd_bus_send(client, m, NULL) >= 0);
	sd_bus_message_unref(m);
	process();
	return 0;
}
