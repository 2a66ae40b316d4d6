/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's status -> "All is well", or a line about each problem, worst first. */
#ifndef RSP_CLI_HEALTH_H
#define RSP_CLI_HEALTH_H

#include <stdio.h>

struct json_object;

/* width: columns of the terminal, 0: no terminal. */
void rsp_health_print(struct json_object *status, unsigned int width, FILE *out);

#endif
