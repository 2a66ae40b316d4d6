/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints "All is well", or one line about each problem in the recorder's status. */
#ifndef RSP_CLI_HEALTH_H
#define RSP_CLI_HEALTH_H

#include <stdio.h>

struct json_object;

/* width: columns of the terminal, or 0 if lines must not be wrapped. */
void rsp_health_print(struct json_object *status, unsigned int width, FILE *out);

#endif
