/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-model [STREAM [MILLIONS]]: measures the time and memory of an explanation. Writes streams
 * of up to 20 million events (streams.h) to snapshots, and measures each stage of a report in a
 * separate process. bench-model FILE uses an existing snapshot. All times are CPU times. Exit
 * status 1 if a process exceeds its limits.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/model/streams.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/report/report.h"

#define CPU_MAX_S	 300
#define MEMORY_MAX_BYTES (12ULL << 30)

static const struct benchmark {
	const char *name;
	void (*play)(struct stream *s);
	unsigned int millions[4]; /* millions of events; ends with 0; the first is the reference */
} benchmarks[] = {
	{"service", service_play, {1, 5, 20}},
	{"service-threads", service_play_threads, {1, 5, 20}},
	{"storm", storm_play, {1, 5}},
	{"storm-threads", storm_play_threads, {1, 5}},
	{"storm-nonsense", storm_play_nonsense, {1, 5}},
};
#define BENCHMARK_CNT (sizeof(benchmarks) / sizeof(benchmarks[0]))

enum stage { READ, TRACE, MODEL, EXPLANATION, REPORT, STAGES };
static const char *const stage_names[STAGES] = {"read", "trace", "model", "explanation", "report"};

struct result {
	size_t event_cnt;
	double stage_ns[STAGES];
	double raw_bytes;
	double peak_bytes; /* maximum memory of the process */
	double accounted_pct;
	size_t chain_cnt;
};

static double cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts))
		err(1, "clock_gettime");
	return 1e9 * (double)ts.tv_sec + (double)ts.tv_nsec;
}

static double peak_bytes(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		err(1, "getrusage");
	return 1024.0 * (double)usage.ru_maxrss;
}

static void check_sum(const struct rsp_explanation *e)
{
	__u64 sum = 0;
	int i;

	for (i = 0; i < RSP_CAT_MAX; i++)
		sum += e->cat_ns[i];
	if (sum != e->total_ns || sum == 0)
		errx(1, "the categories add up to %llu ns, the total is %llu ns",
		     (unsigned long long)sum, (unsigned long long)e->total_ns);
}

static double raw_bytes(const struct rsp_snapshot *snap)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < snap->section_cnt; i++)
		sum += (double)snap->sections[i].len;
	return sum;
}

static void report(const struct rsp_explanation *e)
{
	const struct rsp_report_options how = {0};
	FILE *out = fopen("/dev/null", "w");

	if (!out || rsp_report_text(e, RSP_VIEW_EXPLAIN, &how, out))
		errx(1, "no report");
	fclose(out);
}

/* rsp_explain_details() also makes a model, so the time of a model is subtracted. */
static void explain(int fd, struct result *ret)
{
	struct rsp_explanation *e;
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	struct rsp_model *model;
	double t[STAGES + 1];

	t[0] = cpu_ns();
	if (rsp_snapshot_open_fd(fd, &snap))
		errx(1, "no snapshot");
	t[1] = cpu_ns();
	if (rsp_trace_new(snap, &trace))
		errx(1, "no trace");
	t[2] = cpu_ns();
	if (rsp_model_new(trace, &model))
		errx(1, "no model");
	rsp_model_free(model);
	t[3] = cpu_ns();
	if (rsp_explain_details(trace, 0, &e))
		errx(1, "no explanation");
	t[4] = cpu_ns();
	report(e);
	t[5] = cpu_ns();
	check_sum(e);
	*ret = (struct result){
		.event_cnt = trace->event_cnt,
		.stage_ns = {t[1] - t[0], t[2] - t[1], t[3] - t[2], t[4] - t[3] - (t[3] - t[2]),
			     t[5] - t[4]},
		.raw_bytes = raw_bytes(snap),
		.peak_bytes = peak_bytes(),
		.accounted_pct = rsp_explanation_accounted_pct(e),
		.chain_cnt = e->chain_cnt,
	};
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	rsp_snapshot_free(snap);
}

