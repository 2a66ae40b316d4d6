/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See progress.h. rspctl waits for its child and cannot print meanwhile, so the signal handler of a
 * timer prints the line.
 */
#include "cli/progress.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * Most reports take less than a second, and a line that appears and vanishes at once would distract
 * the user.
 */
#define DELAY_SECONDS 1

enum state {
	ENDED,
	HIDDEN, /* the work has begun, but the line is not on the screen */
	SHOWN,
};

static _Atomic(enum state) *state; /* shared with children; NULL: never begun */
static char line[80];

/* Signal handlers call this function, so it uses write(). It ignores errors. */
static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static void on_alarm(int signal)
{
	enum state hidden = HIDDEN;

	(void)signal;
	if (atomic_compare_exchange_strong(state, &hidden, SHOWN))
		say(line);
}

static void arm(time_t seconds)
{
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb");
}

void rsp_progress_begin(const char *text)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	void *shared = state;

	if (!is_terminal())
		return;
	if (!shared)
		shared = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return;
	state = shared;
	snprintf(line, sizeof(line), "rspctl: %s …", text);
	atomic_store(state, HIDDEN);
	sigaction(SIGALRM, &action, NULL);
	arm(DELAY_SECONDS);
}

void rsp_progress_hide(void)
{
	if (state && atomic_exchange(state, ENDED) == SHOWN)
		say("\r\x1b[K");
}

void rsp_progress_end(void)
{
	if (!state)
		return;
	arm(0);
	rsp_progress_hide();
}
