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
 * Two network namespaces with an interface each, joined, and that of the program itself:
 * descriptors. The addresses are the first two of LINK_NET. -1: there are none, and links between
 * two are of one and its loopback interface.
 */
struct link_nets {
	int ends[2];
	int own;
};
#define LINK_NET "198.18.0.0" /* set aside for such tests by RFC 2544 */

/* This lies in memory that all tasks share. */
struct link {
	const struct link_type *type;
	int in, out; /* descriptors: to read from, to write to */
	uint32_t word;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	sem_t sem;
	const pid_t *pid, *tid; /* of who waits; 0 until it is there */
	const struct link_nets *nets;
	int number; /* of a signal, a semaphore, … : unlike those of other links */
};

struct link_type {
	const char *name;
	void (*open)(struct link *l);
	void (*post)(struct link *l);
	void (*wait)(struct link *l);
	void (*close)(struct link *l); /* NULL: nothing remains */
	bool pollable;		       /* in can be polled, and wait does not block then */
	bool needs_waiter;	       /* who waits must exist before anything is posted */
	bool looks; /* wait times out now and then, has a look, and goes on, see ticks.h */
};

#endif
