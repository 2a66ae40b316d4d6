/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A varlink server on sd-event: converts messages on connections to calls of methods.
 *
 * Clients are not trusted. A connection has at most one call in progress: the server reads no more
 * from the connection until it has sent the whole answer. So a connection holds at most
 * RSP_VARLINK_MESSAGE_MAX bytes of messages and one answer.
 *
 * Some places are reserved for trusted peers, and each untrusted user gets only a few of the rest.
 * If no place is free for a client, the server closes an idle connection, preferably of an
 * untrusted peer. If it can close no connection, the client gets Busy.
 */
#ifndef RSP_DAEMON_VARLINK_H
#define RSP_DAEMON_VARLINK_H

#include <stddef.h>
#include <sys/socket.h>
#include <systemd/sd-event.h>

#include "daemon/base/share.h"

struct json_object;
struct rsp_call;

#define RSP_VARLINK_MESSAGE_MAX		(64 * 1024)
#define RSP_VARLINK_CONNECTION_MAX	64
#define RSP_VARLINK_CONNECTION_RESERVED 16 /* for trusted peers */
#define RSP_VARLINK_CONNECTION_USER_MAX 8  /* for one untrusted user */

struct rsp_varlink_method {
	const char *name; /* "GetStatus" */
	/*
	 * parameters: a JSON object, valid until the call ends. The method ends the call with one
	 * of rsp_call_*(), immediately or later.
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
	/*
	 * Identifies the peer of a socket. Returns 0, or -errno: the server then closes the
	 * connection.
	 */
	int (*identify)(void *ctx, int fd, struct rsp_peer *ret);
};

struct rsp_varlink_server;

/*
 * interface and ctx must outlive the server. guests: the event loop for connections of untrusted
 * peers; event serves all other connections. Returns 0 or -errno.
 */
int rsp_varlink_server_new(sd_event *event, sd_event *guests,
			   const struct rsp_varlink_interface *interface, void *ctx,
			   struct rsp_varlink_server **ret);
/* Drops the calls in progress. */
struct rsp_varlink_server *rsp_varlink_server_free(struct rsp_varlink_server *server);

/* Takes ownership of fd, even on failure. */
int rsp_varlink_server_listen(struct rsp_varlink_server *server, int fd);
/*
 * Serves one connected socket, and ends the event loop when the connection closes. Takes ownership
 * of fd, even on failure.
 */
int rsp_varlink_server_adopt(struct rsp_varlink_server *server, int fd);

/*
 * Each function ends the call and takes ownership of parameters and fd (-1: no descriptor). If
 * parameters is NULL, rsp_call_reply() sends OutOfMemory, because the caller's allocation has
 * failed, and rsp_call_error() sends an empty object.
 */
void rsp_call_reply(struct rsp_call *call, struct json_object *parameters, int fd);
void rsp_call_error(struct rsp_call *call, const char *error, struct json_object *parameters);
/* Answers with org.varlink.service.InvalidParameter. */
void rsp_call_invalid(struct rsp_call *call, const char *parameter);

/* If the client disconnects before the call has ended, the server calls gone and ends the call. */
void rsp_call_watch(struct rsp_call *call, void (*gone)(void *userdata), void *userdata);

/*
 * The server calls closed once: when the connection of the call closes, or when this function is
 * called again for this connection. Until then, the server does not close the connection to make
 * room for other clients.
 */
void rsp_call_watch_connection(struct rsp_call *call, void (*closed)(void *userdata),
			       void *userdata);

const struct rsp_peer *rsp_call_peer(const struct rsp_call *call);

#endif
