/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the programs that belong to this one. */
#ifndef RSP_LIB_PROGRAM_H
#define RSP_LIB_PROGRAM_H

/*
 * Finds a program, such as "rspd". First looks beside the executable of this process (in a build
 * tree). Then, if the executable is PREFIX/bin/NAME or PREFIX/sbin/NAME, looks below PREFIX.
 * Finally looks in PATH. The caller frees *ret_path. Returns 0, -ENOENT or -ENOMEM.
 */
int rsp_program_find(const char *name, char **ret_path);

#endif
