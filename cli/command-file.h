/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for the file of a command. */
#ifndef RSP_CLI_COMMAND_FILE_H
#define RSP_CLI_COMMAND_FILE_H

#include <limits.h>
#include <stdbool.h>

/*
 * Searches for the file that execvp() would execute for this name. Writes its path, which contains
 * a slash. Returns false if there is no such file; the contents of ret are then undefined.
 */
bool rsp_command_path(const char *name, char ret[static PATH_MAX]);

#endif
