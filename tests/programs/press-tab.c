// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * press-tab FILE KEYS SHELL [ARG…]: types KEYS at the prompt `ready>` of an interactive shell on a
 * pseudoterminal. Waits until the shell has created FILE, and ends the shell. If FILE does not
 * appear in time, prints the shell's output to stderr.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "tests/programs/program.h"

#define PATIENCE_S 30
#define POLL_MS	   20

static char screen[1 << 16];
static size_t screen_len;

/*
 * Reads the shell's output for up to POLL_MS. If nobody read it, the shell would block in write().
 */
static void watch(int terminal)
{
	struct pollfd fd = {.fd = terminal, .events = POLLIN};
	char buf[4096];
	ssize_t n;

	if (poll(&fd, 1, POLL_MS) <= 0)
		return;
	n = read(terminal, buf, sizeof(buf));
	for (ssize_t i = 0; i < n; i++)
		if (buf[i] && screen_len < sizeof(screen) - 1)
			screen[screen_len++] = buf[i];
}

static bool await(int terminal, bool (*is_there)(const char *), const char *what)
{
	time_t end = time(NULL) + PATIENCE_S;

	while (!is_there(what)) {
		if (time(NULL) > end)
			return false;
		watch(terminal);
	}
	return true;
}

static bool is_on_screen(const char *text)
{
	return strstr(screen, text);
}

static bool is_file(const char *path)
{
	return access(path, F_OK) == 0;
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 50, .ws_col = 200};
	int terminal;
	bool done;
	pid_t pid;

	if (argc < 4)
		errx(1, "which file, keys and shell?");
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (pid < 0)
		err(1, "forkpty");
	if (pid == 0) {
		execvp(argv[3], argv + 3);
		err(1, "%s", argv[3]);
	}
	done = await(terminal, is_on_screen, "ready>") &&
	       write(terminal, argv[2], strlen(argv[2])) == (ssize_t)strlen(argv[2]) &&
	       await(terminal, is_file, argv[1]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (!done)
		errx(1, "no %s; the terminal shows: %s", argv[1], screen);
	return 0;
}
