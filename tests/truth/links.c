// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See links.h. A signal or a spurious wakeup may end a system call early, so each wait loops until
 * it has a token.
 */
#include "tests/truth/links.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tests/truth/ticks.h"

/* One page: a pipe has room for new data only after a whole page was read. */
#define ROOM_BYTES 4096

/* A timeout that must not expire: longer than any wait of a plan. */
#define NEVER_S 60

struct message {
	long type;
	char text[8];
};

/* --- links with descriptors ----------------------------------------------------------------- */

static void open_pipe(struct link *l)
{
	int fds[2];

	if (pipe(fds))
		err(1, "pipe");
	l->in = fds[0];
	l->out = fds[1];
}

static void open_pair(struct link *l, int type)
{
	int fds[2];

	if (socketpair(AF_UNIX, type, 0, fds))
		err(1, "socketpair");
	l->in = fds[0];
	l->out = fds[1];
}

static void open_unix(struct link *l)
{
	open_pair(l, SOCK_STREAM);
}

static void open_unix_dgram(struct link *l)
{
	open_pair(l, SOCK_DGRAM);
}

static struct sockaddr_in address_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	if (getsockname(fd, (struct sockaddr *)&a, &len))
		err(1, "getsockname");
	return a;
}

static int open_at(in_addr_t host, int type)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = host};
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		err(1, "a socket at an address of this machine");
	return fd;
}

static int open_inet(int type)
{
	return open_at(htonl(INADDR_LOOPBACK), type);
}

/* A socket stays in the namespace in which it was made. */
static int open_in_net(const struct link_nets *nets, unsigned int end, int type)
{
	int fd;

	if (nets->ends[0] < 0)
		return open_inet(type);
	if (setns(nets->ends[end], CLONE_NEWNET))
		err(1, "another network namespace");
	fd = open_at(htonl(ntohl(inet_addr(LINK_NET)) + 1 + end), type);
	if (setns(nets->own, CLONE_NEWNET))
		err(1, "back to the own network namespace");
	return fd;
}

static void connect_to(int fd, int peer)
{
	struct sockaddr_in a = address_of(peer);

	if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
		err(1, "connect");
}

/* server and client are bound sockets. */
static void connect_tcp(struct link *l, int server, int client)
{
	int one = 1;

	l->out = client;
	if (listen(server, 1))
		err(1, "listen");
	connect_to(l->out, server);
	l->in = accept(server, NULL, NULL);
	if (l->in < 0)
		err(1, "accept");
	close(server);
	if (setsockopt(l->out, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		err(1, "TCP_NODELAY");
}

static void open_tcp(struct link *l)
{
	connect_tcp(l, open_inet(SOCK_STREAM), open_inet(SOCK_STREAM));
}

static void open_tcp_netns(struct link *l)
{
	connect_tcp(l, open_in_net(l->nets, 0, SOCK_STREAM), open_in_net(l->nets, 1, SOCK_STREAM));
}

static void open_tcp_timed(struct link *l)
{
	struct timeval never = {.tv_sec = NEVER_S};

	open_tcp(l);
	if (setsockopt(l->in, SOL_SOCKET, SO_RCVTIMEO, &never, sizeof(never)))
		err(1, "SO_RCVTIMEO");
}

static void open_udp(struct link *l)
{
	l->in = open_inet(SOCK_DGRAM);
	l->out = open_inet(SOCK_DGRAM);
	connect_to(l->out, l->in);
	connect_to(l->in, l->out);
}

static void open_udp_netns(struct link *l)
{
	l->in = open_in_net(l->nets, 0, SOCK_DGRAM);
	l->out = open_in_net(l->nets, 1, SOCK_DGRAM);
	connect_to(l->out, l->in);
	connect_to(l->in, l->out);
}

static void open_udp_server(struct link *l)
{
	l->in = open_inet(SOCK_DGRAM);
	l->out = open_inet(SOCK_DGRAM);
	connect_to(l->out, l->in);
}

static void post_byte(struct link *l)
{
	if (write(l->out, "t", 1) != 1)
		err(1, "write");
}

static void wait_poll(struct link *l)
{
	struct pollfd p = {.fd = l->in, .events = POLLIN};

	while (poll(&p, 1, -1) != 1)
		if (errno != EINTR)
			err(1, "poll");
	link_read_byte(l);
}

static void wait_poll_timed(struct link *l)
{
	struct pollfd p = {.fd = l->in, .events = POLLIN};

	if (poll(&p, 1, NEVER_S * 1000) != 1)
		err(1, "poll");
	link_read_byte(l);
}

static void wait_select(struct link *l)
{
	fd_set set;

	if (l->in < FD_SETSIZE) {
		FD_ZERO(&set);
		FD_SET(l->in, &set);
		while (select(l->in + 1, &set, NULL, NULL, NULL) != 1)
			if (errno != EINTR)
				err(1, "select");
	}
	link_read_byte(l);
}

static void wait_epoll(struct link *l)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = epoll_create1(0);

	if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, l->in, &event))
		err(1, "epoll");
	while (epoll_wait(fd, &event, 1, -1) != 1)
		if (errno != EINTR)
			err(1, "epoll_wait");
	close(fd);
	link_read_byte(l);
}

