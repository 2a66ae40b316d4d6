/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A varlink server on sd-event: connections -> calls of methods. Knows the wire and
 * org.varlink.service, and nothing of what the methods do.
 *
 * Clients are not trusted. A connection has one request in progress; until its answer is sent whole
 * nothing more is read from it, so what a client can make us hold is one message and one answer.
 * Some places are for trusted peers alone, and no other user has more than a few. Where there is
 * none left for a client, the connection of its kind that was silent longest gives way; where all
 * of them are at work, the client hears Busy at once. What is not varlink, or too large, closes the
 * connection.
 */
#ifndef RSP_DAEMON_VARLINK_H
#define RSP_DAEMON_VARLINK_H

#include <stddef.h>
#include <sys/socket.h>
#include <systemd/sd-event.h>

#include "daemon/share.h"

struct json_object;
struct rsp_call;

#define RSP_VARLINK_MESSAGE_MAX		(64 * 1024)
#define RSP_VARLINK_CONNECTION_MAX	64
#define RSP_VARLINK_CONNECTION_RESERVED 16 /* for trusted peers */
#define RSP_VARLINK_CONNECTION_USER_MAX 8  /* of any other user */

struct rsp_varlink_method {
	const char *name; /* "GetStatus" */
	/*
	 * parameters: a JSON object, alive until the call ends. Ends the call with one of
	 * rsp_call_*, now or later.
	 */
	void (*call)(void *ctx, struct rsp_call *call, struct json_object *parameters);
};

struct rsp_varlink_interface {
	const char *name;	 /* "io.rsp.Recorder" */
	const char *description; /* its .varlink text */
	const char *product;
	const char *version;
	const struct rsp_varlink_method *methods;
	size_t method_cnt;
	/* Who is behind a socket. 0 or -errno: it is closed. */
	int (*identify)(void *ctx, int fd, struct rsp_peer *ret);
};

struct rsp_varlink_server;

/*
 * interface and ctx must outlive the server. guests: the loop for connections of peers that are not
 * trusted; all others are served by event. 0 or -errno.
 */
int rsp_varlink_server_new(sd_event *event, sd_event *guests,
			   const struct rsp_varlink_interface *interface, void *ctx,
			   struct rsp_varlink_server **ret);
/* Calls in progress die with it. */
struct rsp_varlink_server *rsp_varlink_server_free(struct rsp_varlink_server *server);

/* Accepts connections on a listening socket, which it takes, even on failure. */
int rsp_varlink_server_listen(struct rsp_varlink_server *server, int fd);
/* Serves one connected socket, which it takes, even on failure; ends the event loop when it closes.
 */
int rsp_varlink_server_adopt(struct rsp_varlink_server *server, int fd);

/*
 * Each ends the call and takes parameters and fd (-1: none). If the client has gone nobody hears of
 * it; if there is no memory it hears OutOfMemory. NULL parameters are a failed allocation of
 * the caller's in a reply; an error may do without.
 */
void rsp_call_reply(struct rsp_call *call, struct json_object *parameters, int fd);
void rsp_call_error(struct rsp_call *call, const char *error, struct json_object *parameters);
/* org.varlink.service.InvalidParameter */
void rsp_call_invalid(struct rsp_call *call, const char *parameter);

/* If the client goes before the call has ended, gone is called instead: the call ends by itself. */
void rsp_call_watch(struct rsp_call *call, void (*gone)(void *userdata), void *userdata);

/*
 * Has closed called once, when either side closes the connection of the call, or when this function
 * is called again. Until then the server does not close the connection to make room for others.
 */
void rsp_call_watch_connection(struct rsp_call *call, void (*closed)(void *userdata),
			       void *userdata);

/* Who made it, also when the client has gone. */
const struct rsp_peer *rsp_call_peer(const struct rsp_call *call);

#endif
