/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams of a known number of events. Each is the same every time.
 */
#ifndef BENCH_MODEL_STREAMS_H
#define BENCH_MODEL_STREAMS_H

#include "stream.h"

/*
 * service.c: a busy machine of 8 CPUs. 24 threads, 4 of them the process of interest, call those of
 * three layers of services below, wait for disk, network, timers and children; and there are others
 * that have nothing to do with them.
 */
void service_play(struct stream *s);
/* The same, and all 24 are the process of interest. */
void service_play_threads(struct stream *s);

#define STORM_TASKS 100000

/* storm.c: STORM_TASKS tasks that wake one another at random, one of them the process of interest.
 */
void storm_play(struct stream *s);
/* The same, and all are threads of the process of interest. */
void storm_play_threads(struct stream *s);
/* Switches and wakeups of tasks that cannot do what they say. */
void storm_play_nonsense(struct stream *s);

#endif
