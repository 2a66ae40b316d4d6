/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See functions.h. */
#include "lib/symbols/functions.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/minidebug.h"

/* symbol may have a version, such as "read@@GLIBC_2.2.5". */
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

struct search {
	const char *const *names;
	__u64 *vaddrs; /* RSP_FUNCTION_NONE: not found yet */
	size_t cnt, found_cnt;
};

static void note(struct search *s, const char *symbol, __u64 vaddr)
{
	for (size_t i = 0; i < s->cnt; i++) {
		if (s->vaddrs[i] != RSP_FUNCTION_NONE || !has_name(symbol, s->names[i]))
			continue;
		s->vaddrs[i] = vaddr;
		s->found_cnt++;
	}
}

static int find_in(Elf *elf, GElf_Word type, struct search *s)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, NULL, type, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t cnt = data ? data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < cnt && i < INT_MAX && s->found_cnt < s->cnt; i++) {
		if (!gelf_getsym(data, (int)i, &sym))
			return -EBADMSG;
		if (is_function(&sym))
			note(s, elf_strptr(elf, shdr.sh_link, sym.st_name), sym.st_value);
	}
	return 0;
}

/* A damaged section counts as empty. */
static int find_in_minidebug(Elf *elf, struct search *s)
{
	_cleanup_free_ void *bytes = NULL;
	_cleanup_elf_ Elf *mini = NULL;
	size_t len;
	int r;

	if (s->found_cnt == s->cnt)
		return 0;
	r = rsp_minidebug_read(elf, &bytes, &len);
	if (r == 0)
		r = rsp_elf_open_memory(bytes, len, &mini);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return find_in(mini, SHT_SYMTAB, s);
}

static __u64 file_off_of(const struct rsp_elf_code *code, __u64 vaddr)
{
	for (size_t i = 0; i < code->cnt; i++)
		if (vaddr >= code->v[i].vaddr && vaddr - code->v[i].vaddr < code->v[i].len)
			return vaddr - code->v[i].vaddr + code->v[i].file_off;
	return RSP_FUNCTION_NONE;
}

int rsp_functions_find_all(int fd, const char *const *names, size_t cnt, __u64 *ret_file_offs)
{
	struct search s = {.names = names, .vaddrs = ret_file_offs, .cnt = cnt};
	_cleanup_elf_ Elf *elf = NULL;
	struct rsp_elf_code code;
	int r;

	for (size_t i = 0; i < cnt; i++)
		ret_file_offs[i] = RSP_FUNCTION_NONE;
	r = rsp_elf_open(fd, &elf);
	if (r == 0)
		r = find_in(elf, SHT_SYMTAB, &s);
	if (r == 0)
		r = find_in(elf, SHT_DYNSYM, &s);
	if (r == 0)
		r = find_in_minidebug(elf, &s);
	if (r == 0 && s.found_cnt)
		r = rsp_elf_code_read(elf, &code);
	for (size_t i = 0; r == 0 && i < cnt; i++)
		if (ret_file_offs[i] != RSP_FUNCTION_NONE)
			ret_file_offs[i] = file_off_of(&code, ret_file_offs[i]);
	return r;
}

int rsp_functions_find(int fd, const char *name, __u64 *ret_file_off)
{
	__u64 off;
	int r = rsp_functions_find_all(fd, &name, 1, &off);

	if (r == 0 && off == RSP_FUNCTION_NONE)
		r = -ENOENT;
	if (r == 0)
		*ret_file_off = off;
	return r;
}
