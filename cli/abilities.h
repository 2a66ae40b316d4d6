/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the abilities of a recorder (the parts of a recording that depend on the kernel) as a
 * table.
 */
#ifndef RSP_CLI_ABILITIES_H
#define RSP_CLI_ABILITIES_H

#include <stdbool.h>

struct json_object;

/* Returns an enum rsp_exit. */
int rsp_abilities_print(struct json_object *abilities, bool legend);
/* Returns the number of incomplete abilities. */
int rsp_abilities_missing(struct json_object *abilities);

#endif
