/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-model [STREAM [MILLIONS]]: how much time and memory an explanation takes. Makes up streams
 * of 1, 5 and 20 million records (streams.h), and has each made into a trace, a model and an
 * explanation, in a process of its own. Prints `name: value unit (what it is compared with)`. Times
 * are CPU times, so that a busy machine does not matter much. Exit status 1 if one does not end
 * within bounds. Nothing of capture, snapshot files or reports is in it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/model/explain.h"
#include "lib/model/model.h"
#include "streams.h"

/* What nobody waits for, and no machine has to spare: far above what any of these takes. */
#define CPU_MAX_S	 300
#define MEMORY_MAX_BYTES (12ULL << 30)

static const struct benchmark {
	const char *name;
	void (*play)(struct stream *s);
	unsigned int
		millions[4]; /* of events, until a 0; the first is what others are compared with */
} benchmarks[] = {
	{"service", service_play, {1, 5, 20}},
	{"service-threads", service_play_threads, {1, 5, 20}},
	{"storm", storm_play, {1, 5}},
	{"storm-threads", storm_play_threads, {1, 5}},
	{"storm-nonsense", storm_play_nonsense, {1, 5}},
};
#define BENCHMARK_CNT (sizeof(benchmarks) / sizeof(benchmarks[0]))

enum stage { TRACE, MODEL, EXPLANATION, STAGES };
static const char *const stage_names[STAGES] = {"trace", "model", "explanation"};

struct result {
	double stage_ns[STAGES]; /* these three per event */
	double record_bytes;
	double peak_bytes; /* beside the records */
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

/* An explanation makes its own model: the time of a model alone is taken off. */
static void explain(const struct stream *s, struct result *ret)
{
	struct rsp_explanation *e;
	struct rsp_snapshot snap;
	struct rsp_section section;
	struct rsp_trace *trace;
	struct rsp_model *model;
	double begin = peak_bytes(), t[STAGES + 1], events = (double)s->event_cnt;

	stream_snapshot(s, &section, &snap);
	t[0] = cpu_ns();
	if (rsp_trace_new(&snap, &trace))
		errx(1, "no trace");
	t[1] = cpu_ns();
	if (rsp_model_new(trace, &model))
		errx(1, "no model");
	t[2] = cpu_ns();
	rsp_model_free(model);
	if (rsp_explain(trace, &e))
		errx(1, "no explanation");
	t[3] = cpu_ns();
	check_sum(e);
	*ret = (struct result){
		.stage_ns = {(t[1] - t[0]) / events, (t[2] - t[1]) / events,
			     (t[3] - t[2] - (t[2] - t[1])) / events},
		.record_bytes = (double)s->len / events,
		.peak_bytes = (peak_bytes() - begin) / events,
		.accounted_pct = rsp_explanation_accounted_pct(e),
		.chain_cnt = e->chain_cnt,
	};
	rsp_explanation_free(e);
	rsp_trace_free(trace);
}

static void bound(void)
{
	struct rlimit cpu = {CPU_MAX_S, CPU_MAX_S};
	struct rlimit memory = {MEMORY_MAX_BYTES, MEMORY_MAX_BYTES};

	if (setrlimit(RLIMIT_CPU, &cpu) || setrlimit(RLIMIT_AS, &memory))
		err(1, "setrlimit");
}

static void play(const struct benchmark *b, unsigned int millions, struct result *ret)
{
	struct stream s;

	bound();
	stream_init(&s, millions * 1000000UL);
	b->play(&s);
	explain(&s, ret);
	stream_done(&s);
}

/* In a process of its own, whose memory begins small. 0, or -1 if it did not end well. */
static int measure(const struct benchmark *b, unsigned int millions, struct result *ret)
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
		play(b, millions, ret);
		_exit(write(fds[1], ret, sizeof(*ret)) != sizeof(*ret));
	}
	close(fds[1]);
	n = read(fds[0], ret, sizeof(*ret));
	close(fds[0]);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "waitpid");
	return n == sizeof(*ret) && status == 0 ? 0 : -1;
}

static void print(const char *name, unsigned int millions, const struct result *r,
		  const struct result *first)
{
	double ns = r->stage_ns[MODEL] + r->stage_ns[EXPLANATION];
	int i;

	for (i = 0; i < STAGES; i++)
		printf("%s_%uM_%s: %.1f ns/event (%.2f times that of the first size)\n", name,
		       millions, stage_names[i], r->stage_ns[i],
		       r->stage_ns[i] / first->stage_ns[i]);
	printf("%s_%uM_rate: %.2f M events/s (model and explanation, one core; goal: 10)\n", name,
	       millions, 1000 / ns);
	printf("%s_%uM_memory: %.1f bytes/event (at most at a time, beside records of %.1f; %.2f times "
	       "that of the first size)\n",
	       name, millions, r->peak_bytes, r->record_bytes, r->peak_bytes / first->peak_bytes);
	printf("%s_%uM_chains: %zu chains (%.2f %% of the time accounted for)\n", name, millions,
	       r->chain_cnt, r->accounted_pct);
}

static int run(const struct benchmark *b, const unsigned int *millions)
{
	struct result first = {0}, r;
	size_t i;
	int bad = 0;

	for (i = 0; millions[i]; i++) {
		if (measure(b, millions[i], &r) < 0) {
			printf("%s_%uM: did not end within %d s and %llu GiB\n", b->name,
			       millions[i], CPU_MAX_S, MEMORY_MAX_BYTES >> 30);
			bad = 1;
			continue;
		}
		if (i == 0)
			first = r;
		print(b->name, millions[i], &r, &first);
	}
	return bad;
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
	if (!run_cnt)
		errx(2, "there is no stream '%s'", argv[1]);
	return bad;
}
