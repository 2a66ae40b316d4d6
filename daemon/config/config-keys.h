/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of rspd.conf(5): what each takes, and where in struct rsp_config it goes. Defaults and
 * ranges are here and in the man page, nowhere else.
 */
#ifndef RSP_DAEMON_CONFIG_KEYS_H
#define RSP_DAEMON_CONFIG_KEYS_H

#include "config.h"

extern const struct rsp_config rsp_config_defaults;
extern const struct rsp_slo_config rsp_slo_config_defaults;

struct rsp_config_key {
	const char *section; /* "SLO" for all of those */
	const char *name;
	int (*parse)(const struct rsp_config_key *key, const char *value, void *field);
	size_t offset, size;	    /* of the field */
	uint64_t min, max;	    /* where it is a number, in the unit of the field */
	const char *const *choices; /* where it is one of some words: index is value; may be NULL */
	const char *wanted;	    /* "a size from 1M to 64G, as 64M" */
	bool restart;		    /* is taken at start only */
	bool narrows;		    /* an SLO with a wrong one would be about more than it should */
	unsigned int measures;	    /* of an SLO: bits 1 << enum rsp_slo_measure; 0: all */
};

/* All of them, to a NULL section. */
extern const struct rsp_config_key rsp_config_keys[];

/* NULL: there is none. */
const struct rsp_config_key *rsp_config_key_find(const char *section, const char *name);

/*
 * Into what the key is a field of: a struct rsp_config, or a struct rsp_slo_config. An empty value
 * is the default. -EINVAL: nothing has changed.
 */
int rsp_config_key_apply(const struct rsp_config_key *key, const char *value, void *target);

#endif
