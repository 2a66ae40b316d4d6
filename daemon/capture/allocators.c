/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See allocators.h. */
#include "daemon/capture/allocators.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/clock.h"
#include "daemon/base/privileges.h"
#include "daemon/capture/probed.h"
#include "daemon/worker/inquiry.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"
#include "rsp/watch.h"

/* A browser maps about 200 libraries. */
#define FILE_MAX 512

#define PENDING_MAX 256

struct mapped {
	unsigned long long start, end, ino;
	unsigned int major, minor;
};

/* --- in the process that holds the probes ----------------------------------------------------- */

/* Returns whether the line of /proc/PID/maps describes an executable mapping of a file. */
static bool parse_line(const char *line, struct mapped *ret)
{
	char mode[5] = "";

	return sscanf(line, "%llx-%llx %4s %*x %x:%x %llu", &ret->start, &ret->end, mode,
		      &ret->major, &ret->minor, &ret->ino) == 6 &&
	       mode[2] == 'x' && ret->ino;
}

static bool is_known(const struct mapped *files, size_t cnt, const struct mapped *m)
{
	for (size_t i = 0; i < cnt; i++)
		if (files[i].ino == m->ino && files[i].major == m->major &&
		    files[i].minor == m->minor)
			return true;
	return false;
}

static size_t list_files(pid_t pid, struct mapped files[static FILE_MAX])
{
	_cleanup_free_ char *line = NULL;
	size_t cnt = 0, cap = 0;
	char path[32];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	while (f && cnt < FILE_MAX && getline(&line, &cap, f) > 0)
		if (parse_line(line, &files[cnt]) && !is_known(files, cnt, &files[cnt]))
			cnt++;
	if (f)
		fclose(f);
	return cnt;
}

static int open_mapped(pid_t pid, const struct mapped *m)
{
	_cleanup_close_ int path_fd = -1;
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", (int)pid, m->start, m->end);
	path_fd = open(path, O_PATH | O_CLOEXEC);
	return path_fd < 0 ? -errno : rsp_regular_reopen(path_fd);
}

struct file_id {
	dev_t dev;
	ino_t ino;
};

/* The file is opened at once, because its process may end before the search for an allocator. */
struct pending {
	int file;
	struct rsp_memory_notice notice;
};

struct holder {
	const struct rsp_allocators_request *request;
	struct rsp_allocators_state *state;
	struct rsp_probed probed;
	struct file_id searched[RSP_MEMORY_FILE_MAX];
	size_t searched_cnt;
	__u64 unseen[RSP_MEMORY_FILE_MAX]; /* keys of notices */
	struct pending pending[PENDING_MAX];
	size_t pending_first; /* index of the oldest of state->pending_cnt entries */
};

static void note_delay(struct holder *h, const struct rsp_memory_notice *notice)
{
	__u64 ns = rsp_now_ns() - notice->ts_ns;

	if (ns > h->state->late_ns)
		h->state->late_ns = ns;
}

static void see_process(struct holder *h, const struct rsp_memory_notice *notice)
{
	int r = rsp_probed_add_process(&h->probed, (pid_t)notice->tgid);

	if (r < 0 && !notice->key && (pid_t)notice->tgid != h->request->pid)
		h->state->child_cnt++;
	if (r <= 0 || !notice->is_child)
		return;
	h->state->late_child_cnt++;
	note_delay(h, notice);
}

/* Adds the file to h->searched. Returns false if the file is there already, or cannot be added. */
static bool is_new(struct holder *h, int file)
{
	struct stat st;

	if (fstat(file, &st) < 0 || h->searched_cnt == RSP_MEMORY_FILE_MAX)
		return false;
	for (size_t i = 0; i < h->searched_cnt; i++)
		if (h->searched[i].dev == st.st_dev && h->searched[i].ino == st.st_ino)
			return false;
	h->searched[h->searched_cnt++] = (struct file_id){st.st_dev, st.st_ino};
	return true;
}

/* Takes the file. */
static int add_allocator(struct holder *h, int file, const __u64 offsets[RSP_ALLOC_CNT],
			 const struct rsp_memory_notice *notice)
{
	struct rsp_allocator allocator = {.file = file};
	int r;

	memcpy(allocator.offsets, offsets, sizeof(allocator.offsets));
	r = rsp_probed_add_allocator(&h->probed, &allocator);
	if (r < 0)
		return r;
	h->state->function_cnt += (__u32)r;
	if (notice->key) {
		h->state->late_cnt++;
		note_delay(h, notice);
	}
	return 0;
}

static void search_next(struct holder *h)
{
	struct pending *p = &h->pending[h->pending_first];
	__u64 offsets[RSP_ALLOC_CNT];
	int r = rsp_inquiry_find_allocator(p->file, offsets);

	if (r == 0)
		r = add_allocator(h, rsp_take_fd(&p->file), offsets, &p->notice);
	if (r == -ENODATA)
		h->state->static_cnt++;
	else if (r < 0 && r != -ENOENT && r != -EBADMSG)
		h->state->unseen_cnt++;
	h->state->failed_cnt = h->probed.failed_cnt;
	rsp_cleanup_close(&p->file);
	h->pending_first = (h->pending_first + 1) % PENDING_MAX;
	__atomic_fetch_sub(&h->state->pending_cnt, 1, __ATOMIC_SEQ_CST);
}

