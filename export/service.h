/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsp-export as a service: collects at intervals, and sends the batches that wait. */
#ifndef RSP_EXPORT_SERVICE_H
#define RSP_EXPORT_SERVICE_H

#include "export/collector.h"

/* Returns after SIGTERM or SIGINT. 0 or -errno, which was logged. */
int rsp_export_serve(struct rsp_collector *c);

#endif
