// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See steps.h. Any failure ends the program, so that no test takes an incomplete run for a complete
 * one.
 */
#include "tests/truth/steps.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/program.h"
#include "tests/truth/steps-parts.h"
#include "tests/truth/ticks.h"

/* so large that the time to read or write a block is much longer than the CPU time of the call */
#define BLOCK_BYTES (2 << 20)

#define PAGE_BYTES 4096

struct errand {
	struct world *world;
	unsigned int task;
};

/* --- waits without another task -------------------------------------------------------------- */

static struct timespec timespec_of(uint32_t us)
{
	return (struct timespec){.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
}

static void doze(uint32_t us)
{
	struct timespec left = timespec_of(us);

	while (nanosleep(&left, &left))
		if (errno != EINTR)
			err(1, "nanosleep");
}

static void poll_nothing(uint32_t us)
{
	struct pollfd p = {.fd = eventfd(0, 0), .events = POLLIN};
	struct timespec timeout = timespec_of(us);

	if (p.fd < 0 || ppoll(&p, 1, &timeout, NULL) != 0)
		err(1, "ppoll");
	close(p.fd);
}

/*
 * Polls no files for `us` at a time, until the link has a token. Posting the token does not end the
 * poll.
 */
static void poll_until(const struct link *l, uint32_t us)
{
	while (!__atomic_load_n(&l->word, __ATOMIC_SEQ_CST))
		poll(NULL, 0, (int)(us / 1000));
}

static void read_timer(uint32_t us)
{
	struct itimerspec when = {.it_value = timespec_of(us)};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t cnt;

	if (fd < 0 || timerfd_settime(fd, 0, &when, NULL) || read(fd, &cnt, sizeof(cnt)) < 0)
		err(1, "timerfd");
	close(fd);
}

static uint64_t clock_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * Each block has its own log entry: one entry for all blocks would not show when the task waited
 * for a CPU.
 */
static void write_and_sync(struct world *w, unsigned int task, uint32_t us)
{
	uint64_t end_ns = clock_ns() + (uint64_t)us * 1000;
	static const char block[BLOCK_BYTES]; /* zeroes */
	char name[sizeof(w->scratch) + 8];
	int fd;

	snprintf(name, sizeof(name), "%s.t%02u", w->scratch, task);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		err(1, "%s", name);
	while (clock_ns() < end_ns) {
		struct log_entry e = log_begin(STEP_FSYNC, 0);

		if (pwrite(fd, block, sizeof(block), 0) != sizeof(block) || fsync(fd))
			err(1, "%s", name);
		log_end(&e);
		log_add(&w->logs[task], &e);
	}
	unlink(name);
	close(fd);
}

static void read_blocks(struct log_task *log, const struct step *s, int fd)
{
	uint64_t end_ns = clock_ns() + (uint64_t)s->us * 1000;
	struct stat st;
	char *block;
	off_t at = 0;

	if (fstat(fd, &st) || posix_memalign((void **)&block, 4096, BLOCK_BYTES))
		err(1, "the file to read from");
	while (clock_ns() < end_ns) {
		struct log_entry e = log_begin(s->kind, 0);

		if (s->kind == STEP_COLD && posix_fadvise(fd, at, BLOCK_BYTES, POSIX_FADV_DONTNEED))
			errx(1, "posix_fadvise");
		if (pread(fd, block, BLOCK_BYTES, at) != BLOCK_BYTES)
			err(1, "the file to read from");
		log_end(&e);
		log_add(log, &e);
		at = (at + BLOCK_BYTES) % (st.st_size - st.st_size % BLOCK_BYTES);
	}
	free(block);
}

static void touch_blocks(struct log_task *log, int fd, uint32_t us)
{
	uint64_t end_ns = clock_ns() + (uint64_t)us * 1000;
	struct stat st;
	off_t at = 0;

	if (fstat(fd, &st))
		err(1, "the file to read from");
	while (clock_ns() < end_ns) {
		struct log_entry e = log_begin(STEP_FAULT, 0);
		volatile char *block;

		if (posix_fadvise(fd, at, BLOCK_BYTES, POSIX_FADV_DONTNEED))
			errx(1, "posix_fadvise");
		block = mmap(NULL, BLOCK_BYTES, PROT_READ, MAP_SHARED, fd, at);
		if (block == MAP_FAILED)
			err(1, "mmap");
		for (size_t i = 0; i < BLOCK_BYTES; i += PAGE_BYTES)
			(void)block[i];
		munmap((void *)block, BLOCK_BYTES);
		log_end(&e);
		log_add(log, &e);
		at = (at + BLOCK_BYTES) % (st.st_size - st.st_size % BLOCK_BYTES);
	}
}

/* --- waits for other tasks ------------------------------------------------------------------- */

static void post(struct world *w, struct log_task *log, unsigned int link)
{
	struct log_entry e = {.kind = STEP_POST, .arg = link};

	link_expect_waiter(&w->links[link]);
	e.from_ns = clock_ns();
	w->links[link].type->post(&w->links[link]);
	e.to_ns = clock_ns();
	log_add(log, &e);
}

static void wait_for(struct world *w, struct log_task *log, unsigned int link)
{
	bool looks = w->links[link].type->looks;
	struct log_entry e = looks ? log_begin(STEP_WAIT, link) : log_begin_wait(STEP_WAIT, link);

	w->links[link].type->wait(&w->links[link]);
	if (looks)
		log_end(&e);
	else
		log_end_wait(&e);
	log_add(log, &e);
}

/*
 * If one epoll_wait() returns several tokens, the task waited for all of them, so their log entries
 * have the same times.
 */
static void gather(struct world *w, struct log_task *log, unsigned int first, unsigned int cnt)
{
	struct epoll_event events[PLAN_TASKS_MAX];
	int fd = epoll_create1(EPOLL_CLOEXEC), n;

	if (fd < 0 || cnt > PLAN_TASKS_MAX)
		err(1, "epoll");
	for (unsigned int i = first; i < first + cnt; i++) {
		events[0] = (struct epoll_event){.events = EPOLLIN, .data.u32 = i};
		if (epoll_ctl(fd, EPOLL_CTL_ADD, w->links[i].in, &events[0]))
			err(1, "epoll_ctl");
	}
	for (unsigned int left = cnt; left; left -= (unsigned int)n) {
		struct log_entry e = log_begin_wait(STEP_WAIT, 0);

		n = epoll_wait(fd, events, (int)left, -1);
		if (n < 0)
			err(1, "epoll_wait");
		log_end_wait(&e);
		for (int i = 0; i < n; i++) {
			struct link *l = &w->links[events[i].data.u32];

			e.arg = events[i].data.u32;
			log_add(log, &e);
			l->type->wait(l);
			/*
			 * Takes only one token of each link, because the next token belongs to
			 * another step.
			 */
			if (epoll_ctl(fd, EPOLL_CTL_DEL, l->in, NULL))
				err(1, "epoll_ctl");
		}
	}
	close(fd);
}

static void lock(struct world *w, struct log_task *log, unsigned int i)
{
	struct log_entry e = log_begin_wait(STEP_LOCK, i);

	if (i == PLAN_LOCK_FAIR)
		fair_lock_take(&w->fair_lock);
	else
		pthread_mutex_lock(&w->plain_lock);
	log_end_wait(&e);
	log_add(log, &e);
}

static void unlock(struct world *w, struct log_task *log, unsigned int i)
{
	struct log_entry e = {.kind = STEP_UNLOCK, .arg = i, .from_ns = clock_ns()};

	if (i == PLAN_LOCK_FAIR)
		fair_lock_release(&w->fair_lock);
	else
		pthread_mutex_unlock(&w->plain_lock);
	e.to_ns = clock_ns();
	log_add(log, &e);
}

/* --- a pool of threads ---------------------------------------------------------------------- */

struct member {
	struct log_task *log;
	enum step_kind kind;
	struct log_entry wait;
};

static void log_pool_wait(void *data, const struct pool_wake *how)
{
	struct member *m = data;

	if (!how) {
		m->wait = log_begin_wait(m->kind, 0);
		return;
	}
	log_end_wait(&m->wait);
	m->wait.arg = how->who;
	m->wait.at_ns = how->at_ns;
	log_add(m->log, &m->wait);
}

static void serve(struct world *w, unsigned int task)
{
	struct member m = {.log = &w->logs[task], .kind = STEP_SERVE};
	struct pool_log log = {log_pool_wait, &m};
	struct pool_item item;

	while (pool_take(&w->pool, task, &item, &log)) {
		if (item.is_cause)
			w->plan.who = task;
		program_work(item.us);
		pool_done(&w->pool, task, &item, &log);
	}
}

static void submit(struct world *w, unsigned int task, const struct step *s)
{
	struct member m = {.log = &w->logs[task], .kind = STEP_SUBMIT};

	pool_submit(&w->pool, task, s->us, s->arg, &(struct pool_log){log_pool_wait, &m});
}

static void collect(struct world *w, unsigned int task)
{
	struct member m = {.log = &w->logs[task], .kind = STEP_COLLECT};

	pool_collect(&w->pool, task, &(struct pool_log){log_pool_wait, &m});
}

/* --- birth and death ------------------------------------------------------------------------- */

static void *run_thread(void *arg)
{
	struct errand *errand = arg;

	steps_do(errand->world, errand->task);
	free(errand);
	return NULL;
}

static void give_birth(struct world *w, unsigned int task)
{
	pid_t pid;

	if (w->plan.tasks[task].thread) {
		struct errand *errand = malloc(sizeof(*errand));

		if (!errand)
			err(1, "malloc");
		*errand = (struct errand){.world = w, .task = task};
		if (pthread_create(&w->threads[task], NULL, run_thread, errand))
			errx(1, "pthread_create");
		return;
	}
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		steps_do(w, task);
		_exit(0);
	}
	w->children[task] = pid;
}

