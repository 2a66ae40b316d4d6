/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the places that the configuration names. */
#ifndef RSP_EXPORT_PLACES_H
#define RSP_EXPORT_PLACES_H

#include <stdio.h>

#include "export/export-config.h"
#include "export/place.h"

struct rsp_places {
	struct rsp_place v[RSP_SINK_CNT];
	size_t cnt;
	struct rsp_place_parts *parts; /* data to which the places refer */
};

struct rsp_places_options {
	const struct rsp_export_config *config; /* must outlive the places */
	const char *store;			/* store of the recorder */
	/* see struct rsp_http_config */
	bool (*stop)(void *userdata);
	FILE *dry_run; /* requests are printed, and spools only read; NULL: no dry run */
};

/* 0 or -errno, which was logged. */
int rsp_places_new(const struct rsp_places_options *opt, struct rsp_places *ret);
void rsp_places_done(struct rsp_places *places);

#endif