static void open_eventfd(struct link *l)
{
	l->in = l->out = eventfd(0, EFD_SEMAPHORE);
	if (l->in < 0)
		err(1, "eventfd");
}

static void post_eventfd(struct link *l)
{
	if (eventfd_write(l->out, 1))
		err(1, "eventfd");
}

static void wait_eventfd(struct link *l)
{
	eventfd_t token;

	while (eventfd_read(l->in, &token))
		if (errno != EINTR)
			err(1, "eventfd");
}

/*
 * The pipe is full, so the waiting task waits in write(). The posting task reads a page to make
 * room.
 */
static void open_full_pipe(struct link *l)
{
	char page[ROOM_BYTES] = {0};
	int fds[2];

	if (pipe2(fds, O_NONBLOCK))
		err(1, "pipe");
	while (write(fds[1], page, sizeof(page)) > 0)
		;
	if (errno != EAGAIN || fcntl(fds[0], F_SETFL, 0) || fcntl(fds[1], F_SETFL, 0))
		err(1, "a full pipe");
	l->in = fds[1];
	l->out = fds[0];
}

static void post_room(struct link *l)
{
	char page[ROOM_BYTES];

	if (read(l->out, page, sizeof(page)) != sizeof(page))
		err(1, "read");
}

static void wait_room(struct link *l)
{
	char page[ROOM_BYTES] = {0};

	if (write(l->in, page, sizeof(page)) != sizeof(page))
		err(1, "write");
}

/* A kernel thread carries the data from one end to the other. */
static void open_pty(struct link *l)
{
	struct termios raw;
	char name[64];

	l->out = posix_openpt(O_RDWR | O_NOCTTY);
	if (l->out < 0 || grantpt(l->out) || unlockpt(l->out) ||
	    ptsname_r(l->out, name, sizeof(name)))
		err(1, "a pseudoterminal");
	l->in = open(name, O_RDWR | O_NOCTTY);
	if (l->in < 0 || tcgetattr(l->in, &raw))
		err(1, "%s", name);
	cfmakeraw(&raw);
	if (tcsetattr(l->in, TCSANOW, &raw))
		err(1, "%s", name);
}

static void open_messages(struct link *l)
{
	l->number = msgget(IPC_PRIVATE, 0600);
	if (l->number < 0)
		err(1, "msgget");
}

static void post_message(struct link *l)
{
	struct message m = {.type = 1};

	if (msgsnd(l->number, &m, sizeof(m.text), 0))
		err(1, "msgsnd");
}

static void wait_message(struct link *l)
{
	struct message m;

	while (msgrcv(l->number, &m, sizeof(m.text), 0, 0) < 0)
		if (errno != EINTR)
			err(1, "msgrcv");
}

/* A queue outlives its processes. */
static void close_messages(struct link *l)
{
	if (msgctl(l->number, IPC_RMID, NULL))
		err(1, "msgctl");
}

/* --- shared memory --------------------------------------------------------------------------- */

static void open_word(struct link *l)
{
	l->word = 0;
}

static long futex(uint32_t *word, int op, uint32_t value)
{
	return syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void post_futex(struct link *l)
{
	__atomic_fetch_add(&l->word, 1, __ATOMIC_SEQ_CST);
	futex(&l->word, FUTEX_WAKE, 1);
}

/* Only the waiting task takes tokens, so a token that the loop has seen is still there. */
static void wait_futex(struct link *l)
{
	while (__atomic_load_n(&l->word, __ATOMIC_SEQ_CST) == 0)
		futex(&l->word, FUTEX_WAIT, 0);
	__atomic_fetch_sub(&l->word, 1, __ATOMIC_SEQ_CST);
}

static void post_flag(struct link *l)
{
	__atomic_fetch_add(&l->word, 1, __ATOMIC_SEQ_CST);
}

static void wait_spin(struct link *l)
{
	while (__atomic_load_n(&l->word, __ATOMIC_SEQ_CST) == 0)
		;
	__atomic_fetch_sub(&l->word, 1, __ATOMIC_SEQ_CST);
}

static void open_cond(struct link *l)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;

	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	if (pthread_mutex_init(&l->mutex, &ma) || pthread_cond_init(&l->cond, &ca))
		errx(1, "no condition variables between processes");
}

static void post_cond(struct link *l)
{
	pthread_mutex_lock(&l->mutex);
	l->word++;
	pthread_mutex_unlock(&l->mutex);
	pthread_cond_signal(&l->cond);
}

static void wait_cond(struct link *l)
{
	pthread_mutex_lock(&l->mutex);
	while (l->word == 0)
		pthread_cond_wait(&l->cond, &l->mutex);
	l->word--;
	pthread_mutex_unlock(&l->mutex);
}

static void open_sem(struct link *l)
{
	if (sem_init(&l->sem, 1, 0))
		err(1, "sem_init");
}

