/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions that take CPU time to answer, as they go over a descriptor: what a service
 * (service.h) and those behind connections (leases.h) are asked. Each says who sent it and when, so
 * that who waited for it can log that.
 */
#ifndef TESTS_TRUTH_CALLS_H
#define TESTS_TRUTH_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With one of no time nothing more comes. */
struct call {
	uint64_t knocked_ns; /* when there was a connection to send it over */
	uint64_t at_ns;	     /* when it was sent */
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
/* All of it at once, or the program ends. */
void calls_send(int fd, const void *what, size_t size);
void calls_receive(int fd, void *what, size_t size);
/* The milliseconds between two looks whether it is there; 0: waits until it is. */
void calls_await(int fd, unsigned int patience_ms);
void calls_answer(int fd, unsigned int who);

#endif
