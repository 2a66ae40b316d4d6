/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A way for one task to wait for another, see links.h. */
#ifndef TESTS_TRUTH_LINK_H
#define TESTS_TRUTH_LINK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Descriptors of two joined network namespaces with an interface each, and of the program's own
 * namespace. The addresses are the first two of LINK_NET. -1: there are no such namespaces, and
 * links between two namespaces use one namespace and its loopback interface.
 */
struct link_nets {
	int ends[2];
	int own;
};
#define LINK_NET "198.18.0.0" /* RFC 2544 reserves these addresses for such tests */

/* Lies in memory that all tasks share. */
struct link {
	const struct link_type *type;
	int in, out; /* descriptors: to read from, to write to */
	uint32_t word;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	sem_t sem;
	const pid_t *pid, *tid; /* of the waiter; 0 until it exists */
	const struct link_nets *nets;
	int number; /* number of a signal, a semaphore, …; differs from those of other links */
};

struct link_type {
	const char *name;
	void (*open)(struct link *l);
	void (*post)(struct link *l);
	void (*wait)(struct link *l);
	void (*close)(struct link *l); /* NULL: there is nothing to clean up */
	bool pollable;		       /* in can be polled, and wait does not block then */
	bool needs_waiter;	       /* the waiter must exist before a token is posted */
	bool looks; /* wait times out from time to time, checks, and waits again, see ticks.h */
};

/* Waits for a token that is a byte. */
void link_read_byte(struct link *l);

#endif
