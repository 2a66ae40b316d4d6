/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A macro for assembler files, which embeds a file of the tree as a string in the program. The
 * assembler code is not in asm statements in C, because link-time optimization assembles them
 * without an include path.
 */
#ifndef RSP_LIB_EMBED_H
#define RSP_LIB_EMBED_H

/* clang-format off */

/*
 * Compilers add two notes to object files. If one object file lacks a note, the linker drops it for
 * the whole program. So assembler files add the notes here.
 */
#ifdef __CET__
#include <cet.h>
#endif
.section .note.GNU-stack, "", @progbits

/* Embeds the bytes of a file, followed by a NUL. */
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
