/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a merged snapshot and their clocks, as text and as JSON. */
#ifndef RSP_LIB_REPORT_HOSTS_H
#define RSP_LIB_REPORT_HOSTS_H

#include <stdio.h>

#include "lib/snapshot/snapshot.h"

struct json_object;

/* Prints the names and clocks of the hosts. Prints nothing if the snapshot is from one host. */
void rsp_report_put_hosts(const struct rsp_meta *meta, FILE *out);
/* Adds the array "hosts". Returns 0 or -ENOMEM. */
int rsp_report_add_hosts(struct json_object *o, const struct rsp_meta *meta);

/*
 * Prints text like "offset 3.000012 s ± 21.0 µs, drift 200.0 ± 1.3 ppm". The offset is the time of
 * the first host's clock minus the time of this host's clock.
 */
void rsp_report_put_clock(const struct rsp_meta_host *host, FILE *out);

#endif
