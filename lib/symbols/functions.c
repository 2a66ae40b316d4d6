/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See functions.h. */
#include "functions.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "elf.h"
#include "minidebug.h"

/* The symbol may have a version: "read@@GLIBC_2.2.5" is named "read". */
static bool has_name(const char *symbol, const char *name)
{
	size_t len = strlen(name);

	return symbol && strncmp(symbol, name, len) == 0 && (!symbol[len] || symbol[len] == '@');
}

static bool is_function(const GElf_Sym *sym)
{
	return GELF_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx != SHN_UNDEF &&
	       sym->st_shndx != SHN_ABS;
}

/* Searches one symbol table. */
static int find_in(Elf *elf, GElf_Word type, const char *name, __u64 *ret_vaddr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, NULL, type, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t cnt = data ? data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < cnt && i < INT_MAX; i++) {
		if (!gelf_getsym(data, (int)i, &sym))
			return -EBADMSG;
		if (!is_function(&sym) ||
		    !has_name(elf_strptr(elf, shdr.sh_link, sym.st_name), name))
			continue;
		*ret_vaddr = sym.st_value;
		return 0;
	}
	return -ENOENT;
}

static int find_in_minidebug(Elf *elf, const char *name, __u64 *ret_vaddr)
{
	_cleanup_free_ void *bytes = NULL;
	_cleanup_elf_ Elf *mini = NULL;
	size_t len;
	int r;

	r = rsp_minidebug_read(elf, &bytes, &len);
	if (r == 0)
		r = rsp_elf_open_memory(bytes, len, &mini);
	if (r < 0)
		return r == -ENOMEM ? r : -ENOENT;
	return find_in(mini, SHT_SYMTAB, name, ret_vaddr);
}

static int find_file_off(Elf *elf, __u64 vaddr, __u64 *ret)
{
	struct rsp_elf_code code;
	int r = rsp_elf_code_read(elf, &code);

	for (size_t i = 0; r == 0 && i < code.cnt; i++) {
		if (vaddr < code.v[i].vaddr || vaddr - code.v[i].vaddr >= code.v[i].len)
			continue;
		*ret = vaddr - code.v[i].vaddr + code.v[i].file_off;
		return 0;
	}
	return r < 0 ? r : -ENOENT;
}

int rsp_functions_find(int fd, const char *name, __u64 *ret_file_off)
{
	_cleanup_elf_ Elf *elf = NULL;
	__u64 vaddr;
	int r;

	r = rsp_elf_open(fd, &elf);
	if (r < 0)
		return r;
	r = find_in(elf, SHT_SYMTAB, name, &vaddr);
	if (r == -ENOENT)
		r = find_in(elf, SHT_DYNSYM, name, &vaddr);
	if (r == -ENOENT)
		r = find_in_minidebug(elf, name, &vaddr);
	return r < 0 ? r : find_file_off(elf, vaddr, ret_file_off);
}
