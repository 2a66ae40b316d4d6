/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens all that is available for the file of some BINARY records: the file itself, its debug file,
 * the location of its code, its symbols, its DWARF. Each part may be missing.
 */
#ifndef RSP_LIB_BINARY_H
#define RSP_LIB_BINARY_H

#include "lib/symbols/elf.h"
#include "lib/symbols/elfsyms.h"
#include "lib/symbols/inlines.h"
#include "lib/symbols/places-how.h"

struct rsp_image {
	int fd;	  /* -1: none, or in memory */
	Elf *elf; /* NULL: none */
};

struct rsp_perfmap;
struct rsp_binary {
	struct rsp_image own, debug, alt;
	struct rsp_perfmap *copy; /* see symcopy.h; NULL: none, or not needed */
	struct rsp_elf_code code;
	struct rsp_elfsyms *symbols;
	struct rsp_inlines *inlines, *alt_inlines; /* NULL: no DWARF */
};

/* Initializes *ret. 0 or -ENOMEM. Even after an error, the parts that were opened are usable. */
int rsp_binary_open(const struct rsp_places_how *how, const struct rsp_ev_binary *const *records,
		    size_t cnt, struct rsp_binary *ret);
/*
 * Like rsp_binary_open(), for one file without its debug file. Takes ownership of fd. -EBADMSG: not
 * an ELF file.
 */
int rsp_binary_open_alone(int fd, struct rsp_binary *ret);
void rsp_binary_done(struct rsp_binary *b);

#endif
