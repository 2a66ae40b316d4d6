/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much earlier or later than the event itself a record may be. */
#ifndef RSP_LIB_SKEW_H
#define RSP_LIB_SKEW_H

/*
 * A wakeup may find its thread on the way to sleep: no longer runnable, but not switched out yet.
 * Between the two are a few microseconds of schedule(). The time is longer if schedule() looks for
 * work on other CPUs, if the recorder unwinds a stack that is not in the cache before it reads the
 * clock, or if a hypervisor runs something else. 45 us were seen on an idle machine, 450 us on a
 * busy virtual one. If this wakeup belonged to an earlier attempt to sleep, there would be a later
 * wakeup, unless that was not recorded.
 */
#define RSP_EARLY_WAKEUP_NS 10000000

/* An interrupt during a switch is recorded after the switch, but still with the previous thread. */
#define RSP_SWITCH_GRACE_NS 20000

#endif