static void take_name(unsigned int task)
{
	char name[16];

	snprintf(name, sizeof(name), "t%02u", task);
	if (prctl(PR_SET_NAME, name))
		err(1, "prctl");
}

/*
 * The parent sets its own name to the child's name before the fork. So the child has its name even
 * if it waits for a CPU first.
 */
static void spawn(struct world *w, unsigned int parent, unsigned int task)
{
	take_name(task);
	give_birth(w, task);
	take_name(parent);
}

static void join(struct world *w, unsigned int task)
{
	if (!w->plan.tasks[task].thread)
		program_join(w->children[task]);
	else if (pthread_join(w->threads[task], NULL))
		errx(1, "pthread_join");
}

static void become_worker(unsigned int task, uint32_t us)
{
	char name[16], amount[16];

	snprintf(name, sizeof(name), "t%02u", task);
	snprintf(amount, sizeof(amount), "%u", us);
	execl("/proc/self/exe", name, "--work", amount, "--name", name, NULL);
	err(1, "exec");
}

/* --------------------------------------------------------------------------------------------- */

static void do_logged(struct world *w, unsigned int task, const struct step *s)
{
	struct log_entry e = log_begin(s->kind, s->arg);

	e.at_ns = e.from_ns + (uint64_t)s->us * 1000;
	switch (s->kind) {
	case STEP_SLEEP:
		doze(s->us);
		break;
	case STEP_TIMEOUT:
	case STEP_LATE:
		poll_nothing(s->us);
		break;
	case STEP_LOOP:
		poll_until(&w->links[s->arg], s->us);
		break;
	case STEP_NAPS:
		ticks_nap(&w->links[s->arg], s->us);
		break;
	case STEP_UNSIGNALLED:
		ticks_wait_unsignalled(s->us);
		break;
	case STEP_TIMERFD:
		read_timer(s->us);
		break;
	case STEP_SPAWN:
		spawn(w, task, s->arg);
		break;
	case STEP_JOIN:
		join(w, s->arg);
		break;
	default:
		errx(1, "step %d makes no sense", s->kind);
	}
	log_end(&e);
	log_add(&w->logs[task], &e);
}

