/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File systems that respond independently of users and other machines. */
#ifndef RSP_LIB_FILES_LOCAL_H
#define RSP_LIB_FILES_LOCAL_H

#include <stdbool.h>

#include "rsp/event.h"

/*
 * Returns whether the kernel serves a file system with this magic number from disks or memory of
 * this machine. Returns false for an overlay, because its files are on other file systems.
 */
bool rsp_file_system_is_local(__u64 magic);

#endif
