// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unixpeer [--old]: a client exchanges messages with servers over unix sockets, in one scene (kind
 * of connection) after the other. In each scene, a child process is the server and has the name of
 * the scene. With --old, the program first opens the connections of most scenes, prints `ready` and
 * waits for the end of its input.
 *
 * Prints `scene NAME ADDRESS SERVER CONNECTIONS REQUESTS` for each scene with a server, and `pair
 * NAME` for each scene that uses socketpair() and so has no server. At the end it prints `done`.
 */
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/programs/program.h"

#define CONNECTIONS_MAX 40
#define ANSWER_BYTES	16
#define GREETING_BYTES	24
#define DEADLINE_MS	60000

struct scene {
	const char *name;
	int type;
	bool is_abstract;		    /* the server has an abstract address */
	bool is_bound;			    /* clients bind their sockets, too */
	bool is_fresh;			    /* each connection is opened just before its requests */
	bool greets;			    /* the server sends the first message */
	bool quits;			    /* the server does not answer the last message */
	bool is_late;			    /* clients send before the server accepts */
	unsigned int connections, requests; /* requests of each connection */
	size_t bytes;			    /* of a request */
	bool is_pair;
	/* State. */
	struct sockaddr_un address;
	socklen_t len;
	int fds[CONNECTIONS_MAX];
	pid_t server;
};

#define EACH .type = SOCK_STREAM, .bytes = 100

static struct scene scenes[] = {
	{.name = "up-path", .connections = 3, .requests = 50, EACH},
	{.name = "up-fresh", .connections = 40, .requests = 1, .is_fresh = true, EACH},
	{.name = "up-bound", .connections = 2, .requests = 10, .is_bound = true, EACH},
	{.name = "up-abstract", .connections = 1, .requests = 10, .is_abstract = true, EACH},
	{.name = "up-abstract-b",
	 .connections = 1,
	 .requests = 10,
	 .is_abstract = true,
	 .is_bound = true,
	 EACH},
	{.name = "up-greets",
	 .connections = 5,
	 .requests = 2,
	 .is_fresh = true,
	 .greets = true,
	 EACH},
	{.name = "up-late", .connections = 1, .requests = 3, .is_late = true, EACH},
	{.name = "up-packets",
	 .connections = 1,
	 .requests = 10,
	 .type = SOCK_SEQPACKET,
	 .bytes = 9},
	{.name = "up-many", .connections = 1, .requests = 4000, EACH},
	{.name = "up-quits", .connections = 6, .requests = 2, .quits = true, EACH},
	{.name = "up-large", .connections = 1, .requests = 2, .type = SOCK_STREAM, .bytes = 400000},
	{.name = "up-pair", .is_pair = true, .requests = 10, EACH},
	{.name = "up-pair-bound", .is_pair = true, .is_bound = true, .requests = 10, EACH},
};

#define SCENE_CNT (sizeof(scenes) / sizeof(scenes[0]))

static char folder[] = "/tmp/unixpeer-XXXXXX";

/* --- messages --------------------------------------------------------------------------------- */

static char message[1 << 19]; /* the first byte is 'q' if the message needs no answer */

static void put(int fd, size_t bytes)
{
	for (size_t sent = 0; sent < bytes;) {
		ssize_t n = send(fd, message + sent, bytes - sent, MSG_NOSIGNAL);

		if (n < 0)
			err(1, "send");
		sent += (size_t)n;
	}
}

static bool get(int fd, size_t bytes)
{
	for (size_t got = 0; got < bytes;) {
		ssize_t n = recv(fd, message, bytes - got, 0);

		if (n < 0)
			err(1, "recv");
		if (n == 0 && got == 0)
			return false;
		if (n == 0)
			errx(1, "the connection ended early");
		got += (size_t)n;
	}
	return true;
}

/* --- servers ---------------------------------------------------------------------------------- */

static void set_address(const struct scene *s, const char *suffix, struct sockaddr_un *ret,
			socklen_t *ret_len)
{
	int len;

	*ret = (struct sockaddr_un){.sun_family = AF_UNIX};
	len = snprintf(ret->sun_path + s->is_abstract, sizeof(ret->sun_path) - 1, "%s/%s%s", folder,
		       s->name, suffix);
	*ret_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)len + 1);
}

static int bound_socket(const struct scene *s, const char *suffix, struct sockaddr_un *ret,
			socklen_t *ret_len)
{
	int fd = socket(AF_UNIX, s->type, 0);

	if (fd < 0)
		err(1, "socket");
	set_address(s, suffix, ret, ret_len);
	if (bind(fd, (struct sockaddr *)ret, *ret_len))
		err(1, "bind");
	return fd;
}

static int welcome(const struct scene *s, int listener)
{
	int fd = accept(listener, NULL, NULL);

	if (fd < 0)
		err(1, "accept");
	if (s->greets)
		put(fd, GREETING_BYTES);
	return fd;
}

