/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a configured SLO to a rule for the BPF programs, except for the cgroup. */
#ifndef RSP_DAEMON_SLO_RULE_H
#define RSP_DAEMON_SLO_RULE_H

#include <stdbool.h>

#include "daemon/config/config.h"
#include "rsp/slo.h"

/* Fills in a rule, except since_ns, bit and the cgroup. */
void rsp_slo_rule_make(const struct rsp_slo_config *config, struct rsp_slo_rule *ret);

/*
 * Returns whether both SLOs have the same name, latencies and limit. Ignores how breaches are
 * handled.
 */
bool rsp_slo_same_rule(const struct rsp_slo_config *a, const struct rsp_slo_config *b);

#endif
