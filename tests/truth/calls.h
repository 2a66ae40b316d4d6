/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions that take CPU time to answer. A task sends a question either to a service (service.h)
 * or to the server at the other end of a connection (leases.h).
 */
#ifndef TESTS_TRUTH_CALLS_H
#define TESTS_TRUTH_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If `us` is 0, the question only ends the server. */
struct call {
	uint64_t knocked_ns; /* time at which the caller got its connection to the server */
	uint64_t at_ns;	     /* time at which it was sent */
	uint32_t us;
	uint16_t from;
	uint8_t asked; /* enum step_kind */
	bool is_cause;
};

struct answer {
	uint64_t at_ns;
	uint16_t who;
};

uint64_t calls_now_ns(void);
void calls_send(int fd, const void *what, size_t size);
void calls_receive(int fd, void *what, size_t size);
/* Waits for a message at fd, in polls of patience_ms. If this is 0, returns at once. */
void calls_await(int fd, unsigned int patience_ms);
void calls_answer(int fd, unsigned int who);

#endif