static void serve(const struct scene *s, int listener)
{
	unsigned int open_cnt = 0, left = s->connections;
	struct pollfd fds[CONNECTIONS_MAX + 1] = {{.fd = listener, .events = POLLIN}};

	while (left) {
		if (poll(fds, open_cnt + 1, DEADLINE_MS) <= 0)
			errx(1, "%s: no request in time", s->name);
		for (unsigned int i = open_cnt; i > 0; i--) {
			if (!fds[i].revents)
				continue;
			if (get(fds[i].fd, s->bytes)) {
				if (message[0] != 'q')
					put(fds[i].fd, ANSWER_BYTES);
				continue;
			}
			close(fds[i].fd);
			fds[i] = fds[open_cnt--];
			left--;
		}
		if (fds[0].revents)
			fds[++open_cnt] = (struct pollfd){.fd = welcome(s, listener),
							  .events = POLLIN};
	}
}

/*
 * For a server: closes the sockets of all clients, which it inherited from its parent. Otherwise it
 * would keep connections of other scenes open.
 */
static void close_clients(void)
{
	for (size_t i = 0; i < SCENE_CNT; i++)
		for (unsigned int k = 0; k < CONNECTIONS_MAX; k++)
			if (scenes[i].fds[k])
				close(scenes[i].fds[k]);
}

static void start_server(struct scene *s)
{
	int listener = bound_socket(s, "", &s->address, &s->len);

	if (listen(listener, CONNECTIONS_MAX))
		err(1, "listen");
	s->server = program_fork();
	if (s->server)
		close(listener);
	else {
		prctl(PR_SET_NAME, s->name);
		close_clients();
		if (s->is_late)
			usleep(50000);
		serve(s, listener);
		exit(0);
	}
	printf("scene %s %s%s %d %u %u\n", s->name, s->is_abstract ? "@" : "",
	       s->address.sun_path + s->is_abstract, (int)s->server, s->connections,
	       s->connections * s->requests);
}

/* --- clients ---------------------------------------------------------------------------------- */

static int connected_socket(const struct scene *s, unsigned int number)
{
	struct sockaddr_un own;
	char suffix[20];
	socklen_t len;
	int fd;

	snprintf(suffix, sizeof(suffix), "-client%u", number);
	fd = s->is_bound ? bound_socket(s, suffix, &own, &len) : socket(AF_UNIX, s->type, 0);
	if (fd < 0)
		err(1, "socket");
	if (connect(fd, (const struct sockaddr *)&s->address, s->len))
		err(1, "connect");
	if (s->greets && !get(fd, GREETING_BYTES))
		errx(1, "%s: no greeting", s->name);
	return fd;
}

static void ask(const struct scene *s, int fd)
{
	put(fd, s->bytes);
	if (!get(fd, ANSWER_BYTES))
		errx(1, "%s: no answer", s->name);
}

static void start_pair(struct scene *s)
{
	struct sockaddr_un address;
	socklen_t len;
	int ends[2];

	if (socketpair(AF_UNIX, s->type, 0, ends))
		err(1, "socketpair");
	set_address(s, "", &address, &len);
	if (s->is_bound && bind(ends[1], (struct sockaddr *)&address, len))
		err(1, "bind");
	s->server = program_fork();
	if (s->server == 0) {
		prctl(PR_SET_NAME, s->name);
		close(ends[0]);
		close_clients();
		while (get(ends[1], s->bytes))
			put(ends[1], ANSWER_BYTES);
		exit(0);
	}
	close(ends[1]);
	s->fds[0] = ends[0];
	s->connections = 1;
	printf("pair %s\n", s->name);
}

static void start(struct scene *s)
{
	if (s->is_pair) {
		start_pair(s);
		return;
	}
	start_server(s);
	for (unsigned int i = 0; i < s->connections && !s->is_fresh; i++)
		s->fds[i] = connected_socket(s, i);
}

/* If all connections are open already, they take turns. */
static void finish(struct scene *s)
{
	for (unsigned int i = 0; i < s->requests && !s->is_fresh; i++)
		for (unsigned int k = 0; k < s->connections; k++)
			ask(s, s->fds[k]);
	for (unsigned int k = 0; k < s->connections; k++) {
		if (s->is_fresh)
			s->fds[k] = connected_socket(s, k);
		for (unsigned int i = 0; i < s->requests && s->is_fresh; i++)
			ask(s, s->fds[k]);
		if (s->quits) {
			message[0] = 'q';
			put(s->fds[k], s->bytes);
			message[0] = 0;
		}
		close(s->fds[k]);
		s->fds[k] = 0;
	}
	program_join(s->server);
}

static void remove_folder(void)
{
	static const char *const suffixes[] = {"", "-client0", "-client1"};
	char path[200];

	for (size_t i = 0; i < SCENE_CNT; i++)
		for (size_t k = 0; k < 3; k++) {
			snprintf(path, sizeof(path), "%s/%s%s", folder, scenes[i].name,
				 suffixes[k]);
			unlink(path);
		}
	rmdir(folder);
}

int main(int argc, char **argv)
{
	bool is_old = argc > 1 && strcmp(argv[1], "--old") == 0;

	if (argc > 1 + is_old)
		errx(1, "usage: unixpeer [--old]");
	if (!mkdtemp(folder))
		err(1, "mkdtemp");
	for (size_t i = 0; i < SCENE_CNT && is_old; i++)
		start(&scenes[i]);
	if (is_old) {
		puts("ready");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	for (size_t i = 0; i < SCENE_CNT; i++) {
		if (!is_old)
			start(&scenes[i]);
		finish(&scenes[i]);
	}
	remove_folder();
	puts("done");
	return 0;
}
