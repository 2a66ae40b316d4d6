/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the functions in stacks. The sections of the program and of its debug file contain any
 * bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/files/files.h"
#include "lib/snapshot/symbols.h"
#include "lib/symbols/symbolize.h"
#include "tests/fuzz/elf-image.h"

#define STACK_ID  5
#define FRAME_CNT 32

static const struct elf_image_section sections[] = {
	{".symtab", SHT_SYMTAB, 3, sizeof(Elf64_Sym)},
	{".strtab", SHT_STRTAB, 0, 0},
	{".debug_info", SHT_PROGBITS, 0, 0},
	{".debug_abbrev", SHT_PROGBITS, 0, 0},
	{".debug_str", SHT_PROGBITS, 0, 0},
	{".debug_rnglists", SHT_PROGBITS, 0, 0},
	{".gnu_debugdata", SHT_PROGBITS, 0, 0},
	{".gnu_debuglink", SHT_PROGBITS, 0, 0},
	{".gnu_debugaltlink", SHT_PROGBITS, 0, 0},
	{".gopclntab", SHT_PROGBITS, 0, 0},
};

static __u64 binary_record[(sizeof(struct rsp_ev_binary) + 16) / 8];
static __u64 stack_record[sizeof(struct rsp_ev_stack) / 8 + FRAME_CNT];
static int fd = -1;

static void make_records(void)
{
	struct rsp_ev_binary *binary = (void *)binary_record;
	struct rsp_ev_stack *stack = (void *)stack_record;
	struct stat st;

	must(fstat(fd, &st) == 0);
	binary->hdr = (struct rsp_ev_hdr){.kind = RSP_EV_BINARY, .size = sizeof(binary_record)};
	binary->number = 1;
	binary->ino = st.st_ino;
	binary->dev = major(st.st_dev) << 20 | minor(st.st_dev);
	strcpy(binary->path, "/bin/program");
	stack->hdr = (struct rsp_ev_hdr){
		.kind = RSP_EV_STACK, .size = sizeof(stack_record), .flags = RSP_STACK_USER};
	stack->id = STACK_ID;
	stack->frame_cnt = FRAME_CNT;
	for (__u64 i = 0; i < FRAME_CNT; i++)
		stack->frames[i] = RSP_FRAME_IN_BINARY | 1ULL << RSP_FRAME_OFFSET_BITS | i * 16;
}

static int open_file(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		     void *userdata)
{
	must(rsp_file_request_ok(file));
	return binary ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -ENOENT;
}

static void check(const void *section, size_t len)
{
	struct rsp_symbols *symbols;
	int cnt;

	must(rsp_symbols_open(section, len, &symbols) == 0);
	cnt = rsp_symbols_frame_cnt(symbols, STACK_ID);
	must(cnt >= FRAME_CNT);
	for (int i = 0; i < cnt; i++) {
		const char *symbol, *module;

		rsp_symbols_frame(symbols, STACK_ID, i, &symbol, &module);
		must(strcmp(module, "program") == 0);
	}
	rsp_symbols_free(symbols);
}

static void symbolize(void)
{
	static const struct rsp_files files = {.open = open_file};
	const struct rsp_symbolize_options how = {.files = &files};
	struct rsp_section events[] = {{RSP_SEC_EVENTS, binary_record, sizeof(binary_record)},
				       {RSP_SEC_EVENTS, stack_record, sizeof(stack_record)}};
	const struct rsp_snapshot snap = {.sections = events, .section_cnt = 2};
	struct rsp_trace *trace;
	void *section;
	size_t len;

	must(rsp_trace_new(&snap, &trace) == 0);
	must(rsp_symbolize_user(trace, &how, &section, &len) == 0);
	check(section, len);
	free(section);
	rsp_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct elf_image image;
	struct input in = {data, len};

	if (fd < 0) {
		fd = memfd_create("program", MFD_CLOEXEC);
		make_records();
	}
	elf_image_take(&in, sections, sizeof(sections) / sizeof(sections[0]), &image);
	must(ftruncate(fd, 0) == 0 && pwrite(fd, image.bytes, image.len, 0) == (ssize_t)image.len);
	symbolize();
	return 0;
}
