/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of rspd.conf(5): the values of each key, and its field in struct rsp_config. */
#ifndef RSP_DAEMON_CONFIG_KEYS_H
#define RSP_DAEMON_CONFIG_KEYS_H

#include "daemon/config/values.h"

extern const struct rsp_config rsp_config_defaults;
extern const struct rsp_slo_config rsp_slo_config_defaults;

struct rsp_config_key {
	const char *section; /* "SLO" for the keys of all SLOs */
	const char *name;
	int (*parse)(const struct rsp_config_key *key, const char *value, void *field);
	size_t offset, size;	    /* of the field */
	uint64_t min, max;	    /* of a number, in the unit of the field */
	const char *const *choices; /* names of an enumeration, indexed by value; may be NULL */
	const char *wanted;	    /* "a size from 1M to 64G, as 64M" */
	bool restart;		    /* a change takes effect only after a restart */
	bool narrows;		    /* the key restricts the latencies that an SLO measures */
	/*
	 * the SLO measures that may have this key, as bits 1 << enum rsp_slo_measure; 0: all
	 * measures
	 */
	unsigned int measures;
};

/* All keys. The last entry has a NULL section. */
extern const struct rsp_config_key rsp_config_keys[];

/* Returns NULL if there is no such key. */
const struct rsp_config_key *rsp_config_key_find(const char *section, const char *name);

/*
 * Parses value and stores it in target, a struct rsp_config or struct rsp_slo_config. An empty
 * value means the default. Returns 0; -EINVAL: the value is invalid, and target is unchanged.
 */
int rsp_config_key_apply(const struct rsp_config_key *key, const char *value, void *target);

const char *rsp_slo_measure_name(enum rsp_slo_measure measure);

int rsp_net_step_parse(const char *name, enum rsp_net_step *ret);

/* Writes the selectors of the SLO to buf, as in the configuration file: "Unit=x Port=80". */
char *rsp_slo_subject(const struct rsp_slo_config *slo, char *buf, size_t len);

#endif
