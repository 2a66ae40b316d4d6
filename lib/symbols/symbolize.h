/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace's user stacks -> a SYMBOLS section. Reads files that strangers wrote: runs with the
 * rights of whoever asks, never in the recorder. Each binary is opened once and each distinct place
 * in it named once.
 */
#ifndef RSP_LIB_SYMBOLIZE_H
#define RSP_LIB_SYMBOLIZE_H

#include <stddef.h>

#include "lib/trace/trace.h"

/*
 * Names every user stack of the trace. *ret: a SYMBOLS section (free). Files that are gone, changed
 * (build-id, else device and inode, differ or are not known) or broken only leave their frames
 * unnamed, as "libfoo.so+0x1234" (an offset in the file); memory without a file is "[vdso]",
 * "[anon]"; an address in no known mapping "0x7f12…" of module "?". 0, -ENOMEM, -E2BIG.
 */
int rsp_symbolize_user(const struct rsp_trace *trace, void **ret, size_t *ret_len);

#endif
