// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See service.h. If each call has a connection, a server waits for a client, and then for its
 * question. If all calls go through one queue, a server waits only for questions.
 */
#include "tests/truth/service.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 128

struct entrance {
	const char *name;
	void (*open)(struct service *s, unsigned int tasks);
	/*
	 * Returns the descriptor for the task's question. The answer arrives at this descriptor
	 * (hangs_up), or at the task's own descriptor s->clients[task].
	 */
	int (*knock)(struct service *s, unsigned int task);
	/*
	 * Waits until a client connects or a connection has a question. Returns the descriptor of
	 * the connection, or -1 if another server took it. NULL: all calls arrive at s->in, without
	 * connections.
	 */
	int (*let_in)(const struct service_server *server);
	/* the server sends the answer to the address of the question */
	bool has_address;
	bool hangs_up; /* a connection is for one question */
	bool watches;  /* each server waits with its own epoll descriptor */
	/*
	 * for a service with one server: with several servers, each question would wake all of them
	 */
	bool is_for_one;
};

/*
 * --- entrances: one queue for all servers ------------------------------------------------------
 */

static void open_pair(int *ret_a, int *ret_b, int type)
{
	int fds[2];

	if (socketpair(AF_UNIX, type, 0, fds))
		err(1, "socketpair");
	*ret_a = fds[0];
	*ret_b = fds[1];
}

static void open_answers(struct service *s, unsigned int tasks)
{
	for (unsigned int i = 0; i < tasks; i++)
		open_pair(&s->clients[i], &s->servers[i], SOCK_STREAM);
}

static void open_pipe(struct service *s, unsigned int tasks)
{
	int fds[2];

	if (pipe(fds))
		err(1, "pipe");
	s->in = fds[0];
	s->out = fds[1];
	open_answers(s, tasks);
}

static void open_datagrams(struct service *s, unsigned int tasks)
{
	open_pair(&s->in, &s->out, SOCK_DGRAM);
	open_answers(s, tasks);
}

static int knock_at_queue(struct service *s, unsigned int task)
{
	(void)task;
	return s->out;
}

static int bind_inet(int type)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		err(1, "a socket of this machine");
	return fd;
}

static void learn_address(struct service *s)
{
	s->address_len = sizeof(s->address);
	if (getsockname(s->in, (struct sockaddr *)&s->address, &s->address_len))
		err(1, "getsockname");
}

static void connect_to(const struct service *s, int fd)
{
	if (fd < 0 || connect(fd, (const struct sockaddr *)&s->address, s->address_len))
		err(1, "connect");
}

static void open_udp(struct service *s, unsigned int tasks)
{
	s->in = bind_inet(SOCK_DGRAM);
	learn_address(s);
	for (unsigned int i = 0; i < tasks; i++) {
		s->clients[i] = bind_inet(SOCK_DGRAM);
		connect_to(s, s->clients[i]);
	}
}

static int knock_at_own(struct service *s, unsigned int task)
{
	return s->clients[task];
}

/* --- entrances: a connection for each call -------------------------------------------------- */

static void listen_at(struct service *s, unsigned int tasks)
{
	(void)tasks;
	if (listen(s->in, BACKLOG))
		err(1, "listen");
	learn_address(s);
}

static void open_unix_door(struct service *s, unsigned int tasks)
{
	sa_family_t family = AF_UNIX;

	s->in = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* The address has only a family, so the kernel chooses a name for the socket. */
	if (s->in < 0 || bind(s->in, (struct sockaddr *)&family, sizeof(family)))
		err(1, "a socket of this machine");
	listen_at(s, tasks);
}

static void open_tcp_door(struct service *s, unsigned int tasks)
{
	s->in = bind_inet(SOCK_STREAM);
	listen_at(s, tasks);
}

static void open_watched_door(struct service *s, unsigned int tasks)
{
	open_tcp_door(s, tasks);
	if (fcntl(s->in, F_SETFL, O_NONBLOCK))
		err(1, "O_NONBLOCK");
}

