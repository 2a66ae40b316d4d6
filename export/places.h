/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a place (place.h) for each server in the configuration. */
#ifndef RSP_EXPORT_PLACES_H
#define RSP_EXPORT_PLACES_H

#include <stdio.h>

#include "export/export-config.h"
#include "export/place.h"

struct rsp_places {
	struct rsp_place v[RSP_SINK_CNT];
	size_t cnt;
	struct rsp_place_parts *parts; /* structs to which the places point */
};

struct rsp_places_options {
	const struct rsp_export_config *config; /* must outlive the places */
	const char *store;			/* store of the recorder */
	/* see struct rsp_http_config */
	bool (*stop)(void *userdata);
	/* print requests here instead of sending them; NULL: no dry run */
	FILE *dry_run;
};

/* Logs errors. Returns 0 or -errno. */
int rsp_places_new(const struct rsp_places_options *opt, struct rsp_places *ret);
void rsp_places_done(struct rsp_places *places);

#endif
