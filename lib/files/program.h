/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the executables of other programs of RSP. */
#ifndef RSP_LIB_PROGRAM_H
#define RSP_LIB_PROGRAM_H

/*
 * Finds a program, such as "rspd": in the directory of this process's executable (a build tree), in
 * lib/rsp, libexec and sbin beside this directory (an installation), or in PATH. The caller frees
 * *ret_path. Returns 0, -ENOENT or -ENOMEM.
 */
int rsp_program_find(const char *name, char **ret_path);

#endif
