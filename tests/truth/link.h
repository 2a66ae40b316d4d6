/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link: a way for one task to wait for another (links.h). */
#ifndef TESTS_TRUTH_LINK_H
#define TESTS_TRUTH_LINK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Descriptors of two joined network namespaces, which have an interface each, and of the program's
 * own namespace. The interfaces have the first two addresses of LINK_NET. -1: there are no such
 * namespaces. Links between two namespaces then use the loopback interface of one namespace.
 */
struct link_nets {
	int ends[2];
	int own;
};
#define LINK_NET "198.18.0.0" /* RFC 2544 reserves these addresses for such tests */

/* Lies in memory that all tasks share. */
struct link {
	const struct link_type *type;
	int in, out; /* file descriptors to read from and to write to */
	uint32_t word;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	sem_t sem;
	const pid_t *pid, *tid; /* IDs of the waiting task; 0 until it exists */
	const struct link_nets *nets;
	int number; /* number of a signal, a semaphore, …; no other link has the same number */
};

struct link_type {
	const char *name;
	void (*open)(struct link *l);
	void (*post)(struct link *l);
	void (*wait)(struct link *l);
	void (*close)(struct link *l); /* NULL: nothing needs to be closed */
	bool pollable;	   /* wait() can follow a poll of `in`, and then does not block */
	bool needs_waiter; /* the waiter must exist before a task posts a token */
	bool looks; /* wait() times out from time to time, checks, and waits again (ticks.h) */
};

/* Waits for a token that consists of one byte. */
void link_read_byte(struct link *l);

#endif
