/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See varlink.h. The event handlers of a connection close and free it only at their end
 * (connection_update()), so a method may answer from within a handler. A connection counts against
 * the limit until the method has answered, so clients cannot evade the limit by disconnecting.
 */
#include "daemon/api/varlink.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"

#define SERVICE "org.varlink.service"

/*
 * Limits for the events in each RATE_US microseconds. Further events wait, so that the event loop
 * has time to drain the rings.
 */
#define RATE_US	  100000
#define CALLS_MAX 4   /* calls of one connection */
#define IO_MAX	  100 /* reads and writes of one connection */

/* In each RATE_US, the server accepts up to ACCEPT_MAX times ACCEPT_BATCH connections. */
#define ACCEPT_BATCH 64
#define ACCEPT_MAX   10

/*
 * Memory that must be available before the server prints an answer. An answer can repeat a name
 * from the client, with each byte escaped.
 */
#define ANSWER_ROOM (16 * RSP_VARLINK_MESSAGE_MAX)

struct rsp_call {
	struct json_object *message;	/* NULL: no call is in progress */
	struct json_object *parameters; /* part of message */
	bool oneway;
	void (*gone)(void *userdata); /* NULL: the method does not watch the call */
	void *userdata;
};

struct connection {
	struct rsp_call call; /* must be first: connection_of() casts a call to its connection */
	struct rsp_varlink_server *server;
	int fd; /* -1: the client has disconnected */
	bool adopted;
	bool broken; /* must be closed */
	struct rsp_peer peer;
	void (*closed)(void *userdata); /* see rsp_call_watch_connection(); may be NULL */
	void *closed_userdata;
	uint64_t used; /* the server's clock at the last event of the connection */
	sd_event_source *io;
	sd_event_source *dispatch; /* enabled while a message waits to be handled */
	char *out;		   /* the answer being sent */
	size_t out_len, out_done;
	int out_fd; /* sent with the first byte of out; -1: no descriptor */
	size_t in_len;
	char in[RSP_VARLINK_MESSAGE_MAX];
};

struct rsp_varlink_server {
	sd_event *event, *guests;
	const struct rsp_varlink_interface *interface;
	void *ctx;
	int listen_fd;
	sd_event_source *listen;
	uint64_t clock; /* counts events on connections */
	struct rsp_share share;
	struct connection *connections[RSP_VARLINK_CONNECTION_MAX];
};

static struct connection *connection_of(const struct rsp_call *call)
{
	return (struct connection *)call;
}

/* --- the life of a connection ----------------------------------------------------------------- */

static void call_forget(struct rsp_call *call)
{
	json_object_put(rsp_take_ptr(call->message));
	call->parameters = NULL;
	call->gone = NULL;
}

static void connection_close(struct connection *c)
{
	c->io = sd_event_source_disable_unref(c->io);
	c->dispatch = sd_event_source_disable_unref(c->dispatch);
	if (c->call.gone) {
		c->call.gone(c->call.userdata);
		call_forget(&c->call);
	}
	if (c->closed)
		c->closed(c->closed_userdata);
	c->closed = NULL;
	if (c->fd < 0)
		return;
	close(c->fd);
	c->fd = -1;
	if (c->adopted)
		sd_event_exit(c->server->event, 0);
}

static void connection_free(struct connection *c)
{
	struct rsp_varlink_server *server = c->server;

	connection_close(c);
	call_forget(&c->call);
	if (c->out_fd >= 0)
		close(c->out_fd);
	free(c->out);
	for (size_t i = 0; i < RSP_VARLINK_CONNECTION_MAX; i++)
		if (server->connections[i] == c)
			server->connections[i] = NULL;
	rsp_share_give(&server->share, &c->peer);
	free(c);
}

static bool connection_has_message(const struct connection *c)
{
	return memchr(c->in, '\0', c->in_len);
}

/*
 * Selects the connection's next step. During a call there is no step until the method answers.
 * Returns 0; -EMSGSIZE: the message is larger than the buffer; -errno.
 */
static int connection_rearm(struct connection *c)
{
	bool sending = c->out != NULL;
	bool idle = !sending && !c->call.message;
	bool ready = idle && connection_has_message(c);
	uint32_t events = sending ? EPOLLOUT : idle && !ready ? EPOLLIN : 0;
	int r;

	if (idle && !ready && c->in_len == sizeof(c->in))
		return -EMSGSIZE;
	r = sd_event_source_set_io_events(c->io, events);
	if (r < 0)
		return r;
	return sd_event_source_set_enabled(c->dispatch,
					   ready || c->broken ? SD_EVENT_ON : SD_EVENT_OFF);
}