static int knock_at_door(struct service *s, unsigned int task)
{
	int fd = socket(s->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	connect_to(s, fd);
	s->knocked = (struct answer){.at_ns = calls_now_ns(), .who = (uint16_t)task};
	return fd;
}

static int accept_next(const struct service_server *server)
{
	int fd = accept4(server->service->in, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 && errno != EAGAIN)
		err(1, "accept");
	return fd;
}

static int watch_next(const struct service_server *server)
{
	struct epoll_event event;
	int n;

	do
		n = epoll_wait(server->epoll, &event, 1, -1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		err(1, "epoll_wait");
	return event.data.fd;
}

static int accept_watched(const struct service_server *server)
{
	watch_next(server);
	return accept_next(server);
}

/* --- connections that stay ------------------------------------------------------------------- */

static void open_connections(struct service *s, unsigned int tasks)
{
	open_tcp_door(s, tasks);
	for (unsigned int i = 0; i < tasks; i++) {
		s->clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		connect_to(s, s->clients[i]);
		s->servers[i] = accept4(s->in, NULL, NULL, SOCK_CLOEXEC);
		if (s->servers[i] < 0)
			err(1, "accept");
	}
}

/* --------------------------------------------------------------------------------------------- */

static const struct entrance entrances[] = {
	{"pipe", open_pipe, knock_at_queue, NULL},
	{"unix-dgram", open_datagrams, knock_at_queue, NULL},
	{"udp", open_udp, knock_at_own, NULL, .has_address = true},
	{"unix-accept", open_unix_door, knock_at_door, accept_next, .hangs_up = true},
	{"tcp-accept", open_tcp_door, knock_at_door, accept_next, .hangs_up = true},
	{"tcp-epoll-accept", open_watched_door, knock_at_door, accept_watched, .hangs_up = true,
	 .watches = true},
	{"tcp-epoll", open_connections, knock_at_own, watch_next, .watches = true,
	 .is_for_one = true},
};
#define ENTRANCES (sizeof(entrances) / sizeof(entrances[0]))

static const struct entrance *entrance_of(const struct plan *plan)
{
	unsigned int i = plan->entrance % ENTRANCES;

	while (entrances[i].is_for_one && plan->server_cnt > 1)
		i = (i + 1) % ENTRANCES;
	return &entrances[i];
}

const char *service_entrance(const struct plan *plan)
{
	return plan->call_cnt ? entrance_of(plan)->name : NULL;
}

void service_open(struct service *s, const struct plan *plan)
{
	if (!plan->call_cnt)
		return;
	s->entrance = entrance_of(plan);
	s->server_cnt = plan->server_cnt;
	s->patience_ms = plan->patience_ms;
	s->expected_cnt = plan->call_cnt;
	s->entrance->open(s, (unsigned int)plan->task_cnt);
}

static int send_call(struct service *s, unsigned int task, struct call *call)
{
	int fd = s->entrance->knock(s, task);

	call->from = (uint16_t)task;
	call->knocked_ns = call->at_ns = calls_now_ns();
	calls_send(fd, call, sizeof(*call));
	return fd;
}

void service_call(struct service *s, struct log_task *log, unsigned int task, struct call call)
{
	int fd = send_call(s, task, &call);
	struct log_entry e = log_begin(STEP_CALL, 0);
	int from = s->entrance->hangs_up ? fd : s->clients[task];
	struct answer a;

	calls_await(from, s->patience_ms);
	calls_receive(from, &a, sizeof(a));
	log_end(&e);
	e.arg = a.who;
	e.at_ns = a.at_ns;
	log_add(log, &e);
	if (s->entrance->hangs_up)
		close(fd);
}

void service_server_init(struct service_server *ret, struct service *s, struct log_task *log,
			 unsigned int task)
{
	*ret = (struct service_server){.service = s, .log = log, .task = task, .epoll = -1};
	if (!s->entrance->watches)
		return;
	ret->epoll = epoll_create1(EPOLL_CLOEXEC);
	for (unsigned int i = 0; i < PLAN_TASKS_MAX; i++) {
		int fd = s->entrance->hangs_up ? s->in : s->servers[i];
		struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

		if (s->entrance->hangs_up)
			event.events |= EPOLLEXCLUSIVE;
		if (i && (s->entrance->hangs_up || !fd))
			break;
		if (ret->epoll < 0 || epoll_ctl(ret->epoll, EPOLL_CTL_ADD, fd, &event))
			err(1, "epoll");
	}
}

static void log_wait_for(struct log_task *log, struct log_entry *e, unsigned int who,
			 uint64_t at_ns)
{
	e->arg = who;
	e->at_ns = at_ns;
	log_add(log, e);
}

/*
 * Waits for a connection, and returns its descriptor. service_take() completes *ret when it has
 * read the call. If the entrance has no connections, returns s->in at once.
 */
static int let_in(const struct service_server *server, struct log_entry *ret)
{
	const struct service *s = server->service;
	int fd;

	if (!s->entrance->let_in)
		return s->in;
	for (;;) {
		*ret = log_begin(STEP_ATTEND, 0);
		fd = s->entrance->let_in(server);
		log_end(ret);
		if (fd >= 0)
			return fd;
		log_wait_for(server->log, ret, s->knocked.who, s->knocked.at_ns);
	}
}

static void hear(const struct service *s, struct service_visit *v)
{
	socklen_t len = sizeof(v->peer);
	ssize_t n;

	if (!s->entrance->has_address) {
		calls_receive(v->fd, &v->call, sizeof(v->call));
		return;
	}
	do
		n = recvfrom(v->fd, &v->call, sizeof(v->call), 0, (struct sockaddr *)&v->peer,
			     &len);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(v->call))
		err(1, "recvfrom");
}

static void send_home(const struct service_server *server)
{
	struct service *s = server->service;

	for (unsigned int i = 1; i < s->server_cnt; i++) {
		struct call last = {.us = 0};
		int fd = send_call(s, server->task, &last);

		if (s->entrance->hangs_up)
			close(fd);
	}
}

bool service_take(struct service_server *server, struct service_visit *ret)
{
	struct service *s = server->service;
	struct log_entry knock, said;
	unsigned int taken;

	if (server->is_last)
		return false;
	ret->fd = let_in(server, &knock);
	said = log_begin(STEP_ATTEND, 0);
	hear(s, ret);
	log_end(&said);
	if (s->entrance->let_in)
		log_wait_for(server->log, &knock, ret->call.from, ret->call.knocked_ns);
	log_wait_for(server->log, &said, ret->call.from, ret->call.at_ns);
	if (ret->call.us == 0)
		return false;
	taken = __atomic_add_fetch(&s->taken_cnt, 1, __ATOMIC_SEQ_CST);
	server->is_last = taken == s->expected_cnt;
	if (server->is_last)
		send_home(server);
	return true;
}

void service_answer(struct service_server *server, const struct service_visit *v)
{
	struct service *s = server->service;
	struct answer a = {.at_ns = calls_now_ns(), .who = (uint16_t)server->task};

	if (s->entrance->has_address) {
		if (sendto(v->fd, &a, sizeof(a), 0, (const struct sockaddr *)&v->peer,
			   sizeof(v->peer)) != sizeof(a))
			err(1, "sendto");
	} else if (s->entrance->let_in) {
		calls_answer(v->fd, server->task);
	} else {
		calls_answer(s->servers[v->call.from], server->task);
	}
	if (s->entrance->hangs_up)
		close(v->fd);
}
