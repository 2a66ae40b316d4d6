/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes that keep the compiler from copying a function, and from inlining calls of it. */
#ifndef RSP_TESTS_ONE_FUNCTION_H
#define RSP_TESTS_ONE_FUNCTION_H

#if __has_attribute(noclone) /* clang has no such attribute, and makes no clones */
#define _one_function_ __attribute__((noinline, noclone))
#else
#define _one_function_ __attribute__((noinline))
#endif

#endif
