/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of a function that must exist exactly once in the program, and is always called. */
#ifndef RSP_TESTS_ONE_FUNCTION_H
#define RSP_TESTS_ONE_FUNCTION_H

#if __has_attribute(noclone) /* only in gcc; clang makes no clones */
#define _one_function_ __attribute__((noinline, noclone))
#else
#define _one_function_ __attribute__((noinline))
#endif

#endif
