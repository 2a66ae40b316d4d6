/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits for the time by which a record may be earlier or later than its event. */
#ifndef RSP_LIB_SKEW_H
#define RSP_LIB_SKEW_H

/*
 * The maximum time by which a wakeup may come before the switch at which the sleep begins. A thread
 * may be woken while it goes to sleep: it is no longer runnable, but still on its CPU. The longest
 * times seen are 45 us on an idle machine, and 450 us on a busy virtual machine.
 */
#define RSP_EARLY_WAKEUP_NS 10000000

/*
 * An interrupt during a switch is recorded after the switch, but with the previous thread. This is
 * the maximum time between the two records.
 */
#define RSP_SWITCH_GRACE_NS 20000

#endif
