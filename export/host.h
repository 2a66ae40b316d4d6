/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The identity of this host in a fleet. */
#ifndef RSP_EXPORT_HOST_H
#define RSP_EXPORT_HOST_H

#include "export/sink.h"

/* Sets boot to "". Returns 0, or -errno if the machine has no ID (machine-id(5)). */
int rsp_export_host_get(struct rsp_export_host *ret);

#endif
