/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions that take CPU time to answer. A task sends a question over a descriptor, either to a
 * service (service.h) or to the server at the other end of a connection (leases.h). Each question
 * contains its sender and its time, so that the waiting task can log both.
 */
#ifndef TESTS_TRUTH_CALLS_H
#define TESTS_TRUTH_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If `us` is 0, no calls follow. */
struct call {
	uint64_t knocked_ns; /* time at which the caller had a connection to send it over */
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
/* Sends all bytes at once. Ends the program on failure. */
void calls_send(int fd, const void *what, size_t size);
void calls_receive(int fd, void *what, size_t size);
/* Waits for a message, and checks every patience_ms whether it is there; 0: without checks. */
void calls_await(int fd, unsigned int patience_ms);
void calls_answer(int fd, unsigned int who);

#endif
