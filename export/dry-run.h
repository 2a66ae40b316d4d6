/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the requests that rsp-export would send now. */
#ifndef RSP_EXPORT_DRY_RUN_H
#define RSP_EXPORT_DRY_RUN_H

#include "export/collector.h"

/*
 * Prints the requests of the waiting batches, and of the batches that would be made now. The caller
 * must have made the places for a dry run.
 */
void rsp_dry_run(struct rsp_collector *c);

#endif
