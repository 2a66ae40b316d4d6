/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See binary.h. */
#include "lib/symbols/binary.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/files/files.h"
#include "lib/symbols/debugfiles.h"
#include "lib/symbols/elffiles.h"
#include "lib/symbols/gosyms.h"
#include "lib/symbols/minidebug.h"
#include "lib/symbols/perfmap.h"
#include "lib/symbols/pymethods.h"
#include "lib/symbols/symcopy-read.h"

/* --- files ----------------------------------------------------------------------------------- */

static void close_image(struct rsp_image *image)
{
	elf_end(image->elf);
	rsp_cleanup_close(&image->fd);
}

/* Takes ownership of fd. If fd is negative, the image is empty. */
static void open_image(int fd, struct rsp_image *ret)
{
	*ret = (struct rsp_image){.fd = fd < 0 ? -1 : fd};
	if (fd >= 0)
		rsp_elf_open(fd, &ret->elf);
}

/*
 * The vdso is not in a file, but in the memory of this process. The build-id shows whether the vdso
 * of the record is the same. The section headers are at the end of the vdso, so their end is its
 * length.
 */
static void open_vdso(const struct rsp_ev_binary *record, struct rsp_image *ret)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	__u8 id[RSP_BUILD_ID_MAX];
	size_t len;

	*ret = (struct rsp_image){.fd = -1};
	if (!vdso || strcmp(record->path, "[vdso]") != 0)
		return;
	if (rsp_elf_open_memory((void *)vdso,
				vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize,
				&ret->elf) < 0)
		return;
	if (rsp_elf_build_id(ret->elf, id, &len) == 0 && len == record->build_id_len &&
	    memcmp(id, record->build_id, len) == 0)
		return;
	elf_end(rsp_take_ptr(ret->elf));
}

static void open_own(const struct rsp_places_how *how, const struct rsp_ev_binary *const *records,
		     size_t cnt, struct rsp_image *ret)
{
	int fd = -ENOENT;

	open_vdso(records[0], ret);
	for (size_t i = 0; i < cnt && fd < 0 && !ret->elf; i++)
		fd = rsp_elffiles_open(how->files, records[i], how->elsewhere);
	if (fd >= 0)
		open_image(fd, ret);
}

static bool has_section(const struct rsp_image *image, const char *name)
{
	GElf_Shdr shdr;

	return image->elf && rsp_elf_section(image->elf, name, 0, &shdr) &&
	       shdr.sh_type != SHT_NOBITS;
}

static void open_debug(const struct rsp_places_how *how, const struct rsp_ev_binary *record,
		       const struct rsp_image *own, struct rsp_image *ret)
{
	struct rsp_debug_request file = {
		.binary = record,
		.build_id = record->build_id,
		.build_id_len = record->build_id_len,
	};
	__u8 id[RSP_BUILD_ID_MAX];

	*ret = (struct rsp_image){.fd = -1};
	if (has_section(own, ".symtab") && has_section(own, ".debug_info"))
		return;
	if (own->elf) {
		file.link = dwelf_elf_gnu_debuglink(own->elf, &file.link_crc);
		if (!file.build_id_len && rsp_elf_build_id(own->elf, id, &file.build_id_len) == 0)
			file.build_id = id;
	}
	open_image(rsp_debugfiles_open(how->debugfiles, &file), ret);
}

/* --- symbols --------------------------------------------------------------------------------- */

/* Returns the number of functions (0 if the table is damaged) or -ENOMEM. */
static int add_table(struct rsp_binary *b, Elf *elf, GElf_Word type)
{
	int cnt = elf ? rsp_elfsyms_add(b->symbols, elf, type) : 0;

	return cnt == -ENOMEM || cnt >= 0 ? cnt : 0;
}

static int add_minidebug(struct rsp_binary *b)
{
	_cleanup_free_ void *bytes = NULL;
	_cleanup_elf_ Elf *elf = NULL;
	size_t len;
	int r;

	r = b->own.elf ? rsp_minidebug_read(b->own.elf, &bytes, &len) : -ENODATA;
	if (r == 0)
		r = rsp_elf_open_memory(bytes, len, &elf);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return add_table(b, elf, SHT_SYMTAB);
}

static int add_go(struct rsp_binary *b)
{
	struct rsp_elf64 elf;
	int r;

	if (b->own.fd < 0 || rsp_elf64_open(&elf, b->own.fd) < 0)
		return 0;
	r = rsp_gosyms_add(b->symbols, &elf);
	return r == -ENOMEM || r >= 0 ? r : 0;
}

static bool is_python(Elf *elf)
{
	static const char *const names[] = {"PyModuleDef_Init", "PyModule_Create2"};
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, NULL, SHT_DYNSYM, &shdr);
	Elf_Scn *strings = scn ? elf_getscn(elf, shdr.sh_link) : NULL;
	Elf_Data *data = strings ? elf_getdata(strings, NULL) : NULL;

	for (size_t i = 0; data && data->d_buf && i < sizeof(names) / sizeof(names[0]); i++)
		if (memmem(data->d_buf, data->d_size, names[i], strlen(names[i]) + 1))
			return true;
	return false;
}

