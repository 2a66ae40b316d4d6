/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a configured SLO to a rule for the BPF programs, except for the cgroup. */
#ifndef RSP_DAEMON_SLO_RULE_H
#define RSP_DAEMON_SLO_RULE_H

#include <stdbool.h>

#include "daemon/config/config.h"
#include "rsp/slo.h"

void rsp_slo_rule_make(const struct rsp_slo_config *config, struct rsp_slo_rule *ret);

/* Ignores keys that only concern the handling of breaches. */
bool rsp_slo_same_rule(const struct rsp_slo_config *a, const struct rsp_slo_config *b);

#endif
