/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the requests that rsp-export would send now. */
#ifndef RSP_EXPORT_DRY_RUN_H
#define RSP_EXPORT_DRY_RUN_H

#include "export/collector.h"

/*
 * Prints the requests for the batches in the spools, and for those that a collection would add now.
 * The caller must have made the places with rsp_places_options.dry_run.
 */
void rsp_dry_run(struct rsp_collector *c);

#endif
