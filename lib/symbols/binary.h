/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens all sources of names for one file to which BINARY records refer. Each source may be
 * missing.
 */
#ifndef RSP_LIB_BINARY_H
#define RSP_LIB_BINARY_H

#include "lib/symbols/elf.h"
#include "lib/symbols/elfsyms.h"
#include "lib/symbols/inlines.h"
#include "lib/symbols/places-how.h"

struct rsp_image {
	int fd;	  /* -1: there is no file, or the image is in memory */
	Elf *elf; /* NULL: none */
};

struct rsp_perfmap;
struct rsp_binary {
	struct rsp_image own, debug, alt;
	/* copy of the symbols (symcopy.h); NULL: there is none, or it is not needed */
	struct rsp_perfmap *copy;
	struct rsp_elf_code code;
	struct rsp_elfsyms *symbols;
	struct rsp_inlines *inlines, *alt_inlines; /* NULL: no DWARF */
};

/* Initializes *ret. Returns 0 or -ENOMEM. */
int rsp_binary_open(const struct rsp_places_how *how, const struct rsp_ev_binary *const *records,
		    size_t cnt, struct rsp_binary *ret);
/*
 * Like rsp_binary_open(), for one file without its debug file. Takes ownership of fd. Returns
 * -EBADMSG if the file is not an ELF file.
 */
int rsp_binary_open_alone(int fd, struct rsp_binary *ret);
void rsp_binary_done(struct rsp_binary *b);

#endif
