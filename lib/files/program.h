/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the executables of other programs of RSP. */
#ifndef RSP_LIB_PROGRAM_H
#define RSP_LIB_PROGRAM_H

/*
 * Finds a program, such as "rspd". First searches the directory of this process's executable (as in
 * a build tree). Then searches lib/rsp, libexec and sbin beside this directory (as in an
 * installation). Finally searches PATH. The caller frees *ret_path. Returns 0, -ENOENT or -ENOMEM.
 */
int rsp_program_find(const char *name, char **ret_path);

#endif
