/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See freeze.h. The child answers by its exit status: 0, or an errno. */
#include "freeze.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/ksyms/ksyms.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"

struct freeze {
	int fd;
	rsp_freeze_fn done;
	void *userdata;
};

/* --- in the child ----------------------------------------------------------------------------- */

struct scan {
	struct rsp_meta meta;
	__u32 wanted_pid, pidns; /* the target, as whoever asks knows it */
	bool found;
	struct rsp_symbols_builder *symbols;
	struct rsp_ksyms *ksyms; /* NULL: kallsyms cannot be read, kernel frames stay addresses */
	struct rsp_idmap functions; /* kernel functions that have their name, by address */
	struct rsp_idmap binaries;  /* numbers that user frames name */
};

static bool is_wanted(const struct scan *scan, const struct rsp_ev_task *task)
{
	if (task->tid != task->tgid || task->hdr.ts_ns > scan->meta.until_ns)
		return false;
	if (scan->pidns == RSP_PIDNS_INITIAL)
		return task->tgid == scan->wanted_pid;
	return task->pidns == scan->pidns && task->ns_tgid == scan->wanted_pid;
}

/* The newest start at or before the end of the span: a pid may have been used before. */
static void scan_task(struct scan *scan, const struct rsp_ev_task *task)
{
	if (!is_wanted(scan, task) || task->start_ns < scan->meta.target_start_ns)
		return;
	scan->found = true;
	scan->meta.target_pid = task->tgid;
	scan->meta.target_start_ns = task->start_ns;
}

static int scan_binaries(struct scan *scan, const struct rsp_ev_stack *stack)
{
	int r = 0;

	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		if (stack->frames[i] & RSP_FRAME_IN_BINARY)
			r = rsp_idmap_put(&scan->binaries, RSP_FRAME_BINARY(stack->frames[i]), 0);
	return r;
}

static int scan_stack(struct scan *scan, const struct rsp_ev_stack *stack)
{
	if (stack->hdr.flags & RSP_STACK_USER)
		return scan_binaries(scan, stack);
	return scan->ksyms ? rsp_ksyms_name_stack(scan->ksyms, stack, scan->symbols) : 0;
}

static int scan_function(struct scan *scan, __u64 address)
{
	int r;

	if (!scan->ksyms || rsp_idmap_get(&scan->functions, address, &(uint64_t){0}))
		return 0;
	r = rsp_idmap_put(&scan->functions, address, 0);
	return r < 0 ? r : rsp_ksyms_name_function(scan->ksyms, address, scan->symbols);
}

static int scan_cause(struct scan *scan, __u32 context, __u64 cause)
{
	return context == RSP_WAKE_KTIMER ? scan_function(scan, cause) : 0;
}

static int scan_work(struct scan *scan, const struct rsp_ev_work *work)
{
	int r = scan_cause(scan, work->context, work->cause);

	return r < 0 ? r : scan_function(scan, work->function);
}

static int scan_record(struct scan *scan, const struct rsp_ev_hdr *rec)
{
	const struct rsp_ev_waking *waking;

	switch (rec->kind) {
	case RSP_EV_TASK:
		scan_task(scan, (const void *)rec);
		return 0;
	case RSP_EV_STACK:
		return scan_stack(scan, (const void *)rec);
	case RSP_EV_WAKING:
		waking = (const void *)rec;
		return scan_cause(scan, waking->context, waking->cause);
	case RSP_EV_WORK:
		return scan_work(scan, (const void *)rec);
	}
	return 0;
}

static int scan_chunk(const void *records, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *rec;
	struct scan *scan = userdata;
	size_t off = 0;
	int r = 0;

	while (r == 0 && rsp_record_next(records, len, &off, &rec) > 0)
		r = scan_record(scan, rec);
	return r;
}

static int read_kallsyms(struct rsp_ksyms **ret)
{
	_cleanup_free_ char *text = NULL;
	size_t cap = 0;
	ssize_t len;
	FILE *f = fopen("/proc/kallsyms", "re");

	if (!f)
		return -errno;
	len = getdelim(&text, &cap, '\0', f);
	fclose(f);
	return len < 0 ? -EIO : rsp_ksyms_parse(text, (size_t)len, ret);
}

static int write_chunk(const void *records, size_t len, void *userdata)
{
	return rsp_snapshot_write_section(userdata, RSP_SEC_EVENTS, records, len);
}