static void bound(void)
{
	struct rlimit cpu = {CPU_MAX_S, CPU_MAX_S};
	struct rlimit memory = {MEMORY_MAX_BYTES, MEMORY_MAX_BYTES};

	if (setrlimit(RLIMIT_CPU, &cpu) || setrlimit(RLIMIT_AS, &memory))
		err(1, "setrlimit");
}

/*
 * Runs explain() in a separate process, which begins with little memory. Returns 0, or -1 on
 * failure.
 */
static int measure(int fd, struct result *ret)
{
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe(fds))
		err(1, "pipe");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		bound();
		explain(fd, ret);
		_exit(write(fds[1], ret, sizeof(*ret)) != sizeof(*ret));
	}
	close(fds[1]);
	n = read(fds[0], ret, sizeof(*ret));
	close(fds[0]);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "waitpid");
	return n == sizeof(*ret) && status == 0 ? 0 : -1;
}

static int measure_stream(const struct benchmark *b, unsigned int millions, struct result *ret)
{
	int fd = memfd_create(b->name, 0), r;
	struct stream s;

	if (fd < 0)
		err(1, "memfd_create");
	stream_init(&s, millions * 1000000UL);
	b->play(&s);
	stream_write(&s, fd);
	stream_done(&s);
	r = measure(fd, ret);
	close(fd);
	return r;
}

static double per_event(const struct result *r, double value)
{
	return value / (double)r->event_cnt;
}

static void print(const char *name, const struct result *r, const struct result *first)
{
	double ns = r->stage_ns[MODEL] + r->stage_ns[EXPLANATION], all_ns = 0;
	int i;

	for (i = 0; i < STAGES; i++) {
		all_ns += r->stage_ns[i];
		printf("%s_%s: %.1f ns/event (%.1f at the first size)\n", name, stage_names[i],
		       per_event(r, r->stage_ns[i]), per_event(first, first->stage_ns[i]));
	}
	printf("%s_rate: %.2f M events/s (model and explanation, one core; goal: 10)\n", name,
	       1000 / per_event(r, ns));
	printf("%s_total: %.2f s (snapshot to finished report, %.2f M events; goal: 1 s for 5 M)\n",
	       name, all_ns / 1e9, (double)r->event_cnt / 1e6);
	printf("%s_memory: %.1f bytes/event (peak, with records of %.1f; %.2f times "
	       "that of the first size)\n",
	       name, per_event(r, r->peak_bytes), per_event(r, r->raw_bytes),
	       per_event(r, r->peak_bytes) / per_event(first, first->peak_bytes));
	printf("%s_chains: %zu chains (%.2f %% of the time accounted for)\n", name, r->chain_cnt,
	       r->accounted_pct);
}

static int run(const struct benchmark *b, const unsigned int *millions)
{
	struct result first = {0}, r;
	char name[64];
	size_t i;
	int bad = 0;

	for (i = 0; millions[i]; i++) {
		snprintf(name, sizeof(name), "%s_%uM", b->name, millions[i]);
		if (measure_stream(b, millions[i], &r) < 0) {
			printf("%s: did not end within %d s and %llu GiB\n", name, CPU_MAX_S,
			       MEMORY_MAX_BYTES >> 30);
			bad = 1;
			continue;
		}
		if (!first.event_cnt)
			first = r;
		print(name, &r, &first);
	}
	return bad;
}

static int run_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct result r;

	if (fd < 0)
		err(2, "there is no stream nor file '%s'", path);
	if (measure(fd, &r) < 0)
		return 1;
	print(path, &r, &r);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int wanted[2] = {0};
	size_t i, run_cnt = 0;
	int bad = 0;

	if (argc > 2)
		wanted[0] = (unsigned int)strtoul(argv[2], NULL, 10);
	for (i = 0; i < BENCHMARK_CNT; i++) {
		if (argc > 1 && strcmp(argv[1], benchmarks[i].name) != 0)
			continue;
		run_cnt++;
		bad |= run(&benchmarks[i], wanted[0] ? wanted : benchmarks[i].millions);
	}
	return run_cnt ? bad : run_file(argv[1]);
}
