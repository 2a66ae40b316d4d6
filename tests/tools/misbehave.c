/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is linked into an rsp-worker, which then behaves as if an attacker controlled it. A
 * word of the table `words` triggers each behaviour.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "daemon/worker/worker-protocol.h"
#include "lib/symbols/symbolize.h"
#include "lib/symbols/symcopy.h"
#include "lib/unwind/table.h"

/*
 * The functions up to `words` misbehave. They return 0 or an error, which becomes the worker's
 * answer. -EEXIST: the sandbox allowed a forbidden action.
 */
static int crash(void)
{
	abort();
}

static int spin(void)
{
	static volatile bool forever = true;

	while (forever)
		;
	return 0;
}

static int be_silent(void)
{
	struct rsp_worker_file answer;
	int fds[RSP_MESSAGE_FD_MAX];

	return rsp_message_receive(STDIN_FILENO, &answer, sizeof(answer), fds);
}

static int open_file(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 ? -errno : -EEXIST;
}

static int call_new(void)
{
	return syscall(SYS_times, NULL) < 0 && errno == ENOSYS ? 0 : -EEXIST;
}

static int make_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? -errno : -EEXIST;
}

static int make_process(void)
{
	return fork() < 0 ? -errno : -EEXIST;
}

static int run_memory(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	return p == MAP_FAILED ? -errno : -EEXIST;
}

static int babble(void)
{
	return rsp_message_send(STDIN_FILENO, "nonsense", 8, NULL, 0, 0);
}

/* Sends messages about forbidden system calls without end. A real worker sends only a few. */
static int report_on(void)
{
	struct rsp_worker_message message = {.says = RSP_WORKER_FORBIDDEN, .number = 1};
	int r;

	do {
		message.syscall = (message.syscall + 1) % 300;
		r = rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
	} while (r == 0);
	return r;
}

/* Sends messages about forbidden system calls. Most numbers of these calls are impossible. */
static int report_nonsense(void)
{
	static const int numbers[] = {-1, INT_MIN, INT_MAX, 1024, 1000};
	struct rsp_worker_message message = {.says = RSP_WORKER_FORBIDDEN, .number = 1};
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		message.syscall = numbers[i];
		r = rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
	}
	return r;
}

static int send_other_number(void)
{
	const struct rsp_worker_message message = {.says = RSP_WORKER_DONE, .number = 999};

	return rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
}

static int send_odd_error(void)
{
	const struct rsp_worker_message message = {
		.says = RSP_WORKER_DONE, .number = 1, .error = 17};

	return rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
}

static int leave(void)
{
	_exit(EXIT_SUCCESS);
}

static int write_much(void)
{
	static const char zeroes[1 << 20];

	for (int fd = 3; fd < 16; fd++)
		while (write(fd, zeroes, sizeof(zeroes)) > 0)
			;
	return -EEXIST;
}

/* Returns the error in the recorder's answer, or -EEXIST if the recorder sent the file. */
static int request_file(const struct rsp_file_request *file)
{
	const struct rsp_worker_message message = {
		.says = RSP_WORKER_REQUESTS_FILE, .number = 1, .file = *file};
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct rsp_worker_file answer;

	r = rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
	if (r == 0)
		r = rsp_message_receive(STDIN_FILENO, &answer, sizeof(answer), fds);
	if (r < 0)
		return r;
	return fds[0] >= 0 || answer.error >= 0 ? -EEXIST : answer.error;
}

/*
 * Requests files that the recorder must not send: binaries to which no stack refers, and paths that
 * lead to other files.
 */
static int request_all(void)
{
	struct rsp_file_request all = {.name = "../../../../../../etc/passwd"};
	int r = 0;

	for (all.kind = 0; all.kind <= RSP_FILE_DWZ && r != -EEXIST; all.kind++)
		for (all.binary = 0; all.binary < 2000 && r != -EEXIST; all.binary++)
			if (all.kind > RSP_FILE_HERE || all.binary > 1000)
				r = request_file(&all);
	return r == -EEXIST ? r : 0;
}

/* Requests files until the recorder's time limit has passed and a request fails with -ETIME. */
static int request_without_end(void)
{
	static const struct rsp_file_request none = {.binary = 2000};
	int r;

	do
		r = request_file(&none);
	while (r < 0 && r != -EEXIST && r != -ETIME);
	return r == -ETIME ? 0 : -EEXIST;
}

static const struct {
	const char *word;
	int (*misbehave)(void);
} words[] = {
	{"!crash", crash},
	{"!spin", spin},
	{"!silent", be_silent},
	{"!open", open_file},
	{"!socket", make_socket},
	{"!fork", make_process},
	{"!execute", run_memory},
	{"!babble", babble},
	{"!number", send_other_number},
	{"!error", send_odd_error},
	{"!leave", leave},
	{"!write", write_much},
	{"!request", request_all},
	{"!request-on", request_without_end},
	{"!new-call", call_new},
	{"!report-on", report_on},
	{"!report-odd", report_nonsense},
};

static int misbehave(const char *word)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].misbehave();
	return 0;
}

/* --- ELF files ------------------------------------------------------------------------------- */

int __real_rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret);
int __wrap_rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret);

/* Returns an unwind table of zeroes, which is invalid. */
static int lie(struct rsp_unwind_table *ret)
{
	ret->blocks = calloc(1, RSP_UNWIND_BLOCK_BYTES);
	ret->len = ret->blocks ? RSP_UNWIND_BLOCK_BYTES : 0;
	return ret->blocks ? 0 : -ENOMEM;
}

static void read_word(int fd, char ret[static 16])
{
	ssize_t n = pread(fd, ret, 15, 0);

	ret[n > 0 ? n : 0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
}

int __wrap_rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret)
{
	char begin[16];
	int r;

	read_word(fd, begin);
	if (strcmp(begin, "!lie") == 0)
		return lie(ret);
	r = misbehave(begin);
	return r < 0 ? r : __real_rsp_unwind_table_build(fd, ret);
}

int __real_rsp_symcopy_make(int fd, void **ret, size_t *ret_len);
int __wrap_rsp_symcopy_make(int fd, void **ret, size_t *ret_len);

/* Returns more symbols than the recorder accepts, for a file that begins with "!symbols". */
int __wrap_rsp_symcopy_make(int fd, void **ret, size_t *ret_len)
{
	char begin[16];

	read_word(fd, begin);
	if (strcmp(begin, "!symbols") != 0)
		return __real_rsp_symcopy_make(fd, ret, ret_len);
	*ret_len = RSP_SYMCOPY_BYTES_MAX + 1;
	*ret = calloc(1, *ret_len);
	return *ret ? 0 : -ENOMEM;
}

/* --- symbols --------------------------------------------------------------------------------- */

int __real_rsp_symbolize_user(const struct rsp_trace *trace,
			      const struct rsp_symbolize_options *options, void **ret,
			      size_t *ret_len);
int __wrap_rsp_symbolize_user(const struct rsp_trace *trace,
			      const struct rsp_symbolize_options *options, void **ret,
			      size_t *ret_len);

int __wrap_rsp_symbolize_user(const struct rsp_trace *trace,
			      const struct rsp_symbolize_options *options, void **ret,
			      size_t *ret_len)
{
	int r = misbehave(trace->snap->meta.command);

	return r < 0 ? r : __real_rsp_symbolize_user(trace, options, ret, ret_len);
}
