/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bus-request.h. */
#include "daemon/bus/bus-request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/journal.h"

#define DBUS	"org.freedesktop.DBus"
#define DBUS_AT "/org/freedesktop/DBus"

/* Maximum number of calls in progress. */
#define REQUEST_MAX	     64
#define REQUEST_RESERVED     16 /* for trusted callers */
#define REQUEST_MAX_PER_USER 4	/* for each untrusted user */

/* Maximum number of calls whose caller is not identified yet, because the bus has not answered. */
#define UNKNOWN_MAX	       64
#define UNKNOWN_MAX_PER_SENDER 4

/* Time limit for polkit: a user may have to type a password. */
#define POLKIT_TIMEOUT_USEC (120 * 1000000ULL)

static void request_free(struct rsp_bus_request *req)
{
	if (req->job)
		req->verb->cancel(req);
	*req->place = req->next;
	if (req->next)
		req->next->place = req->place;
	req->all->unknown_cnt -= !req->known;
	if (req->counted)
		rsp_share_give(&req->all->share, &req->account);
	sd_bus_slot_unref(req->gone);
	sd_bus_slot_unref(req->asked);
	sd_bus_message_unref(req->call);
	free(req);
}

void rsp_bus_requests_init(struct rsp_bus_requests *all, gid_t group)
{
	*all = (struct rsp_bus_requests){
		.share = {.places = REQUEST_MAX,
			  .reserved = REQUEST_RESERVED,
			  .per_user = REQUEST_MAX_PER_USER},
		.group = group,
	};
}

void rsp_bus_requests_drop(struct rsp_bus_requests *all)
{
	while (all->first)
		request_free(all->first);
}

/* --- errors ----------------------------------------------------------------------------------- */

static const struct rsp_bus_error common_errors[] = {
	{-EACCES, RSP_BUS_ERROR "Denied",
	 "permission denied: ask as root, as a member of group rsp, or have polkit allow it"},
	{-EBUSY, RSP_BUS_ERROR "Busy", "too many requests at once: try again soon"},
	{-EINVAL, SD_BUS_ERROR_INVALID_ARGS, "invalid arguments"},
	{-ESHUTDOWN, RSP_BUS_ERROR "Paused",
	 "recording is paused: 'rspctl status' shows why, 'rspctl resume' resumes it"},
	{-ENOMEM, SD_BUS_ERROR_NO_MEMORY, "out of memory"},
	{-ENODATA, SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED,
	 "polkit would ask for a password, which the call does not allow"},
	{0},
};

static const struct rsp_bus_error *find_error(const struct rsp_bus_error *e, int error)
{
	for (; e && e->name; e++)
		if (e->error == error)
			return e;
	return NULL;
}

static int reply_error(sd_bus_message *call, const struct rsp_bus_verb *verb, int error)
{
	const struct rsp_bus_error *e = find_error(verb->errors, error);

	if (!e)
		e = find_error(common_errors, error);
	if (e)
		return sd_bus_reply_method_errorf(call, e->name, "%s", e->text);
	return sd_bus_reply_method_errorf(call, RSP_BUS_ERROR "Failed", "%s", strerror(-error));
}

static void log_denied(const struct rsp_bus_request *req)
{
	uid_t uid = req->peer.uid;

	rsp_journal(RSP_MSG_DENIED, LOG_NOTICE,
		    &(struct rsp_journal_fields){.uid = &uid, .pid = req->peer.pid},
		    "user %u asked to %s", (unsigned int)uid, req->verb->purpose);
}

/* --- polkit ----------------------------------------------------------------------------------- */

static void perform(struct rsp_bus_request *req);

/* An error, for example because polkit does not run, counts as no. */
static int on_polkit(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus_request *req = userdata;
	int yes = 0, challenge = 0, r = -EACCES;

	if (!sd_bus_message_is_method_error(reply, NULL) &&
	    sd_bus_message_enter_container(reply, 'r', "bba{ss}") > 0)
		r = sd_bus_message_read(reply, "bb", &yes, &challenge);
	if (r > 0 && yes) {
		req->peer.trusted = true;
		perform(req);
	} else {
		rsp_bus_request_end(req, r > 0 && challenge ? -ENODATA : -EACCES);
	}
	return 1;
}

static int ask_polkit(struct rsp_bus_request *req)
{
	sd_bus_message *m = NULL;
	uint32_t flags = sd_bus_message_get_allow_interactive_authorization(req->call) > 0;
	int r;

	req->authorized = true;
	req->asked = sd_bus_slot_unref(req->asked);
	r = sd_bus_message_new_method_call(
		sd_bus_message_get_bus(req->call), &m, "org.freedesktop.PolicyKit1",
		"/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
		"CheckAuthorization");
	if (r >= 0)
		r = sd_bus_message_append(m, "(sa{sv})sa{ss}us", "system-bus-name", 1, "name", "s",
					  sd_bus_message_get_sender(req->call), req->verb->action,
					  0, flags, "");
	if (r >= 0)
		r = sd_bus_call_async(sd_bus_message_get_bus(req->call), &req->asked, m, on_polkit,
				      req, POLKIT_TIMEOUT_USEC);
	sd_bus_message_unref(m);
	return r;
}

