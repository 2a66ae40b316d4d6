/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link: a way for one task to wait for another task (links.h). */
#ifndef TESTS_TRUTH_LINK_H
#define TESTS_TRUTH_LINK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Descriptors of two network namespaces that a pair of interfaces joins (ends), and of this
 * program's namespace (own). Without such namespaces, the descriptors are -1, and a link between
 * two namespaces uses the loopback interface.
 */
struct link_nets {
	int ends[2];
	int own;
};
#define LINK_NET "198.18.0.0" /* RFC 2544 reserves these addresses for tests of networks */

struct link {
	const struct link_type *type;
	int in, out; /* file descriptors to read from and to write to */
	uint32_t word;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	sem_t sem;
	const pid_t *pid, *tid; /* IDs of the waiting task; *tid is 0 until this task exists */
	const struct link_nets *nets;
	int number; /* distinguishes the links to one task; "messages": ID of the message queue */
};

struct link_type {
	const char *name;
	void (*open)(struct link *l);
	void (*post)(struct link *l);
	void (*wait)(struct link *l);
	void (*close)(struct link *l); /* NULL: nothing needs to be closed */
	/* if `in` is readable, wait() does not block */
	bool pollable;
	bool needs_waiter; /* the waiting task must exist before another task posts a token */
	bool looks;	   /* wait() wakes at intervals to check for the token (ticks.h) */
};

void link_read_byte(struct link *l);

#endif
