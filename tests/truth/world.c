// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * world --seed N --log FILE --data FILE: makes a small system (plan.h) from a seed. The first
 * process is task 0, t00, and ends after all other tasks.
 *
 * --data names a file to read, which must not be empty. --net, given twice, names two network
 * namespaces (link.h). --quota and --io-limit name files: a task that writes to such a file joins a
 * cgroup with a CPU quota (plan.h) or with a read limit for the disk.
 *
 * A task that executes another program runs world --work US --name NAME.
 */
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "tests/programs/program.h"
#include "tests/truth/log-print.h"
#include "tests/truth/steps.h"

/* a time limit in seconds for a system that hangs */
#define DEADLINE_S 60

struct options {
	const char *log, *data, *name, *quota, *limit, *nets[2];
	unsigned long seed, work_us;
};

static unsigned long number(const char *text)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(text, &end, 10);
	if (errno || *end || end == text)
		errx(1, "'%s' is no number", text);
	return v;
}

static struct options parse(int argc, char **argv)
{
	static const struct option known[] = {{"seed", required_argument, NULL, 's'},
					      {"log", required_argument, NULL, 'l'},
					      {"data", required_argument, NULL, 'd'},
					      {"work", required_argument, NULL, 'w'},
					      {"name", required_argument, NULL, 'n'},
					      {"net", required_argument, NULL, 'N'},
					      {"quota", required_argument, NULL, 'q'},
					      {"io-limit", required_argument, NULL, 'i'},
					      {}};
	struct options o = {};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 's':
			o.seed = number(optarg);
			break;
		case 'l':
			o.log = optarg;
			break;
		case 'd':
			o.data = optarg;
			break;
		case 'w':
			o.work_us = number(optarg);
			break;
		case 'n':
			o.name = optarg;
			break;
		case 'N':
			o.nets[o.nets[0] != NULL] = optarg;
			break;
		case 'q':
			o.quota = optarg;
			break;
		case 'i':
			o.limit = optarg;
			break;
		default:
			exit(1);
		}
	}
	if (!(o.work_us && o.name) && !(o.log && o.data))
		errx(1, "usage: world --seed N --log FILE --data FILE");
	return o;
}

#define DESCRIPTORS_MAX (2 * PLAN_LINKS_MAX + 6 * PLAN_TASKS_MAX + 256)

/*
 * Reserves a large table of descriptors. A table that threads share takes milliseconds to grow
 * (synchronize_rcu()), and no log would show this time.
 */
static void allow_descriptors(void)
{
	struct rlimit limit;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		err(1, "getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		err(1, "setrlimit");
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS_MAX);
	if (fd < 0)
		err(1, "%d descriptors", DESCRIPTORS_MAX);
	close(fd);
}

static int links_before(const struct plan *p, size_t link)
{
	int cnt = 0;

	for (size_t i = 0; i < link; i++)
		cnt += p->links[i].to == p->links[link].to;
	return cnt;
}

static int open_if_given(const char *path, int flags)
{
	int fd = path ? open(path, flags | O_CLOEXEC) : -1;

	if (path && fd < 0)
		err(1, "%s", path);
	return fd;
}

static void open_nets(struct link_nets *nets, const char *const paths[2])
{
	nets->ends[0] = open_if_given(paths[0], O_RDONLY);
	nets->ends[1] = open_if_given(paths[1], O_RDONLY);
	nets->own = open_if_given("/proc/self/ns/net", O_RDONLY);
}

static struct world *make(const struct options *o)
{
	struct world *w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			       -1, 0);

	if (w == MAP_FAILED)
		err(1, "mmap");
	plan_make(&w->plan, o->seed);
	allow_descriptors();
	plain_lock_init(&w->plain_lock);
	fair_lock_init(&w->fair_lock);
	pool_init(&w->pool, w->plan.item_cnt);
	service_open(&w->service, &w->plan);
	leases_open(&w->leases, w->plan.backend_cnt, w->plan.ask_cnt);
	open_nets(&w->nets, o->nets);
	w->quota_fd = open_if_given(o->quota, O_WRONLY);
	w->limit_fd = open_if_given(o->limit, O_WRONLY);
	for (size_t i = 0; i < w->plan.link_cnt; i++) {
		const struct link_plan *l = &w->plan.links[i];

		link_open(&w->links[i], l->type, links_before(&w->plan, i), &w->logs[l->to].pid,
			  &w->logs[l->to].tid, &w->nets);
	}
	snprintf(w->scratch, sizeof(w->scratch), "%s", o->log);
	w->data_fd = open(o->data, O_RDONLY | O_CLOEXEC);
	w->direct_fd = open(o->data, O_RDONLY | O_CLOEXEC | O_DIRECT);
	if (w->data_fd < 0)
		err(1, "%s", o->data);
	return w;
}

static void write_log(const struct world *w, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		err(1, "%s", path);
	log_print(f, &w->plan, w->logs);
	if (fclose(f))
		err(1, "%s", path);
}

int main(int argc, char **argv)
{
	struct options o = parse(argc, argv);
	struct world *w;

	if (o.work_us) {
		if (prctl(PR_SET_NAME, o.name))
			err(1, "prctl");
		program_work(o.work_us);
		return 0;
	}
	alarm(DEADLINE_S);
	links_prepare();
	w = make(&o);
	steps_do(w, 0);
	for (size_t i = 0; i < w->plan.link_cnt; i++)
		link_close(&w->links[i]);
	write_log(w, o.log);
	return 0;
}
