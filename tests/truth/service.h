/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A service: one or more servers (processes or threads) take calls of all tasks from one entrance.
 * A caller waits while the servers serve earlier calls, and then for its own answer. To add a kind
 * of entrance, add an entry to the table of service.c.
 */
#ifndef TESTS_TRUTH_SERVICE_H
#define TESTS_TRUTH_SERVICE_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/truth/calls.h"
#include "tests/truth/log.h"
#include "tests/truth/plan.h"

/* Lies in memory that all tasks share. */
struct service {
	const struct entrance *entrance;
	unsigned int server_cnt, patience_ms;
	int in, out; /* shared by all: servers take from in (it may listen), tasks send to out */
	int clients[PLAN_TASKS_MAX];	 /* a task's end of its connection, if it has one */
	int servers[PLAN_TASKS_MAX];	 /* the servers' end of that connection */
	struct sockaddr_storage address; /* of in, if it listens */
	socklen_t address_len;
	unsigned int taken_cnt, expected_cnt;
	struct answer knocked; /* the task that connected last */
};

/* A call that a server took, and the descriptor for the answer. */
struct service_visit {
	struct call call;
	int fd;
	struct sockaddr_in peer; /* address for the answer, if all callers share fd */
};

/* Data of one server. */
struct service_server {
	struct service *service;
	struct log_task *log;
	unsigned int task;
	int epoll;    /* -1: not needed */
	bool is_last; /* this server took the last call */
};

/* Opens the service of a plan. Does nothing if the plan contains no calls. */
void service_open(struct service *s, const struct plan *plan);
/* Returns the name of the kind of entrance; NULL: the plan has no service. */
const char *service_entrance(const struct plan *plan);

/* Sends a call, waits for the answer and logs the wait. */
void service_call(struct service *s, struct log_task *log, unsigned int task, struct call call);

void service_server_init(struct service_server *ret, struct service *s, struct log_task *log,
			 unsigned int task);
/* Returns false if no calls are left. The caller passes each taken call to service_answer(). */
bool service_take(struct service_server *server, struct service_visit *ret);
void service_answer(struct service_server *server, const struct service_visit *visit);

#endif
