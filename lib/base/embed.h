/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For assembler files: embeds a file of the tree as a string in the program. These are separate
 * files, not asm statements in C, because link-time optimization assembles such statements without
 * an include path.
 */
#ifndef RSP_LIB_EMBED_H
#define RSP_LIB_EMBED_H

/* clang-format off */

/*
 * Assembler files lack the notes that compilers add: that the stack need not be executable, and
 * that indirect branches are protected. One file without these notes removes them from the whole
 * program.
 */
#ifdef __CET__
#include <cet.h>
#endif
.section .note.GNU-stack, "", @progbits

/* The bytes of a file, then a NUL. The file is searched in the include path. */
.macro embed symbol:req file:req
	.section .rodata
	.global \symbol
	.type \symbol, @object
\symbol:
	.incbin "\file"
	.byte 0
	.size \symbol, . - \symbol
.endm

#endif
