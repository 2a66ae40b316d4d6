/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See allocator.h. */
#include "lib/symbols/allocator.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/functions.h"

static const char *const names[RSP_ALLOC_CNT] = {
	[RSP_ALLOC_MALLOC] = "malloc",
	[RSP_ALLOC_CALLOC] = "calloc",
	[RSP_ALLOC_REALLOC] = "realloc",
	[RSP_ALLOC_REALLOCARRAY] = "reallocarray",
	[RSP_ALLOC_MEMALIGN] = "memalign",
	[RSP_ALLOC_ALIGNED] = "aligned_alloc",
	[RSP_ALLOC_POSIX_MEMALIGN] = "posix_memalign",
	[RSP_ALLOC_VALLOC] = "valloc",
	[RSP_ALLOC_PVALLOC] = "pvalloc",
	[RSP_ALLOC_NEW] = "_Znwm",
	[RSP_ALLOC_NEW_ARRAY] = "_Znam",
	[RSP_ALLOC_NEW_NOTHROW] = "_ZnwmRKSt9nothrow_t",
	[RSP_ALLOC_NEW_ARRAY_NOTHROW] = "_ZnamRKSt9nothrow_t",
	[RSP_ALLOC_NEW_ALIGNED] = "_ZnwmSt11align_val_t",
	[RSP_ALLOC_NEW_ARRAY_ALIGNED] = "_ZnamSt11align_val_t",
	[RSP_ALLOC_FREE] = "free",
	[RSP_ALLOC_DELETE] = "_ZdlPv",
	[RSP_ALLOC_DELETE_ARRAY] = "_ZdaPv",
	[RSP_ALLOC_DELETE_SIZED] = "_ZdlPvm",
	[RSP_ALLOC_DELETE_ARRAY_SIZED] = "_ZdaPvm",
	[RSP_ALLOC_DELETE_NOTHROW] = "_ZdlPvRKSt9nothrow_t",
	[RSP_ALLOC_DELETE_ARRAY_NOTHROW] = "_ZdaPvRKSt9nothrow_t",
	[RSP_ALLOC_DELETE_ALIGNED] = "_ZdlPvSt11align_val_t",
	[RSP_ALLOC_DELETE_ARRAY_ALIGNED] = "_ZdaPvSt11align_val_t",
	[RSP_ALLOC_DELETE_SIZED_ALIGNED] = "_ZdlPvmSt11align_val_t",
	[RSP_ALLOC_DELETE_ARRAY_SIZED_ALIGNED] = "_ZdaPvmSt11align_val_t",
};

static bool is_among(const __u64 *offsets, size_t cnt, __u64 offset)
{
	for (size_t i = 0; i < cnt; i++)
		if (offsets[i] == offset)
			return true;
	return false;
}

static bool is_position_independent_program(Elf *elf)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, NULL, SHT_DYNAMIC, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++)
		if (dyn.d_tag == DT_FLAGS_1)
			return dyn.d_un.d_val & DF_1_PIE;
	return false;
}

/* A static program requests no loader, but neither does the loader itself. */
static bool is_static_program(int fd)
{
	_cleanup_elf_ Elf *elf = NULL;
	GElf_Ehdr ehdr;
	GElf_Phdr phdr;
	size_t cnt;

	if (rsp_elf_open(fd, &elf) < 0 || !gelf_getehdr(elf, &ehdr) ||
	    elf_getphdrnum(elf, &cnt) < 0)
		return false;
	for (size_t i = 0; i < cnt && i < INT_MAX; i++)
		if (gelf_getphdr(elf, (int)i, &phdr) && phdr.p_type == PT_INTERP)
			return false;
	return ehdr.e_type == ET_EXEC ||
	       (ehdr.e_type == ET_DYN && is_position_independent_program(elf));
}

int rsp_allocator_find(int fd, __u64 ret[RSP_ALLOC_CNT])
{
	__u64 found[RSP_ALLOC_CNT];
	int r = rsp_functions_find_all(fd, names, RSP_ALLOC_CNT, found);

	if (r < 0)
		return r;
	if (found[RSP_ALLOC_MALLOC] == RSP_FUNCTION_NONE)
		return is_static_program(fd) ? -ENODATA : -ENOENT;
	memset(ret, 0, RSP_ALLOC_CNT * sizeof(*ret));
	for (size_t i = 0; i < RSP_ALLOC_CNT; i++)
		if (found[i] != RSP_FUNCTION_NONE && !is_among(ret, i, found[i]))
			ret[i] = found[i];
	return 0;
}
