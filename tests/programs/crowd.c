// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crowd hold|idle|flood SOCKET COUNT: COUNT users, with IDs from 200000 on, connect to the
 * recorder's SOCKET. Needs root: for each connect(), the program takes another user ID.
 *
 *	hold	each user connects once, and requests a snapshot that ends in five minutes
 *	idle	each user connects once, and sends nothing
 *	flood	in an endless loop, a user connects and requests a snapshot that ends in five
 *		minutes. Only the newest 512 connections stay open.
 *
 * hold and idle print `there` when all users have connected, and `busy N` when the recorder has
 * rejected N users and has then sent nothing for a second. Then they wait to be killed. flood
 * prints only `there`, after 512 connections.
 */
#include <grp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/programs/program.h"

#define FIRST_UID 200000
#define HOLD_NS	  300000000000ULL

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char request[256];

static void begin(const char *path)
{
	struct rlimit limit;
	struct timespec now;

	if (strlen(path) >= sizeof(address.sun_path))
		errx(1, "the path is too long");
	strcpy(address.sun_path, path);
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(request, sizeof(request),
		 "{\"method\":\"io.rsp.Recorder.Snapshot\",\"parameters\":"
		 "{\"pid\":%d,\"until_ns\":%llu}}",
		 (int)getpid(), (unsigned long long)now.tv_sec * 1000000000ULL + HOLD_NS);
	if (getrlimit(RLIMIT_NOFILE, &limit))
		err(1, "getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) || setgroups(0, NULL))
		err(1, "setgroups");
}

/* Returns -1 if connect() fails, such as when the recorder's queue is full. */
static int connect_as(uid_t uid, bool ask, int flags)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | flags, 0), r;

	if (fd < 0)
		err(1, "socket");
	if (setresgid(-1, uid, 0) || setresuid(-1, uid, 0))
		err(1, "setresuid");
	r = connect(fd, (struct sockaddr *)&address, sizeof(address));
	if (setresuid(-1, 0, 0) || setresgid(-1, 0, 0))
		err(1, "setresuid");
	if (r == 0 && ask)
		(void)!send(fd, request, strlen(request) + 1, MSG_NOSIGNAL);
	if (r == 0)
		return fd;
	close(fd);
	return -1;
}

static void count_busy(struct pollfd *fds, unsigned long cnt)
{
	unsigned long busy = 0;
	char buf[1024];

	while (poll(fds, cnt, 1000) > 0)
		for (unsigned long i = 0; i < cnt; i++) {
			ssize_t n;

			if (!fds[i].revents)
				continue;
			n = recv(fds[i].fd, buf, sizeof(buf) - 1, MSG_DONTWAIT);
			buf[n > 0 ? n : 0] = '\0';
			busy += strstr(buf, "Busy") != NULL;
			fds[i].fd = -1;
		}
	printf("busy %lu\n", busy);
	fflush(stdout);
}

static void flood(unsigned long users)
{
	int fds[512];

	memset(fds, -1, sizeof(fds));
	for (unsigned long i = 0;; i++) {
		int *fd = &fds[i % 512];

		if (*fd >= 0)
			close(*fd);
		*fd = connect_as(FIRST_UID + i % users, true, SOCK_NONBLOCK);
		if (i == 512) {
			puts("there");
			fflush(stdout);
		}
	}
}

int main(int argc, char **argv)
{
	unsigned long cnt = program_arg(argc, argv, 3, 64);
	struct pollfd *fds = calloc(cnt, sizeof(*fds));

	if (argc < 3 || !fds)
		errx(1, "usage: crowd hold|idle|flood SOCKET COUNT");
	begin(argv[2]);
	if (!strcmp(argv[1], "flood"))
		flood(cnt);
	for (unsigned long i = 0; i < cnt; i++)
		fds[i] = (struct pollfd){
			.fd = connect_as(FIRST_UID + i, !strcmp(argv[1], "hold"), 0),
			.events = POLLIN};
	puts("there");
	fflush(stdout);
	count_busy(fds, cnt);
	for (;;)
		pause();
}