static int add_python(struct rsp_binary *b)
{
	struct rsp_elf64 elf;
	int r;

	if (b->own.fd < 0 || !is_python(b->own.elf) || rsp_elf64_open(&elf, b->own.fd) < 0)
		return 0;
	r = rsp_pymethods_add(b->symbols, &elf);
	return r == -ENOMEM || r >= 0 ? r : 0;
}

/*
 * Adds functions from the sources that strip leaves in a file. .gnu_debugdata contains functions
 * that .dynsym lacks.
 */
static int add_stripped(struct rsp_binary *b)
{
	int r = add_minidebug(b);

	if (r >= 0)
		r = add_table(b, b->own.elf, SHT_DYNSYM);
	if (r >= 0)
		r = add_go(b);
	return r < 0 ? r : add_python(b);
}

static int read_symbols(struct rsp_binary *b)
{
	int r;

	r = rsp_elfsyms_new(&b->symbols);
	if (r == 0)
		r = add_table(b, b->own.elf, SHT_SYMTAB);
	if (r == 0)
		r = add_table(b, b->debug.elf, SHT_SYMTAB);
	if (r == 0)
		r = add_stripped(b);
	return r < 0 ? r : rsp_elfsyms_finish(b->symbols);
}

/* --- DWARF ----------------------------------------------------------------------------------- */

static void open_alt(const struct rsp_places_how *how, const struct rsp_ev_binary *record,
		     const struct rsp_inlines_alt *alt, struct rsp_binary *b)
{
	const struct rsp_debug_request file = {
		.binary = record,
		.build_id = alt->build_id,
		.build_id_len = alt->build_id_len,
		.link = alt->name,
	};
	struct rsp_inlines_alt none;

	open_image(rsp_debugfiles_open_alt(how->debugfiles, &file), &b->alt);
	if (!b->alt.elf || rsp_inlines_open(b->alt.elf, &b->alt_inlines, &none) < 0)
		return;
	if (none.name)
		b->alt_inlines = rsp_inlines_free(b->alt_inlines);
}

/*
 * dwz may have moved a part of the DWARF to another file. Without this file, the rest is unusable.
 */
static void open_inlines(const struct rsp_places_how *how, const struct rsp_ev_binary *record,
			 struct rsp_binary *b)
{
	Elf *elf = has_section(&b->own, ".debug_info") ? b->own.elf : b->debug.elf;
	struct rsp_inlines_alt alt;

	if (!elf || !how->effort || rsp_inlines_open(elf, &b->inlines, &alt) < 0 || !alt.name)
		return;
	open_alt(how, record, &alt, b);
	if (b->alt_inlines)
		rsp_inlines_set_alt(b->inlines, b->alt_inlines);
	else
		b->inlines = rsp_inlines_free(b->inlines);
}

static void open_copy(const struct rsp_places_how *how, const struct rsp_ev_binary *const *records,
		      size_t cnt, struct rsp_binary *b)
{
	for (size_t i = 0; i < cnt && !how->elsewhere && !b->copy; i++) {
		const struct rsp_file_request file = {.kind = RSP_FILE_SYMBOLS,
						      .binary = records[i]->number};
		_cleanup_close_ int fd = how->files->open(&file, records[i], how->files->userdata);

		if (fd >= 0)
			(void)rsp_symcopy_read(fd, &b->copy);
	}
}

int rsp_binary_open_alone(int fd, struct rsp_binary *ret)
{
	*ret = (struct rsp_binary){.debug.fd = -1, .alt.fd = -1};
	open_image(fd, &ret->own);
	if (!ret->own.elf || rsp_elf_code_read(ret->own.elf, &ret->code) < 0)
		return -EBADMSG;
	return read_symbols(ret);
}

int rsp_binary_open(const struct rsp_places_how *how, const struct rsp_ev_binary *const *records,
		    size_t cnt, struct rsp_binary *ret)
{
	struct rsp_binary *b = ret;
	Elf *elf;

	*b = (struct rsp_binary){.alt.fd = -1};
	open_own(how, records, cnt, &b->own);
	open_debug(how, records[0], &b->own, &b->debug);
	elf = b->own.elf ? b->own.elf : b->debug.elf;
	if (!elf)
		open_copy(how, records, cnt, b);
	if (!elf || rsp_elf_code_read(elf, &b->code) < 0)
		return 0;
	open_inlines(how, records[0], b);
	return read_symbols(b);
}

void rsp_binary_done(struct rsp_binary *b)
{
	rsp_inlines_free(b->inlines);
	rsp_inlines_free(b->alt_inlines);
	rsp_elfsyms_free(b->symbols);
	rsp_perfmap_free(b->copy);
	close_image(&b->own);
	close_image(&b->debug);
	close_image(&b->alt);
}
