/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker-harness FILE…: makes the rsp-worker in this program's directory build the unwind tables of
 * these files. Prints each result when it arrives. NUMBER is the position of the file in the
 * arguments:
 *
 *	NUMBER FILE ok BYTES BUILD_ID	(the first bytes of the build-id; - if there is none)
 *	NUMBER FILE error ERRNO BUILD_ID
 *
 * misbehave.c lists the files that make the worker misbehave.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "daemon/worker/worker.h"

#define PATIENCE_US 30000000

/* Maximum number of files that the worker has at the same time. */
#define UNDER_WAY_MAX 64

struct harness {
	sd_event *event;
	struct rsp_worker *worker;
	char **files;
	enum { WAITS, SUBMITTED, ANSWERED } * states;
	uint32_t done_cnt, cnt;
};

/* Opens a file and sends it to the worker. In rspd, a separate process does this (the opener). */
static void send_file(const char *path, uint32_t number, int inlet)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), r;

	if (fd < 0)
		err(EXIT_FAILURE, "%s", path);
	r = rsp_message_send(inlet, &number, sizeof(number), &fd, 1, 0);
	if (r < 0 && r != -EPIPE)
		errx(EXIT_FAILURE, "inlet: %s", strerror(-r));
	close(fd);
}

static void submit(struct harness *h)
{
	uint32_t process, under_way = 0;
	int inlet = rsp_worker_inlet(h->worker, &process), r;

	for (uint32_t i = 0; i < h->cnt && inlet >= 0 && under_way < UNDER_WAY_MAX; i++) {
		under_way += h->states[i] == SUBMITTED;
		if (h->states[i] != WAITS)
			continue;
		send_file(h->files[i], i, inlet);
		r = rsp_worker_submit(h->worker, i, process);
		if (r < 0)
			errx(EXIT_FAILURE, "submit: %s", strerror(-r));
		h->states[i] = SUBMITTED;
		under_way++;
	}
}

static void on_ready(int error, void *userdata)
{
	if (error < 0)
		errx(EXIT_FAILURE, "no worker: %s", strerror(-error));
	submit(userdata);
}

static void print_build_id(const struct rsp_worker_answer *answer)
{
	if (!answer->build_id_len)
		putchar('-');
	for (uint32_t i = 0; i < answer->build_id_len && i < 4; i++)
		printf("%02x", answer->build_id[i]);
	putchar('\n');
}

static void on_answer(uint32_t number, int error, const struct rsp_worker_answer *answer,
		      void *userdata)
{
	struct harness *h = userdata;

	if (number >= h->cnt || h->states[number] != SUBMITTED)
		errx(EXIT_FAILURE, "an answer to %u, which waits for none", number);
	if (error == -EAGAIN) {
		h->states[number] = WAITS;
		submit(h);
		return;
	}
	h->states[number] = ANSWERED;
	h->done_cnt++;
	if (!error != !!answer->table)
		errx(EXIT_FAILURE, "an error with a table, or neither");
	if (error)
		printf("%u %s error %s ", number, h->files[number], strerrorname_np(-error));
	else
		printf("%u %s ok %zu ", number, h->files[number], answer->len);
	print_build_id(answer);
	submit(h);
	if (h->done_cnt == h->cnt)
		sd_event_exit(h->event, 0);
}

int main(int argc, char **argv)
{
	struct harness h = {.files = argv + 1, .cnt = (uint32_t)(argc - 1)};
	const struct rsp_worker_options options = {.patience_us = PATIENCE_US,
						   .left_max = RSP_WORKER_LEFT_MAX,
						   .copies_symbols = true,
						   .ready = on_ready,
						   .done = on_answer,
						   .userdata = &h};
	sigset_t mask;
	int r;

	h.states = calloc(h.cnt + 1, sizeof(*h.states));
	if (!h.states)
		err(EXIT_FAILURE, "answers");
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	r = sd_event_default(&h.event);
	if (r >= 0)
		r = rsp_worker_new(h.event, &options, &h.worker);
	if (r < 0)
		errx(EXIT_FAILURE, "%s", strerror(-r));
	submit(&h);
	if (h.cnt)
		r = sd_event_loop(h.event);
	rsp_worker_free(h.worker);
	sd_event_unref(h.event);
	free(h.states);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
