/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A method call that takes rights, from its arrival to its answer: who is it (the bus says), may
 * they (root and group rsp; else polkit), do it, answer. If the caller leaves the bus meanwhile,
 * all of it ends. Knows no method: a verb does. Waits for nobody: each step is an answer that comes
 * later.
 */
#ifndef RSP_DAEMON_BUS_REQUEST_H
#define RSP_DAEMON_BUS_REQUEST_H

#include <systemd/sd-bus.h>

#include "daemon/api/api.h"

#define RSP_BUS_ERROR "io.rsp.Recorder1.Error."

struct rsp_bus_request;

/* What the negative errno of a verb is called on the bus. */
struct rsp_bus_error {
	int error;
	const char *name, *text;
};

struct rsp_bus_verb {
	const char *action; /* of polkit; NULL: only for root and group rsp */
	const char *wish;   /* for the journal: "user 1000 asked to …" and may not */
	/* Whether its arguments make sense, and are not so large that holding them hurts. */
	int (*check)(sd_bus_message *call);
	/*
	 * 1: it is done and answered; 0: rsp_bus_request_end() will be called; -errno: refused.
	 * -EACCES of an untrusted peer asks polkit, which may make it trusted: then it is called
	 * again.
	 */
	int (*perform)(struct rsp_bus_request *req);
	void (*cancel)(struct rsp_bus_request *req); /* of what goes on; NULL: never does */
	const struct rsp_bus_error *errors;	     /* of its own, up to one without a name */
};

/* All calls in progress on one connection. */
struct rsp_bus_requests {
	struct rsp_bus_request *first;
	unsigned int unknown_cnt; /* of them whose caller is yet to be known */
	struct rsp_share share;	  /* of the others; rsp_bus_requests_init() */
	gid_t group;		  /* whose members are trusted; (gid_t)-1: nobody's */
};

struct rsp_bus_request {
	struct rsp_bus_request *next, **place; /* who points here */
	struct rsp_bus_requests *all;
	const struct rsp_bus_verb *verb;
	void *userdata;
	sd_bus_message *call;
	sd_bus_slot *gone;  /* tells that the caller has left */
	sd_bus_slot *asked; /* the answer that is waited for */
	bool known;	    /* peer is */
	bool counted;	    /* in the share, by who they were before polkit was asked */
	struct rsp_peer account;
	bool authorized; /* polkit has been asked */
	struct rsp_peer peer;
	struct rsp_job *job; /* the verb's: what it waits for */
};

void rsp_bus_requests_init(struct rsp_bus_requests *all, gid_t group);

/* As a method handler returns: 1, or -errno, which sd-bus answers. */
int rsp_bus_request_begin(struct rsp_bus_requests *all, sd_bus_message *call,
			  const struct rsp_bus_verb *verb, void *userdata);
/* What perform() left open is over. r: as perform() returns it, but not 0. */
void rsp_bus_request_end(struct rsp_bus_request *req, int r);

/* The connection is gone: nobody is answered. */
void rsp_bus_requests_drop(struct rsp_bus_requests *all);

#endif
