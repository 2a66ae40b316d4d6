/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An attribute for functions that the compiler must neither copy nor inline. */
#ifndef RSP_TESTS_ONE_FUNCTION_H
#define RSP_TESTS_ONE_FUNCTION_H

#if __has_attribute(noclone) /* clang lacks the attribute noclone, and copies no functions */
#define _one_function_ __attribute__((noinline, noclone))
#else
#define _one_function_ __attribute__((noinline))
#endif

#endif
