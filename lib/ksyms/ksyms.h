/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names of kernel addresses in the text of /proc/kallsyms. The recorder itself parses the
 * text, without a sandbox, because users cannot change this file.
 */
#ifndef RSP_LIB_KSYMS_H
#define RSP_LIB_KSYMS_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_ksyms;

/*
 * If several symbols have the same address, keeps the most readable one (lib/base/alias.h). Returns
 * 0; -ENODATA: all addresses are zero (kptr_restrict), or there is no code symbol; -E2BIG; -ENOMEM.
 */
int rsp_ksyms_parse(const char *text, size_t len, struct rsp_ksyms **ret);
/*
 * rsp_ksyms_save() converts the table to bytes, which the caller frees. Returns 0 or -ENOMEM.
 * rsp_ksyms_load() makes the table from these bytes, in the same version of the program. It takes
 * ownership of the bytes, even on failure. Returns 0, -EBADMSG or -ENOMEM.
 */
int rsp_ksyms_save(const struct rsp_ksyms *k, void **ret, size_t *ret_len);
int rsp_ksyms_load(void *bytes, size_t len, struct rsp_ksyms **ret);
struct rsp_ksyms *rsp_ksyms_free(struct rsp_ksyms *k);
/*
 * Returns the name of the function at addr, or NULL. *ret_module is "vmlinux", "[name]" for a
 * module, or "bpf" for a BPF program; it is unchanged if the result is NULL.
 */
const char *rsp_ksyms_lookup(const struct rsp_ksyms *k, __u64 addr, const char **ret_module);

struct rsp_symbols_builder;
/* Adds the names of one kernel stack (lib/snapshot/symbols.h). Returns 0, -ENOMEM or -E2BIG. */
int rsp_ksyms_name_stack(const struct rsp_ksyms *k, const struct rsp_ev_stack *stack,
			 struct rsp_symbols_builder *b);
/*
 * Adds the name of one kernel function, as a stack of one frame. The ID of this stack is the
 * address. Returns 0, -ENOMEM or -E2BIG.
 */
int rsp_ksyms_name_function(const struct rsp_ksyms *k, __u64 address,
			    struct rsp_symbols_builder *b);

#endif
