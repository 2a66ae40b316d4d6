/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An SLO as it was configured -> a rule for the kernel programs, but for the cgroup. */
#ifndef RSP_DAEMON_SLO_RULE_H
#define RSP_DAEMON_SLO_RULE_H

#include <stdbool.h>

#include "daemon/config/config.h"
#include "rsp/slo.h"

/* Not since when, not which, not of which cgroup. */
void rsp_slo_rule_make(const struct rsp_slo_config *config, struct rsp_slo_rule *ret);

/* Whether they measure the same of the same, whatever is done about it. */
bool rsp_slo_same_rule(const struct rsp_slo_config *a, const struct rsp_slo_config *b);

#endif
