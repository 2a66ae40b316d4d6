/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts mangled C++ and Rust names to readable ones, without parameters, return types and
 * hashes.
 */
#ifndef RSP_LIB_DEMANGLE_H
#define RSP_LIB_DEMANGLE_H

/*
 * Returns the demangled name, which the caller frees; NULL: show mangled itself. Safe for any
 * string.
 */
char *rsp_demangle(const char *mangled);

#endif
