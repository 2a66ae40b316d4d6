/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions that take CPU time to answer. They are sent over descriptors, to a service (service.h)
 * or to the servers behind connections (leases.h). Each question contains its sender and its time,
 * so that a task that waited for it can log both.
 */
#ifndef TESTS_TRUTH_CALLS_H
#define TESTS_TRUTH_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call with us 0 is the last one. */
struct call {
	uint64_t knocked_ns; /* time at which there was a connection to send it over */
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
/* Sends all bytes at once, or ends the program. */
void calls_send(int fd, const void *what, size_t size);
void calls_receive(int fd, void *what, size_t size);
/*
 * patience_ms: the interval between two checks whether there is a message; 0: waits until there is
 * one.
 */
void calls_await(int fd, unsigned int patience_ms);
void calls_answer(int fd, unsigned int who);

#endif
