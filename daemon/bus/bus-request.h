/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A method call that needs rights, from its arrival to its answer: identify the caller by asking
 * the bus, check the rights (root and group rsp have them; else ask polkit), perform the verb,
 * answer. If the caller leaves the bus meanwhile, all of this ends. This file knows no method: each
 * verb implements one. It never blocks: each step begins when the answer to the previous one
 * arrives.
 */
#ifndef RSP_DAEMON_BUS_REQUEST_H
#define RSP_DAEMON_BUS_REQUEST_H

#include <systemd/sd-bus.h>

#include "daemon/api/api.h"

#define RSP_BUS_ERROR "io.rsp.Recorder1.Error."

struct rsp_bus_request;

/* The name on the bus of a verb's negative errno. */
struct rsp_bus_error {
	int error;
	const char *name, *text;
};

struct rsp_bus_verb {
	const char *action;  /* action of polkit; NULL: only root and group rsp may call */
	const char *purpose; /* for the journal: "user 1000 asked to …" and was refused */
	/* Checks that the arguments are valid, and small enough to keep. */
	int (*check)(sd_bus_message *call);
	/*
	 * 1: done and answered. 0: rsp_bus_request_end() will be called. -errno: refused. If an
	 * untrusted peer gets -EACCES, polkit is asked. If polkit makes the peer trusted, perform
	 * is called again.
	 */
	int (*perform)(struct rsp_bus_request *req);
	void (*cancel)(struct rsp_bus_request *req); /* ends the job; NULL: the verb has no jobs */
	/* errors of this verb, up to one without a name */
	const struct rsp_bus_error *errors;
};

/* All calls in progress on one connection. */
struct rsp_bus_requests {
	struct rsp_bus_request *first;
	unsigned int unknown_cnt; /* calls whose caller is not identified yet */
	struct rsp_share share;	  /* of all other calls; see rsp_bus_requests_init() */
	gid_t group;		  /* group of trusted users; (gid_t)-1: none */
};

struct rsp_bus_request {
	struct rsp_bus_request *next, **place; /* the pointer to this request */
	struct rsp_bus_requests *all;
	const struct rsp_bus_verb *verb;
	void *userdata;
	sd_bus_message *call;
	sd_bus_slot *gone;  /* match for the signal that the caller has left */
	sd_bus_slot *asked; /* the pending question to the bus or polkit */
	bool known;	    /* peer is identified */
	/* in the share, as account: the peer's rights before polkit was asked */
	bool counted;
	struct rsp_peer account;
	bool authorized; /* polkit has been asked */
	struct rsp_peer peer;
	struct rsp_job *job; /* the job that the verb waits for */
};

void rsp_bus_requests_init(struct rsp_bus_requests *all, gid_t group);

/* Returns what a method handler returns: 1, or -errno, which sd-bus sends as an answer. */
int rsp_bus_request_begin(struct rsp_bus_requests *all, sd_bus_message *call,
			  const struct rsp_bus_verb *verb, void *userdata);
/* Ends a request for which perform() returned 0. r: as perform() returns it, but not 0. */
void rsp_bus_request_end(struct rsp_bus_request *req, int r);

/* Drops all requests without an answer: the connection is gone. */
void rsp_bus_requests_drop(struct rsp_bus_requests *all);

#endif
