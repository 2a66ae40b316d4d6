/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes file systems that cannot be blocked by users or other machines. */
#ifndef RSP_LIB_FILES_LOCAL_H
#define RSP_LIB_FILES_LOCAL_H

#include <stdbool.h>

#include "rsp/event.h"

/*
 * Returns whether a file system with this magic number keeps its files on this machine. Returns
 * false for an overlay, because its files are on other file systems.
 */
bool rsp_file_system_is_local(__u64 magic);

#endif
