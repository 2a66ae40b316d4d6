/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of which there is exactly one in the program, called as it was written. */
#ifndef RSP_TESTS_ONE_FUNCTION_H
#define RSP_TESTS_ONE_FUNCTION_H

#if __has_attribute(noclone) /* gcc's alone; clang makes no clones */
#define _one_function_ __attribute__((noinline, noclone))
#else
#define _one_function_ __attribute__((noinline))
#endif

#endif