void rsp_bus_request_end(struct rsp_bus_request *req, int r)
{
	req->job = NULL;
	if (r == -EACCES && !req->peer.trusted && !req->authorized && req->verb->action) {
		r = ask_polkit(req);
		if (r >= 0)
			return;
	}
	if (r == -EACCES || r == -ENODATA)
		log_denied(req);
	if (r < 0)
		reply_error(req->call, req->verb, r);
	request_free(req);
}

static void perform(struct rsp_bus_request *req)
{
	int r = sd_bus_message_rewind(req->call, true);

	if (r >= 0)
		r = req->verb->perform(req);
	if (r != 0)
		rsp_bus_request_end(req, r);
}

/* --- the caller ------------------------------------------------------------------------------- */

static int read_groups(sd_bus_message *m, gid_t group, bool *ret_member)
{
	const void *groups;
	size_t size;
	int r = sd_bus_message_enter_container(m, 'v', "au");

	if (r >= 0)
		r = sd_bus_message_read_array(m, 'u', &groups, &size);
	if (r < 0)
		return r;
	for (size_t i = 0; i < size / sizeof(uint32_t); i++)
		*ret_member |= group != (gid_t)-1 && ((const uint32_t *)groups)[i] == group;
	return sd_bus_message_exit_container(m);
}

/* Reads the credentials that the bus recorded when the caller connected. */
static int read_credentials(sd_bus_message *m, gid_t group, struct rsp_peer *ret)
{
	uint32_t uid = (uint32_t)-1, pid = 0;
	bool member = false;
	const char *key;
	int r = sd_bus_message_enter_container(m, 'a', "{sv}");

	while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
		r = sd_bus_message_read(m, "s", &key);
		if (r < 0)
			break;
		if (strcmp(key, "UnixUserID") == 0)
			r = sd_bus_message_read(m, "v", "u", &uid);
		else if (strcmp(key, "ProcessID") == 0)
			r = sd_bus_message_read(m, "v", "u", &pid);
		else if (strcmp(key, "UnixGroupIDs") == 0)
			r = read_groups(m, group, &member);
		else
			r = sd_bus_message_skip(m, "v");
		if (r >= 0)
			r = sd_bus_message_exit_container(m);
	}
	if (r < 0)
		return r;
	if (uid == (uint32_t)-1)
		return -EACCES;
	*ret = (struct rsp_peer){
		.pid = (pid_t)pid, .uid = uid, .trusted = uid == 0 || uid == geteuid() || member};
	return 0;
}

static int on_credentials(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus_request *req = userdata;

	if (sd_bus_message_is_method_error(reply, NULL) ||
	    read_credentials(reply, req->all->group, &req->peer) < 0) {
		reply_error(req->call, req->verb, -EACCES);
		request_free(req);
		return 1;
	}
	req->known = true;
	req->all->unknown_cnt--;
	req->account = req->peer;
	req->counted = rsp_share_take(&req->all->share, &req->account) == 0;
	if (req->counted)
		perform(req);
	else
		rsp_bus_request_end(req, -EBUSY);
	return 1;
}

static int on_gone(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	request_free(userdata);
	return 0;
}

/*
 * If the caller disconnects between the two requests, the second request fails, because the bus no
 * longer knows the caller.
 */
static int ask_bus(struct rsp_bus_request *req)
{
	sd_bus *bus = sd_bus_message_get_bus(req->call);
	const char *sender = sd_bus_message_get_sender(req->call);
	char match[512];
	int r;

	if (!sender)
		return -EACCES;
	snprintf(match, sizeof(match),
		 "type='signal',sender='" DBUS "',path='" DBUS_AT "',interface='" DBUS "',"
		 "member='NameOwnerChanged',arg0='%s',arg2=''",
		 sender);
	r = sd_bus_add_match_async(bus, &req->gone, match, on_gone, NULL, req);
	if (r < 0)
		return r;
	return sd_bus_call_method_async(bus, &req->asked, DBUS, DBUS_AT, DBUS,
					"GetConnectionCredentials", on_credentials, req, "s",
					sender);
}

static bool has_unknown_place(const struct rsp_bus_requests *all, sd_bus_message *call)
{
	const char *sender = sd_bus_message_get_sender(call);
	unsigned int cnt = 0;

	for (const struct rsp_bus_request *r = all->first; r && sender; r = r->next)
		cnt += !r->known && strcmp(sd_bus_message_get_sender(r->call), sender) == 0;
	return all->unknown_cnt < UNKNOWN_MAX && cnt < UNKNOWN_MAX_PER_SENDER;
}

int rsp_bus_request_begin(struct rsp_bus_requests *all, sd_bus_message *call,
			  const struct rsp_bus_verb *verb, void *userdata)
{
	struct rsp_bus_request *req;
	int r = has_unknown_place(all, call) ? verb->check(call) : -EBUSY;

	if (r < 0)
		return reply_error(call, verb, r);
	req = calloc(1, sizeof(*req));
	if (!req)
		return reply_error(call, verb, -ENOMEM);
	req->call = sd_bus_message_ref(call);
	req->verb = verb;
	req->userdata = userdata;
	req->all = all;
	req->next = all->first;
	req->place = &all->first;
	if (req->next)
		req->next->place = &req->next;
	all->first = req;
	all->unknown_cnt++;

	r = ask_bus(req);
	if (r < 0) {
		reply_error(call, verb, r);
		request_free(req);
	}
	return 1;
}
