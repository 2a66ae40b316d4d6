/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs messages for administrators to stderr, which may be the journal. */
#ifndef RSP_EXPORT_LOG_H
#define RSP_EXPORT_LOG_H

#include <syslog.h>

void rsp_export_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
