/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsp-export as a service: collects at intervals, and sends the waiting batches. */
#ifndef RSP_EXPORT_SERVICE_H
#define RSP_EXPORT_SERVICE_H

#include "export/collector.h"

/* Runs until SIGTERM or SIGINT. Returns 0, or -errno after logging the error. */
int rsp_export_serve(struct rsp_collector *c);

#endif
