/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes quoted values into SQL text for ClickHouse: version 18.16 does not support query
 * parameters. Names of units, hosts and files are not trusted.
 */
#ifndef RSP_LIB_FLEET_SQL_H
#define RSP_LIB_FLEET_SQL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a string literal. Any bytes are allowed. */
void rsp_sql_put_string(FILE *out, const char *s);
/* t is in seconds since 1970. */
void rsp_sql_put_time(FILE *out, int64_t t);
void rsp_sql_put_date(FILE *out, int64_t t);

/* The name of a database has at most 64 letters, digits and '_', and no digit at the beginning. */
bool rsp_sql_is_name(const char *s);

#endif