/*
 * Writes 0, which stands for the writer, to the cgroup's file. The thread stays in the cgroup for
 * all later steps. Does nothing if fd is -1.
 *
 * Cgroup version 2 moves the whole process, so it throttles the process's other threads, too.
 */
static void join_group(int fd)
{
	if (fd >= 0 && write(fd, "0", 1) != 1)
		err(1, "a group with a quota or a limit");
}

/*
 * Carries out a step that needs the files or cgroups of the world. Returns false for other steps.
 */
static bool do_file_step(struct world *w, unsigned int task, const struct step *s)
{
	struct log_task *log = &w->logs[task];

	switch (s->kind) {
	case STEP_FSYNC:
		write_and_sync(w, task, s->us);
		return true;
	case STEP_DIRECT:
		read_blocks(log, s, w->direct_fd);
		return true;
	case STEP_COLD:
		read_blocks(log, s, w->data_fd);
		return true;
	case STEP_FAULT:
		touch_blocks(log, w->data_fd, s->us);
		return true;
	case STEP_LIMITED:
		join_group(w->limit_fd);
		read_blocks(log, s, w->direct_fd);
		return true;
	case STEP_QUOTA:
		join_group(w->quota_fd);
		program_work(s->us);
		return true;
	default:
		return false;
	}
}