static void post_sem(struct link *l)
{
	if (sem_post(&l->sem))
		err(1, "sem_post");
}

static void wait_sem(struct link *l)
{
	while (sem_wait(&l->sem))
		if (errno != EINTR)
			err(1, "sem_wait");
}

static void wait_sem_timed(struct link *l)
{
	struct timespec until;

	if (clock_gettime(CLOCK_REALTIME, &until))
		err(1, "clock_gettime");
	until.tv_sec += NEVER_S;
	while (sem_timedwait(&l->sem, &until))
		if (errno != EINTR)
			err(1, "sem_timedwait");
}

/* --- signals --------------------------------------------------------------------------------- */

/*
 * The links to one task have different signal numbers, so a wait does not take the token of another
 * link.
 */
static int signal_of(const struct link *l)
{
	return SIGRTMIN + l->number % (SIGRTMAX - SIGRTMIN + 1);
}

static void open_signal(struct link *l)
{
	l->word = 0;
}

static void post_signal(struct link *l)
{
	if (syscall(SYS_tgkill, *l->pid, *l->tid, signal_of(l)))
		err(1, "tgkill");
}

static void wait_signal(struct link *l)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal_of(l));
	while (sigwaitinfo(&set, NULL) < 0)
		if (errno != EINTR)
			err(1, "sigwaitinfo");
}

void links_prepare(void)
{
	sigset_t set;
	int i;

	sigemptyset(&set);
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		sigaddset(&set, i);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		err(1, "sigprocmask");
}

/* --------------------------------------------------------------------------------------------- */

/* The type "spin", which occupies a CPU, is last, so that build_type() can leave it out. */
const struct link_type link_types[] = {
	{"pipe", open_pipe, post_byte, link_read_byte, .pollable = true},
	{"eventfd", open_eventfd, post_eventfd, wait_eventfd, .pollable = true},
	{"unix", open_unix, post_byte, link_read_byte, .pollable = true},
	{"unix-dgram", open_unix_dgram, post_byte, link_read_byte, .pollable = true},
	{"tcp", open_tcp, post_byte, link_read_byte, .pollable = true},
	{"udp", open_udp, post_byte, link_read_byte, .pollable = true},
	{"udp-server", open_udp_server, post_byte, link_read_byte, .pollable = true},
	{"tcp-netns", open_tcp_netns, post_byte, link_read_byte, .pollable = true},
	{"udp-netns", open_udp_netns, post_byte, link_read_byte, .pollable = true},
	{"pipe-poll", open_pipe, post_byte, wait_poll, .pollable = true},
	{"unix-select", open_unix, post_byte, wait_select, .pollable = true},
	{"tcp-epoll", open_tcp, post_byte, wait_epoll, .pollable = true},
	{"udp-poll", open_udp, post_byte, wait_poll, .pollable = true},
	{"pipe-poll-timed", open_pipe, post_byte, wait_poll_timed, .pollable = true},
	{"tcp-timed", open_tcp_timed, post_byte, link_read_byte, .pollable = true},
	{"pty", open_pty, post_byte, link_read_byte, .pollable = true},
	{"pipe-full", open_full_pipe, post_room, wait_room, .pollable = false},
	{"messages", open_messages, post_message, wait_message, .close = close_messages},
	{"sem-timed", open_sem, post_sem, wait_sem_timed, .pollable = false},
	{"futex", open_word, post_futex, wait_futex, .pollable = false},
	{"cond", open_cond, post_cond, wait_cond, .pollable = false},
	{"sem", open_sem, post_sem, wait_sem, .pollable = false},
	{"pipe-poll-ticks", open_pipe, post_byte, ticks_wait_poll, .pollable = true, .looks = true},
	{"tcp-epoll-ticks", open_tcp, post_byte, ticks_wait_epoll, .pollable = true, .looks = true},
	{"unix-select-ticks", open_unix, post_byte, ticks_wait_select, .pollable = true,
	 .looks = true},
	{"futex-ticks", open_word, post_futex, ticks_wait_futex, .looks = true},
	{"cond-ticks", open_cond, post_cond, ticks_wait_cond, .looks = true},
	{"signal", open_signal, post_signal, wait_signal, .needs_waiter = true},
	{"spin", open_word, post_flag, wait_spin, .pollable = false},
};
const unsigned int link_type_cnt = sizeof(link_types) / sizeof(link_types[0]);

void link_expect_waiter(const struct link *l)
{
	while (l->type->needs_waiter && !__atomic_load_n(l->tid, __ATOMIC_SEQ_CST))
		sched_yield();
}

void link_close(struct link *l)
{
	if (l->type->close)
		l->type->close(l);
}

void link_open(struct link *l, unsigned int type, int number, const pid_t *pid, const pid_t *tid,
	       const struct link_nets *nets)
{
	*l = (struct link){.type = &link_types[type], .in = -1, .out = -1, .pid = pid, .tid = tid};
	l->number = number;
	l->nets = nets;
	l->type->open(l);
}
