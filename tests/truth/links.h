/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for one task to wait for another: a token is posted on a link and waited for. A new way is
 * one entry in the table of links.c.
 */
#ifndef TESTS_TRUTH_LINKS_H
#define TESTS_TRUTH_LINKS_H

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

extern const struct link_type link_types[];
extern const unsigned int link_type_cnt;

/* Before any task exists. Failures of any kind end the program. */
void link_open(struct link *l, unsigned int type, int number, const pid_t *pid, const pid_t *tid,
	       const struct link_nets *nets);
/* By one process, when no task uses it any more. */
void link_close(struct link *l);
/* Before each post: returns when one is possible. */
void link_expect_waiter(const struct link *l);
/* Waits for a token that is a byte. */
void link_read_byte(struct link *l);
/* What a process needs before it may take part: its threads inherit it. */
void links_prepare(void);

#endif