void steps_do_one(struct world *w, unsigned int task, const struct step *s)
{
	struct log_task *log = &w->logs[task];

	switch (s->kind) {
	case STEP_WORK:
		program_work(s->us);
		return;
	case STEP_POST:
		post(w, log, s->arg);
		return;
	case STEP_WAIT:
		wait_for(w, log, s->arg);
		return;
	case STEP_CALL:
	case STEP_ATTEND:
	case STEP_TAKE:
	case STEP_ASK:
	case STEP_GIVE:
	case STEP_BACKEND:
		steps_call(w, task, s);
		return;
	case STEP_GATHER:
		gather(w, log, s->arg, s->us);
		return;
	case STEP_LOCK:
		lock(w, log, s->arg);
		return;
	case STEP_UNLOCK:
		unlock(w, log, s->arg);
		return;
	case STEP_SUBMIT:
		submit(w, task, s);
		return;
	case STEP_COLLECT:
		collect(w, task);
		return;
	case STEP_SERVE:
		serve(w, task);
		return;
	case STEP_EXEC:
		log_mark(log, STEP_EXEC);
		log_end(&log->life);
		become_worker(task, s->us);
		return;
	default:
		if (do_file_step(w, task, s))
			return;
		do_logged(w, task, s);
	}
	if (s->kind == STEP_LATE || s->kind == STEP_LOOP || s->kind == STEP_NAPS)
		wait_for(w, log, s->arg);
}

static void keep_to_cpu(int n)
{
	cpu_set_t allowed, one;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		err(1, "sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			break;
	if (cpu == CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "sched_setaffinity");
}

void steps_do(struct world *w, unsigned int task)
{
	const struct task_plan *t = &w->plan.tasks[task];
	struct log_task *log = &w->logs[task];

	log->life = log_begin(STEP_WORK, 0);
	take_name(task);
	if (t->cpu >= 0)
		keep_to_cpu(t->cpu);
	log->pid = getpid();
	__atomic_store_n(&log->tid, gettid(), __ATOMIC_SEQ_CST);
	for (size_t i = 0; i < t->step_cnt; i++)
		steps_do_one(w, task, &t->steps[i]);
	log_end(&log->life);
}
