/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams with a known number of events. Each run makes the same stream. */
#ifndef BENCH_MODEL_STREAMS_H
#define BENCH_MODEL_STREAMS_H

#include "bench/model/stream.h"

/*
 * In service.c: a busy machine with 8 CPUs. 24 threads call three layers of services. 4 of these 24
 * threads are the process of interest.
 */
void service_play(struct stream *s);
/* Like service_play(), but all 24 threads are the process of interest. */
void service_play_threads(struct stream *s);

#define STORM_TASKS 100000

/*
 * In storm.c: STORM_TASKS tasks that wake one another at random. One task is the process of
 * interest.
 */
void storm_play(struct stream *s);
/* Like storm_play(), but all tasks are threads of the process of interest. */
void storm_play_threads(struct stream *s);
/* Makes switches and wakeups that contradict each other. */
void storm_play_nonsense(struct stream *s);

#endif
