// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The steps that send questions (service.h, leases.h), and the steps that answer these questions.
 */
#include <err.h>
#include <string.h>

#include "tests/truth/steps-parts.h"

static struct call call_of(const struct step *s)
{
	return (struct call){.us = s->us, .asked = (uint8_t)s->asked, .is_cause = s->arg};
}

static void work_on(struct world *w, unsigned int task, const struct call *call)
{
	if (call->is_cause)
		w->plan.who = task;
	steps_do_one(w, task, &(struct step){.kind = (enum step_kind)call->asked, .us = call->us});
}

static void attend(struct world *w, unsigned int task)
{
	struct service_server server;
	struct service_visit visit;

	service_server_init(&server, &w->service, &w->logs[task], task);
	while (service_take(&server, &visit)) {
		work_on(w, task, &visit.call);
		service_answer(&server, &visit);
	}
}

static void add_wait(struct log_task *log, struct log_entry *e, const struct answer *how)
{
	e->arg = how->who;
	e->at_ns = how->at_ns;
	log_add(log, e);
}

static void take(struct world *w, unsigned int task)
{
	struct log_entry e = log_begin(STEP_TAKE, 0);
	struct answer how = leases_take(&w->leases, task, w->plan.patience_ms);

	log_end(&e);
	add_wait(&w->logs[task], &e, &how);
}

static void ask(struct world *w, unsigned int task, struct call call)
{
	struct log_entry e;
	struct answer how;

	leases_send(&w->leases, task, call);
	e = log_begin(STEP_ASK, 0);
	how = leases_receive(&w->leases, task, w->plan.patience_ms);
	log_end(&e);
	add_wait(&w->logs[task], &e, &how);
}

static void answer_all(struct world *w, unsigned int task, unsigned int connection)
{
	int fd = w->leases.backends[connection];
	struct call call;

	for (;;) {
		struct log_entry e = log_begin(STEP_BACKEND, 0);
		struct answer how;

		calls_receive(fd, &call, sizeof(call));
		log_end(&e);
		how = (struct answer){.at_ns = call.at_ns, .who = call.from};
		add_wait(&w->logs[task], &e, &how);
		if (!call.us)
			return;
		work_on(w, task, &call);
		calls_answer(fd, task);
	}
}

void steps_call(struct world *w, unsigned int task, const struct step *s)
{
	switch (s->kind) {
	case STEP_CALL:
		service_call(&w->service, &w->logs[task], task, call_of(s));
		break;
	case STEP_ATTEND:
		attend(w, task);
		break;
	case STEP_TAKE:
		take(w, task);
		break;
	case STEP_ASK:
		ask(w, task, call_of(s));
		break;
	case STEP_GIVE:
		leases_give(&w->leases, task);
		break;
	case STEP_BACKEND:
		answer_all(w, task, s->arg);
		break;
	default:
		errx(1, "step %d asks no one", s->kind);
	}
}