/* Takes the file. */
static void add_pending(struct holder *h, int file, const struct rsp_memory_notice *notice)
{
	if (h->state->pending_cnt == PENDING_MAX)
		search_next(h);
	h->pending[(h->pending_first + h->state->pending_cnt) % PENDING_MAX] = (struct pending){
		file, *notice};
	__atomic_fetch_add(&h->state->pending_cnt, 1, __ATOMIC_SEQ_CST);
}

/*
 * If the file could not be opened, deletes its key from the map: the next process that maps the
 * file then causes another notice.
 */
static void mark_seen(struct holder *h, __u64 key, bool is_seen)
{
	__u32 cnt = h->state->unseen_cnt, i = 0;

	while (i < RSP_MEMORY_FILE_MAX && h->unseen[i] && h->unseen[i] != key)
		i++;
	if (!is_seen)
		(void)bpf_map_delete_elem(h->request->files, &key);
	if (i == RSP_MEMORY_FILE_MAX || is_seen == !h->unseen[i])
		return;
	if (!is_seen) {
		h->unseen[i] = key;
		h->state->unseen_cnt = cnt + 1;
		return;
	}
	for (; i + 1 < RSP_MEMORY_FILE_MAX && h->unseen[i + 1]; i++)
		h->unseen[i] = h->unseen[i + 1];
	h->unseen[i] = 0;
	h->state->unseen_cnt = cnt - 1;
}

/* Returns whether opening succeeded. */
static bool look_at(struct holder *h, const struct mapped *m,
		    const struct rsp_memory_notice *notice)
{
	_cleanup_close_ int file = open_mapped((pid_t)notice->tgid, m);

	if (file < 0)
		return false;
	if (is_new(h, file))
		add_pending(h, rsp_take_fd(&file), notice);
	return true;
}

static bool look_at_process(struct holder *h, const struct rsp_memory_notice *notice)
{
	static struct mapped files[FILE_MAX];
	size_t cnt = list_files((pid_t)notice->tgid, files);

	for (size_t i = 0; i < cnt; i++)
		(void)look_at(h, &files[i], notice);
	return cnt > 0;
}

static int on_notice(void *userdata, void *data, size_t size)
{
	struct rsp_memory_notice notice;
	struct holder *h = userdata;
	bool seen;

	if (size != sizeof(notice))
		return 0;
	memcpy(&notice, data, sizeof(notice));
	see_process(h, &notice);
	if (notice.is_child) /* a child has the files of its parent, which were examined already */
		seen = true;
	else if (notice.end)
		seen = look_at(h, &(struct mapped){.start = notice.start, .end = notice.end},
			       &notice);
	else
		seen = look_at_process(h, &notice);
	if (notice.key)
		mark_seen(h, notice.key, seen);
	h->state->failed_cnt = h->probed.failed_cnt;
	__atomic_fetch_add(&h->state->notice_cnt, 1, __ATOMIC_SEQ_CST);
	return 0;
}

static _Noreturn void hold(struct holder *h, struct ring_buffer *ring)
{
	(void)ring_buffer__consume(ring);
	for (;;) {
		if (h->state->pending_cnt)
			search_next(h);
		if (!h->state->pending_cnt)
			__atomic_store_n(&h->state->is_ready, 1, __ATOMIC_SEQ_CST);
		(void)ring_buffer__poll(ring, h->state->pending_cnt ? 0 : -1);
	}
}

/* Raises the limit of descriptors: the links and files of a watch can exceed the usual 1024. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static _Noreturn void probe_all(const struct rsp_allocators_request *request, pid_t parent,
				struct rsp_allocators_state *state)
{
	struct holder *h = calloc(1, sizeof(*h));
	struct ring_buffer *ring;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!h || getppid() != parent || rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-probes");
	h->request = request;
	h->state = state;
	raise_file_limit();
	ring = ring_buffer__new(request->notices, on_notice, h, NULL);
	if (!ring)
		_exit(EXIT_FAILURE);
	hold(h, ring);
}

/* --- in rspd ---------------------------------------------------------------------------------- */

static void on_end(const siginfo_t *info, void *userdata)
{
	struct rsp_allocators *a = userdata;

	a->has_ended = true;
}

int rsp_allocators_begin(struct rsp_allocators *a, sd_event *event,
			 const struct rsp_allocators_request *request)
{
	pid_t parent = getpid(), child;
	void *state = mmap(NULL, sizeof(*a->state), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*a = (struct rsp_allocators){0};
	if (state == MAP_FAILED)
		return -errno;
	a->state = state;
	child = fork();
	if (child == 0)
		probe_all(request, parent, a->state);
	return child < 0 ? -errno : rsp_child_watch(event, child, on_end, a, &a->child);
}

bool rsp_allocators_are_busy(const struct rsp_allocators *a, __u64 sent_cnt)
{
	if (!a->child || a->has_ended)
		return false;
	return !__atomic_load_n(&a->state->is_ready, __ATOMIC_SEQ_CST) ||
	       __atomic_load_n(&a->state->notice_cnt, __ATOMIC_SEQ_CST) < sent_cnt ||
	       __atomic_load_n(&a->state->pending_cnt, __ATOMIC_SEQ_CST);
}

void rsp_allocators_end(struct rsp_allocators *a)
{
	if (a->child)
		rsp_child_set_ended(a->child, NULL, NULL);
	a->child = rsp_child_abandon(a->child);
	if (a->state)
		munmap(a->state, sizeof(*a->state));
	a->state = NULL;
}