static void connection_update(struct connection *c)
{
	if (c->fd >= 0 && (c->broken || connection_rearm(c) < 0))
		connection_close(c);
	if (c->fd < 0 && !c->call.message)
		connection_free(c);
}

/* --- sending ---------------------------------------------------------------------------------- */

static void connection_send(struct connection *c)
{
	char control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec iov = {c->out + c->out_done, c->out_len - c->out_done};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	ssize_t n;

	if (c->out_fd >= 0) {
		struct cmsghdr *cmsg;

		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &c->out_fd, sizeof(int));
	}
	n = sendmsg(c->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0) {
		c->broken = errno != EAGAIN && errno != EINTR;
		return;
	}
	if (c->out_fd >= 0)
		close(rsp_take_fd(&c->out_fd));
	c->out_done += (size_t)n;
	if (c->out_done < c->out_len)
		return;
	free(rsp_take_ptr(c->out));
	c->out_len = c->out_done = 0;
}

/* Takes ownership of parameters. Returns the message with its NUL, or NULL if memory runs out. */
static char *make_answer(const char *error, struct json_object *parameters, size_t *ret_len)
{
	_cleanup_json_ struct json_object *message = json_object_new_object();
	size_t len = 0;
	const char *text;
	char *copy;

	if (!message || !rsp_json_has_room(ANSWER_ROOM)) {
		json_object_put(parameters);
		return NULL;
	}
	if (rsp_json_add(message, "parameters", parameters) < 0 ||
	    (error && rsp_json_add(message, "error", json_object_new_string(error)) < 0))
		return NULL;

	text = json_object_to_json_string_length(
		message, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (!text)
		return NULL;
	copy = malloc(len + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, len + 1);
	*ret_len = len + 1;
	return copy;
}

/* Sends the error OutOfMemory without json-c, which needs more memory. */
static void connection_send_no_memory(struct connection *c)
{
	int len = asprintf(&c->out, "{\"error\":\"%s.OutOfMemory\",\"parameters\":{}}",
			   c->server->interface->name);

	if (len < 0) {
		c->out = NULL;
		c->broken = true;
		return;
	}
	c->out_len = (size_t)len + 1;
	connection_send(c);
}

static void call_end(struct rsp_call *call, const char *error, struct json_object *parameters,
		     int fd)
{
	struct connection *c = connection_of(call);
	bool heard = c->fd >= 0 && !call->oneway;
	size_t len = 0;
	_cleanup_free_ char *out = make_answer(error, parameters, &len);

	call_forget(call);
	if (heard && out) {
		c->out = rsp_take_ptr(out);
		c->out_len = len;
		c->out_fd = fd;
		connection_send(c);
	} else {
		if (heard)
			connection_send_no_memory(c);
		if (fd >= 0)
			close(fd);
	}
	if (c->fd < 0) {
		connection_free(c);
	} else if (connection_rearm(c) < 0) {
		c->broken = true;
		(void)sd_event_source_set_enabled(c->dispatch, SD_EVENT_ON);
	}
}

void rsp_call_reply(struct rsp_call *call, struct json_object *parameters, int fd)
{
	call_end(call, NULL, parameters, fd);
}

void rsp_call_error(struct rsp_call *call, const char *error, struct json_object *parameters)
{
	call_end(call, error, parameters ? parameters : json_object_new_object(), -1);
}

static void call_error_about(struct rsp_call *call, const char *error, const char *key,
			     const char *value)
{
	struct json_object *parameters = json_object_new_object();

	if (parameters && rsp_json_add(parameters, key, json_object_new_string(value)) < 0) {
		json_object_put(parameters);
		parameters = NULL;
	}
	call_end(call, error, parameters, -1);
}

void rsp_call_invalid(struct rsp_call *call, const char *parameter)
{
	call_error_about(call, SERVICE ".InvalidParameter", "parameter", parameter);
}

void rsp_call_watch(struct rsp_call *call, void (*gone)(void *userdata), void *userdata)
{
	call->gone = gone;
	call->userdata = userdata;
}

void rsp_call_watch_connection(struct rsp_call *call, void (*closed)(void *userdata),
			       void *userdata)
{
	struct connection *c = connection_of(call);

	if (c->closed)
		c->closed(c->closed_userdata);
	c->closed = closed;
	c->closed_userdata = userdata;
}

const struct rsp_peer *rsp_call_peer(const struct rsp_call *call)
{
	return &connection_of(call)->peer;
}

/* --- org.varlink.service ---------------------------------------------------------------------- */

static const char service_description[] =
	"# The interface of every varlink service.\n"
	"interface " SERVICE "\n"
	"\n"
	"method GetInfo() -> (\n"
	"\tvendor: string,\n"
	"\tproduct: string,\n"
	"\tversion: string,\n"
	"\turl: string,\n"
	"\tinterfaces: []string\n"
	")\n"
	"\n"
	"method GetInterfaceDescription(interface: string) -> (description: string)\n"
	"\n"
	"error InterfaceNotFound (interface: string)\n"
	"error MethodNotFound (method: string)\n"
	"error InvalidParameter (parameter: string)\n";

static int fill_info(struct json_object *o, const void *from)
{
	const struct rsp_varlink_interface *interface = from;
	struct json_object *names = json_object_new_array();
	int r = rsp_json_add(o, "interfaces", names);

	if (r < 0)
		return r;
	r |= rsp_json_append(names, json_object_new_string(SERVICE));
	r |= rsp_json_append(names, json_object_new_string(interface->name));
	r |= rsp_json_add_string(o, "vendor", interface->product);
	r |= rsp_json_add_string(o, "product", interface->product);
	r |= rsp_json_add_string(o, "version", interface->version);
	return r | rsp_json_add_string(o, "url", "");
}

static void service_get_info(void *ctx, struct rsp_call *call, struct json_object *parameters)
{
	rsp_call_reply(call, rsp_json_object_of(fill_info, connection_of(call)->server->interface),
		       -1);
}

static int fill_description(struct json_object *o, const void *description)
{
	return rsp_json_add(o, "description", json_object_new_string(description));
}

static void service_get_interface_description(void *ctx, struct rsp_call *call,
					      struct json_object *parameters)
{
	const struct rsp_varlink_interface *interface = connection_of(call)->server->interface;
	const char *description;
	struct json_object *name;

	if (!json_object_object_get_ex(parameters, "interface", &name) ||
	    !json_object_is_type(name, json_type_string)) {
		rsp_call_invalid(call, "interface");
		return;
	}
	if (!strcmp(json_object_get_string(name), interface->name)) {
		description = interface->description;
	} else if (!strcmp(json_object_get_string(name), SERVICE)) {
		description = service_description;
	} else {
		call_error_about(call, SERVICE ".InterfaceNotFound", "interface",
				 json_object_get_string(name));
		return;
	}
	rsp_call_reply(call, rsp_json_object_of(fill_description, description), -1);
}

static const struct rsp_varlink_method service_methods[] = {
	{"GetInfo", service_get_info},
	{"GetInterfaceDescription", service_get_interface_description},
};

static const struct rsp_varlink_interface service_interface = {
	.name = SERVICE,
	.methods = service_methods,
	.method_cnt = sizeof(service_methods) / sizeof(service_methods[0]),
};

/* --- receiving -------------------------------------------------------------------------------- */

static void call_method(struct rsp_call *call, const char *name)
{
	const struct rsp_varlink_server *server = connection_of(call)->server;
	const struct rsp_varlink_interface *interfaces[] = {server->interface, &service_interface};
	const char *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : 0;
	_cleanup_free_ char *interface = strndup(name, len);

	for (size_t i = 0; i < 2; i++) {
		const struct rsp_varlink_interface *in = interfaces[i];

		if (strlen(in->name) != len || memcmp(in->name, name, len) != 0)
			continue;
		for (size_t k = 0; k < in->method_cnt; k++) {
			if (!strcmp(in->methods[k].name, dot + 1)) {
				in->methods[k].call(server->ctx, call, call->parameters);
				return;
			}
		}
		call_error_about(call, SERVICE ".MethodNotFound", "method", name);
		return;
	}
	call_error_about(call, SERVICE ".InterfaceNotFound", "interface",
			 interface ? interface : "");
}

static bool flag(struct json_object *message, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(message, name, &value) && json_object_get_boolean(value);
}

/* Returns false if message is not a varlink call, or if memory runs out. */
static bool call_begin(struct rsp_call *call, struct json_object *message)
{
	struct json_object *method, *parameters = NULL;

	if (!json_object_is_type(message, json_type_object) ||
	    !json_object_object_get_ex(message, "method", &method) ||
	    !json_object_is_type(method, json_type_string))
		return false;
	if (!json_object_object_get_ex(message, "parameters", &parameters) || !parameters) {
		parameters = json_object_new_object();
		if (rsp_json_add(message, "parameters", parameters) < 0)
			return false;
	}
	if (!json_object_is_type(parameters, json_type_object))
		return false;

	call->message = json_object_get(message);
	call->parameters = parameters;
	call->oneway = flag(message, "oneway");
	call_method(call, json_object_get_string(method));
	return true;
}

static void connection_handle_message(struct connection *c)
{
	_cleanup_json_ struct json_object *message = NULL;
	size_t len = strlen(c->in);
	int r = rsp_json_parse(c->in, len, JSON_TOKENER_DEFAULT_DEPTH, &message);

	c->in_len -= len + 1;
	memmove(c->in, c->in + len + 1, c->in_len);
	if (r == -ENOMEM)
		connection_send_no_memory(c);
	else if (r < 0 || !call_begin(&c->call, message))
		c->broken = true;
}

static int on_dispatch(sd_event_source *source, void *userdata)
{
	struct connection *c = userdata;

	if (!c->broken && !c->out && !c->call.message && connection_has_message(c))
		connection_handle_message(c);
	connection_update(c);
	return 0;
}

/* The kernel closes descriptors that a client sends, because recv() has no buffer for them. */
static void connection_receive(struct connection *c)
{
	ssize_t n = recv(c->fd, c->in + c->in_len, sizeof(c->in) - c->in_len, MSG_DONTWAIT);

	if (n > 0)
		c->in_len += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		c->broken = true;
}

static int on_io(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct connection *c = userdata;

	c->used = ++c->server->clock;
	if (revents & EPOLLIN)
		connection_receive(c);
	else if (revents & (EPOLLHUP | EPOLLERR))
		c->broken = true;
	else if (revents & EPOLLOUT)
		connection_send(c);
	connection_update(c);
	return 0;
}

/* --- connecting ------------------------------------------------------------------------------- */

static bool is_busy(const struct connection *c)
{
	return c->call.message || c->adopted || c->closed;
}

/* Connections of untrusted peers come first, then the connection whose last event is older. */
static bool is_closed_before(const struct connection *a, const struct connection *b)
{
	return a->peer.trusted != b->peer.trusted ? b->peer.trusted : a->used < b->used;
}

/*
 * Returns NULL if the server may close no connection. own: consider only connections of the same
 * user.
 */
static struct connection *find_idle(const struct rsp_varlink_server *server,
				    const struct rsp_peer *peer, bool own)
{
	struct connection *found = NULL;

	for (size_t i = 0; i < RSP_VARLINK_CONNECTION_MAX; i++) {
		struct connection *c = server->connections[i];

		if (!c || is_busy(c) || (!peer->trusted && c->peer.trusted) ||
		    (own && c->peer.uid != peer->uid))
			continue;
		if (!found || is_closed_before(c, found))
			found = c;
	}
	return found;
}

static void refuse(const struct rsp_varlink_server *server, int fd)
{
	char text[128];
	int len = snprintf(text, sizeof(text), "{\"error\":\"%s.Busy\",\"parameters\":{}}",
			   server->interface->name);

	(void)send(fd, text, (size_t)len + 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/*
 * If no place is free for the peer, closes an idle connection. For an untrusted peer, prefers a
 * connection of the same user, because this user may have reached the limit.
 */
static int take_place(struct rsp_varlink_server *server, const struct rsp_peer *peer,
		      struct connection ***ret)
{
	int r = rsp_share_take(&server->share, peer);

	for (int own = !peer->trusted; r < 0 && own >= 0; own--) {
		struct connection *idle = find_idle(server, peer, own);

		if (idle) {
			if (!idle->out)
				refuse(server, idle->fd);
			connection_free(idle);
			r = rsp_share_take(&server->share, peer);
		}
	}
	for (size_t i = 0; r == 0 && i < RSP_VARLINK_CONNECTION_MAX; i++)
		if (!server->connections[i])
			*ret = &server->connections[i];
	return r;
}

static int bound_rates(struct connection *c)
{
	int r = sd_event_source_set_ratelimit(c->io, RATE_US, IO_MAX);

	return r < 0 ? r : sd_event_source_set_ratelimit(c->dispatch, RATE_US, CALLS_MAX);
}

static int connection_start(struct connection *c)
{
	sd_event *event = c->peer.trusted ? c->server->event : c->server->guests;
	int r = sd_event_add_io(event, &c->io, c->fd, EPOLLIN, on_io, c);

	if (r >= 0)
		r = sd_event_add_defer(event, &c->dispatch, on_dispatch, c);
	if (r >= 0)
		r = sd_event_source_set_enabled(c->dispatch, SD_EVENT_OFF);
	return r < 0 ? r : bound_rates(c);
}

/*
 * Takes ownership of fd, even on failure. Returns 0; -EBUSY: no place is free for the peer; -errno.
 */
static int connection_add(struct rsp_varlink_server *server, int fd, struct connection **ret)
{
	_cleanup_close_ int own_fd = fd;
	struct connection **place = NULL, *c;
	struct rsp_peer peer;
	int r = server->interface->identify(server->ctx, fd, &peer);

	if (r == 0)
		r = take_place(server, &peer, &place);
	if (r == -EBUSY)
		refuse(server, fd);
	if (r < 0)
		return r;
	c = calloc(1, sizeof(*c));
	if (!c) {
		rsp_share_give(&server->share, &peer);
		return -ENOMEM;
	}
	c->server = server;
	c->fd = rsp_take_fd(&own_fd);
	c->out_fd = -1;
	c->peer = peer;
	c->used = ++server->clock;
	*place = c;
	r = connection_start(c);
	if (r < 0) {
		connection_free(c);
		return r;
	}
	*ret = c;
	return 0;
}

/* Errors with one client do not affect others: the event loop continues. */
static int on_accept(sd_event_source *source, int listen_fd, uint32_t revents, void *userdata)
{
	struct rsp_varlink_server *server = userdata;

	for (int i = 0; i < ACCEPT_BATCH; i++) {
		int fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct connection *c;

		if (fd < 0)
			break;
		(void)connection_add(server, fd, &c);
	}
	return 0;
}

int rsp_varlink_server_listen(struct rsp_varlink_server *server, int fd)
{
	int r;

	/*
	 * A socket from systemd is blocking, but accept4() in on_accept() must fail if the queue is
	 * empty.
	 */
	r = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0 ? -errno : 0;
	if (r == 0)
		r = sd_event_add_io(server->event, &server->listen, fd, EPOLLIN, on_accept, server);
	if (r < 0) {
		close(fd);
		return r;
	}
	server->listen_fd = fd;
	sd_event_source_set_ratelimit(server->listen, RATE_US, ACCEPT_MAX);
	/*
	 * The event loop handles existing connections first, so that it reads their messages before
	 * it closes idle connections for new clients.
	 */
	return sd_event_source_set_priority(server->listen, SD_EVENT_PRIORITY_NORMAL + 1);
}

int rsp_varlink_server_adopt(struct rsp_varlink_server *server, int fd)
{
	struct connection *c;
	int r;

	r = connection_add(server, fd, &c);
	if (r < 0)
		return r;
	c->adopted = true;
	return 0;
}

int rsp_varlink_server_new(sd_event *event, sd_event *guests,
			   const struct rsp_varlink_interface *interface, void *ctx,
			   struct rsp_varlink_server **ret)
{
	struct rsp_varlink_server *server = calloc(1, sizeof(*server));

	if (!server)
		return -ENOMEM;
	server->event = sd_event_ref(event);
	server->guests = sd_event_ref(guests);
	server->interface = interface;
	server->ctx = ctx;
	server->listen_fd = -1;
	server->share = (struct rsp_share){.places = RSP_VARLINK_CONNECTION_MAX,
					   .reserved = RSP_VARLINK_CONNECTION_RESERVED,
					   .per_user = RSP_VARLINK_CONNECTION_USER_MAX};
	*ret = server;
	return 0;
}

struct rsp_varlink_server *rsp_varlink_server_free(struct rsp_varlink_server *server)
{
	if (!server)
		return NULL;
	for (size_t i = 0; i < RSP_VARLINK_CONNECTION_MAX; i++)
		if (server->connections[i])
			connection_free(server->connections[i]);
	sd_event_source_disable_unref(server->listen);
	if (server->listen_fd >= 0)
		close(server->listen_fd);
	sd_event_unref(server->event);
	sd_event_unref(server->guests);
	free(server);
	return NULL;
}