/* Of what the process was gone before its file could be opened, nothing is known. */
static int write_binaries(const struct scan *scan, const struct rsp_binaries *binaries,
			  struct rsp_snapshot_writer *writer)
{
	const struct rsp_ev_binary *rec;
	uint64_t number, nothing;
	size_t pos = 0;
	int r = 0;

	while (r == 0 && rsp_idmap_next(&scan->binaries, &pos, &number, &nothing)) {
		rec = rsp_binaries_find(binaries, (__u32)number);
		if (rec)
			r = rsp_snapshot_write_section(writer, RSP_SEC_EVENTS, rec, rec->hdr.size);
	}
	return r;
}

static int write_symbols(struct scan *scan, struct rsp_snapshot_writer *writer)
{
	_cleanup_free_ void *data = NULL;
	size_t len;
	int r = rsp_symbols_builder_finish(scan->symbols, &data, &len);

	return r < 0 ? r : rsp_snapshot_write_section(writer, RSP_SEC_SYMBOLS, data, len);
}

static int write_snapshot(const struct rsp_window *win, const struct rsp_binaries *binaries,
			  struct scan *scan, int fd)
{
	struct rsp_snapshot_writer *writer;
	int r = rsp_snapshot_writer_new(fd, &writer);

	if (r == 0)
		r = rsp_snapshot_write_meta(writer, &scan->meta);
	if (r == 0)
		r = write_binaries(scan, binaries, writer);
	if (r == 0)
		r = rsp_window_foreach(win, scan->meta.since_ns, write_chunk, writer);
	if (r == 0)
		r = write_symbols(scan, writer);
	if (r == 0)
		r = rsp_snapshot_writer_finish(writer);
	rsp_snapshot_writer_free(writer);
	return r;
}

/* Where memory is short this one is to go: a snapshot can be asked for again, the window cannot. */
static void volunteer_for_oom(void)
{
	_cleanup_close_ int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, "1000", 4);
}

/* Returns an errno for _exit. Nothing is freed: the process ends here. */
static int child(const struct rsp_window *win, const struct rsp_binaries *binaries,
		 const struct rsp_meta *meta, __u32 pidns, int fd, pid_t parent)
{
	struct scan scan = {.meta = *meta, .wanted_pid = meta->target_pid, .pidns = pidns};
	int r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it was faster */
		return ESRCH;
	volunteer_for_oom();
	read_kallsyms(&scan.ksyms);
	r = rsp_symbols_builder_new(&scan.symbols);
	if (r == 0)
		r = rsp_window_foreach(win, meta->since_ns, scan_chunk, &scan);
	if (r == 0 && !scan.found)
		r = -ESRCH;
	if (r == 0)
		r = write_snapshot(win, binaries, &scan, fd);
	return -r;
}

/* --- in the recorder ---------------------------------------------------------------------------
 */

static void freeze_free(struct freeze *freeze)
{
	if (freeze->fd >= 0)
		close(freeze->fd);
	free(freeze);
}

static int seal(int fd, size_t *ret_size)
{
	struct stat st;

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0 ||
	    fstat(fd, &st) < 0)
		return -errno;
	*ret_size = (size_t)st.st_size;
	return 0;
}

static int error_of(const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		return -info->si_status;
	return info->si_status == SIGKILL ? -ENOMEM : -EIO; /* the OOM killer's hand */
}

static int on_child_exit(sd_event_source *source, const siginfo_t *info, void *userdata)
{
	struct freeze *freeze = userdata;
	size_t size = 0;
	int r = error_of(info);

	if (r == 0)
		r = seal(freeze->fd, &size);
	freeze->done(r, r == 0 ? rsp_take_fd(&freeze->fd) : -1, size, freeze->userdata);
	freeze_free(freeze);
	sd_event_source_unref(source);
	return 0;
}

int rsp_freeze(sd_event *event, const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_meta *meta, __u32 pidns, rsp_freeze_fn done, void *userdata)
{
	struct freeze *freeze = calloc(1, sizeof(*freeze));
	pid_t parent = getpid(), pid;
	sd_event_source *source;
	int r;

	if (!freeze)
		return -ENOMEM;
	freeze->done = done;
	freeze->userdata = userdata;
	freeze->fd = memfd_create("rsp-snapshot", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	pid = freeze->fd < 0 ? -1 : fork();
	if (pid < 0) {
		r = -errno;
		freeze_free(freeze);
		return r;
	}
	if (pid == 0)
		_exit(child(win, binaries, meta, pidns, freeze->fd, parent));
	r = sd_event_add_child(event, &source, pid, WEXITED, on_child_exit, freeze);
	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		freeze_free(freeze);
	}
	return r < 0 ? r : 0;
}
