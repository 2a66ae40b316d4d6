/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names kernel addresses from the text of /proc/kallsyms. Keeps only text symbols, and for those of
 * a module also the module's name. The recorder parses the text itself, because no user can write
 * this file.
 */
#ifndef RSP_LIB_KSYMS_H
#define RSP_LIB_KSYMS_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_ksyms;

/*
 * Parses text of len bytes. -ENODATA: all addresses are zero (kptr_restrict), or there is no text
 * symbol; -E2BIG, -ENOMEM. If several symbols have the same address, keeps the most readable one
 * (alias.h).
 */
int rsp_ksyms_parse(const char *text, size_t len, struct rsp_ksyms **ret);
/*
 * rsp_ksyms_save() stores the table as bytes, and the caller frees *ret. 0 or -ENOMEM.
 * rsp_ksyms_load() makes the table from these bytes without parsing, in the same program. It takes
 * ownership of the bytes, even on failure. -EBADMSG: the bytes are not a stored table.
 */
int rsp_ksyms_save(const struct rsp_ksyms *k, void **ret, size_t *ret_len);
int rsp_ksyms_load(void *bytes, size_t len, struct rsp_ksyms **ret);
struct rsp_ksyms *rsp_ksyms_free(struct rsp_ksyms *k);
/*
 * Returns NULL if addr precedes all symbols, or is 1 MiB or more after the nearest one. *ret_module
 * is "vmlinux", "[name]", or "bpf" for a BPF program; unchanged if NULL is returned.
 */
const char *rsp_ksyms_lookup(const struct rsp_ksyms *k, __u64 addr, const char **ret_module);

struct rsp_symbols_builder;
/* Adds the names of one kernel stack (snapshot/symbols.h). 0, -ENOMEM, -E2BIG. */
int rsp_ksyms_name_stack(const struct rsp_ksyms *k, const struct rsp_ev_stack *stack,
			 struct rsp_symbols_builder *b);
/*
 * Adds the name of one kernel function, as a stack of one frame whose id is the address. Errors as
 * for rsp_ksyms_name_stack().
 */
int rsp_ksyms_name_function(const struct rsp_ksyms *k, __u64 address,
			    struct rsp_symbols_builder *b);

#endif
