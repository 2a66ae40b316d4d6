/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker-harness FILE…: has the rsp-worker beside it make the tables of these files, and prints
 * what the recorder would be told, in the order of the answers, with the number of the file:
 *
 *	NUMBER FILE ok BYTES BUILD_ID		(the first bytes of it; - if there is none)
 *	NUMBER FILE error ERRNO BUILD_ID
 *
 * misbehave.c tells which files make the worker do what somebody would who has taken it over.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/worker.h"

struct harness {
	sd_event *event;
	struct rsp_worker *worker;
	char **files;
	bool *answered;
	uint32_t submitted_cnt, done_cnt, cnt;
};

/* As many as the queue takes. */
static void submit(struct harness *h)
{
	while (h->submitted_cnt < h->cnt) {
		const char *path = h->files[h->submitted_cnt];
		int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), r;

		if (fd < 0)
			err(EXIT_FAILURE, "%s", path);
		r = rsp_worker_submit(h->worker, h->submitted_cnt, fd, lseek(fd, 0, SEEK_END));
		if (r == -EBUSY)
			return;
		if (r < 0)
			errx(EXIT_FAILURE, "submit: %s", strerror(-r));
		h->submitted_cnt++;
	}
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

	if (number >= h->submitted_cnt || h->answered[number])
		errx(EXIT_FAILURE, "an answer to %u, which waits for none", number);
	h->answered[number] = true;
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
	sigset_t mask;
	int r;

	h.answered = calloc(h.cnt + 1, sizeof(*h.answered));
	if (!h.answered)
		err(EXIT_FAILURE, "answers");
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	r = sd_event_default(&h.event);
	if (r >= 0)
		r = rsp_worker_new(h.event, on_answer, &h, &h.worker);
	if (r < 0)
		errx(EXIT_FAILURE, "%s", strerror(-r));
	submit(&h);
	if (h.cnt)
		r = sd_event_loop(h.event);
	rsp_worker_free(h.worker);
	sd_event_unref(h.event);
	free(h.answered);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
