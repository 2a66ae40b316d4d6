/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File systems that answer whatever a user or another machine does. */
#ifndef RSP_LIB_FILES_LOCAL_H
#define RSP_LIB_FILES_LOCAL_H

#include <stdbool.h>

#include "rsp/event.h"

/*
 * By the magic number of its kind: the kernel serves it from disks or memory of this machine. Not
 * so an overlay, whose files lie elsewhere.
 */
bool rsp_file_system_is_local(__u64 magic);

#endif
