/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles method calls that need rights, from their arrival to their answer: asks the bus for the
 * caller's credentials, performs the verb (the work of the method), and answers. If the verb
 * refuses the caller, and polkit allows the action, performs the verb again.
 */
#ifndef RSP_DAEMON_BUS_REQUEST_H
#define RSP_DAEMON_BUS_REQUEST_H

#include <systemd/sd-bus.h>

#include "daemon/api/api.h"

#define RSP_BUS_ERROR "io.rsp.Recorder1.Error."

struct rsp_bus_request;

struct rsp_bus_error {
	int error;
	const char *name, *text;
};

struct rsp_bus_verb {
	const char *action;  /* action of polkit; NULL: only root and group rsp may call */
	const char *purpose; /* for the journal: "user 1000 asked to PURPOSE" */
	/* Checks that the arguments are valid, and small enough to keep. */
	int (*check)(sd_bus_message *call);
	/*
	 * Returns 1 if it has answered the call, 0 if a later rsp_bus_request_end() answers it, or
	 * -errno to refuse it. If an untrusted peer gets -EACCES and the verb has an action, rspd
	 * asks polkit. If polkit allows the action, the peer becomes trusted, and perform is called
	 * again.
	 */
	int (*perform)(struct rsp_bus_request *req);
	void (*cancel)(struct rsp_bus_request *req); /* ends the job; NULL: the verb has no jobs */
	/* errors of this verb; the last entry has no name */
	const struct rsp_bus_error *errors;
};

/* All calls in progress on one connection. */
struct rsp_bus_requests {
	struct rsp_bus_request *first;
	unsigned int unknown_cnt; /* calls whose caller is not identified yet */
	/* counts the calls whose caller is known */
	struct rsp_share share;
	gid_t group; /* group of trusted users; (gid_t)-1: no group */
};

struct rsp_bus_request {
	struct rsp_bus_request *next, **place; /* place: the pointer to this request */
	struct rsp_bus_requests *all;
	const struct rsp_bus_verb *verb;
	void *userdata;
	sd_bus_message *call;
	sd_bus_slot *gone;  /* match for the signal that the caller has left */
	sd_bus_slot *asked; /* the pending request to the bus or polkit */
	bool known;	    /* peer is identified */
	/*
	 * true: the share counts the call, with account as its peer. account is a copy of peer from
	 * before polkit's decision, so that the place goes back to the same account.
	 */
	bool counted;
	struct rsp_peer account;
	bool authorized; /* polkit has been asked */
	struct rsp_peer peer;
	struct rsp_job *job; /* the job that the verb waits for */
};

void rsp_bus_requests_init(struct rsp_bus_requests *all, gid_t group);

/*
 * Begins a request. Returns the result for a method handler: 1, or -errno, which sd-bus sends as an
 * answer.
 */
int rsp_bus_request_begin(struct rsp_bus_requests *all, sd_bus_message *call,
			  const struct rsp_bus_verb *verb, void *userdata);
/* Ends a request for which perform() returned 0. r: 1 or -errno, like a result of perform(). */
void rsp_bus_request_end(struct rsp_bus_request *req, int r);

void rsp_bus_requests_drop(struct rsp_bus_requests *all);

#endif
