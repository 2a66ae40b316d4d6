/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspd: the recorder. Runs under systemd, by hand (--foreground), or for one rspctl (--private-fd).
 * Exit status: 0 · 1 failure · 2 usage · 4 denied.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <getopt.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "api.h"
#include "config.h"
#include "recorder.h"

#define DEFAULT_SOCKET "/run/rsp/rspd.sock"
#define DEFAULT_BTF    "/sys/kernel/btf/vmlinux"

/* Minutes of a quiet machine, some ten seconds of a busy one. */
#define DEFAULT_WINDOW_BYTES (64UL << 20)
#define DEFAULT_RING_BYTES   (4UL << 20)
#define DEFAULT_TABLE_BYTES  (32UL << 20) /* all that a server runs; its largest program has 20 */
#define DEFAULT_SAMPLE_HZ    99 /* not a divisor of common timer rates, so as not to run in step */

enum { EXIT_USAGE = 2, EXIT_DENIED = 4 };

struct options {
	struct rsp_recorder_options recorder;
	const char *socket;
	int private_fd;
	bool check;
	bool debug;
};

/* JOURNAL_STREAM is inherited by what we are not the only one to start: it must name our stderr. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, ino;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &dev, &ino) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == dev && st.st_ino == ino;
}

/* The journal takes the level from a prefix; a reader would rather have the name. */
__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
	va_list ap;

	fputs(stderr_is_journal() ? SD_ERR : "rspd: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* --- options ------------------------------------------------------------------------------------
 */

static const char help[] =
	"Usage: rspd [OPTION]…\n"
	"Records why processes wait, into a rolling window in memory; rspctl asks it.\n"
	"\n"
	"      --foreground        run by hand; the same as without, for clarity\n"
	"      --socket=PATH       listen there (" DEFAULT_SOCKET ")\n"
	"      --private-fd=N      serve the connection N only, end with it\n"
	"      --window-size=SIZE  memory for the window (64M); K, M, G are understood\n"
	"      --ring-size=SIZE    kernel ring per CPU, a power of two (4M)\n"
	"      --sample-hz=N       samples per second and CPU (99), 0: none\n"
	"      --net=STEP          how tcp and udp are seen: auto, tracepoint, fentry, kprobe\n"
	"      --btf=PATH          the kernel's types (" DEFAULT_BTF ")\n"
	"      --check             say as JSON what this kernel lets it record, and end\n"
	"      --debug             show what libbpf and the verifier say\n"
	"      --help, --version\n";

/* "64M" -> bytes; -EINVAL for nonsense, zero or more than 64 bits. */
static int parse_size(const char *s, size_t *ret)
{
	static const char units[] = "KMG";
	unsigned long long n;
	const char *unit;
	char *end;

	errno = 0;
	n = strtoull(s, &end, 10);
	if (errno || end == s || *s == '-' || !n)
		return -EINVAL;
	if (*end) {
		unit = strchr(units, *end);
		if (!unit || end[1])
			return -EINVAL;
		for (const char *u = units; u <= unit; u++)
			if (__builtin_mul_overflow(n, 1024ULL, &n))
				return -EINVAL;
	}
	*ret = n;
	return 0;
}

static int parse_number(const char *s, int max, int *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (errno || end == s || *end || n < 0 || n > max)
		return -EINVAL;
	*ret = (int)n;
	return 0;
}

static bool is_ring_size(size_t bytes)
{
	return bytes >= 65536 && bytes <= 1UL << 30 && (bytes & (bytes - 1)) == 0;
}

enum {
	OPT_FOREGROUND = 256,
	OPT_SOCKET,
	OPT_PRIVATE_FD,
	OPT_WINDOW_SIZE,
	OPT_RING_SIZE,
	OPT_SAMPLE_HZ,
	OPT_NET,
	OPT_BTF,
	OPT_CHECK,
	OPT_DEBUG,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{"foreground", no_argument, NULL, OPT_FOREGROUND},
	{"socket", required_argument, NULL, OPT_SOCKET},
	{"private-fd", required_argument, NULL, OPT_PRIVATE_FD},
	{"window-size", required_argument, NULL, OPT_WINDOW_SIZE},
	{"ring-size", required_argument, NULL, OPT_RING_SIZE},
	{"sample-hz", required_argument, NULL, OPT_SAMPLE_HZ},
	{"net", required_argument, NULL, OPT_NET},
	{"btf", required_argument, NULL, OPT_BTF},
	{"check", no_argument, NULL, OPT_CHECK},
	{"debug", no_argument, NULL, OPT_DEBUG},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

/* 0, or -EINVAL for a value that makes no sense. */
static int take_option(struct options *opt, int c)
{
	struct rsp_recorder_options *rec = &opt->recorder;
	int n, r;

	switch (c) {
	case OPT_FOREGROUND:
		return 0;
	case OPT_SOCKET:
		opt->socket = optarg;
		return *optarg ? 0 : -EINVAL;
	case OPT_PRIVATE_FD:
		return parse_number(optarg, 65535, &opt->private_fd);
	case OPT_WINDOW_SIZE:
		r = parse_size(optarg, &rec->window_bytes);
		return r == 0 && rec->window_bytes < 1UL << 20 ? -EINVAL : r;
	case OPT_RING_SIZE:
		r = parse_size(optarg, &rec->capture.ring_bytes);
		return r == 0 && !is_ring_size(rec->capture.ring_bytes) ? -EINVAL : r;
	case OPT_SAMPLE_HZ:
		r = parse_number(optarg, 10000, &n);
		if (r == 0)
			rec->capture.sample_hz = (unsigned int)n;
		return r;
	case OPT_NET:
		return rsp_net_step_parse(optarg, &rec->capture.net);
	case OPT_BTF:
		rec->capture.btf_path = optarg;
		return 0;
	case OPT_CHECK:
		opt->check = true;
		return 0;
	case OPT_DEBUG:
		opt->debug = true;
		return 0;
	default:
		return -EINVAL;
	}
}

/* -1: go on; else the exit status. */
static int parse_options(int argc, char **argv, struct options *opt)
{
	int c, index = 0;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "", long_options, &index)) >= 0) {
		if (c == OPT_HELP || c == OPT_VERSION) {
			printf(c == OPT_HELP ? "%s" : "rspd %s\n",
			       c == OPT_HELP ? help : RSP_VERSION);
			return EXIT_SUCCESS;
		}
		if (c == '?') {
			complain("unknown or incomplete option '%s': see 'rspd --help'",
				 argv[optind - 1]);
			return EXIT_USAGE;
		}
		if (take_option(opt, c) < 0) {
			complain("--%s=%s makes no sense: see 'rspd --help'",
				 long_options[index].name, optarg);
			return EXIT_USAGE;
		}
	}
	if (optind < argc) {
		complain("'%s' is no option: see 'rspd --help'", argv[optind]);
		return EXIT_USAGE;
	}
	return -1;
}

/* --- running -------------------------------------------------------------------------------------
 */

static int quiet(enum libbpf_print_level level, const char *format, va_list ap)
{
	return 0;
}

/* One line on what was chosen for each ability. */
static void announce(const struct rsp_status *status)
{
	fputs("rspd: recording", stderr);
	for (size_t i = 0; i < status->ability_cnt; i++)
		fprintf(stderr, "%s %s=%s", i ? "," : ":", status->abilities[i].name,
			status->abilities[i].chosen);
	fputc('\n', stderr);
}

static int print_check(struct rsp_recorder *rec)
{
	struct json_object *root = json_object_new_object(), *abilities;
	struct rsp_status status;

	rsp_recorder_ops.get_status(rec, &status);
	abilities = rsp_abilities_to_json(status.abilities, status.ability_cnt);
	if (root && abilities)
		json_object_object_add(root, "abilities", abilities);
	puts(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
	json_object_put(root);
	return EXIT_SUCCESS;
}

/* An errno as systemd and rspctl read it. */
static int exit_status(int r)
{
	if (r == -EPERM || r == -EACCES)
		return EXIT_DENIED;
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int open_api(struct rsp_api *api, const struct options *opt)
{
	int r;

	if (opt->private_fd >= 0)
		r = rsp_api_adopt(api, opt->private_fd);
	else
		r = rsp_api_listen(api, opt->socket);
	if (r == -EADDRINUSE)
		complain("another rspd serves %s: stop it, or give this one another --socket",
			 opt->socket);
	else if (r < 0 && opt->private_fd >= 0)
		complain("cannot serve descriptor %d: %s", opt->private_fd, strerror(-r));
	else if (r < 0)
		complain("cannot listen at %s: %s", opt->socket, strerror(-r));
	return exit_status(r);
}

static int serve(sd_event *event, struct rsp_recorder *rec, struct rsp_api *api)
{
	struct rsp_status status;
	int r;

	rsp_recorder_ops.get_status(rec, &status);
	announce(&status);
	sd_notify(0, "READY=1");
	r = sd_event_loop(event);
	sd_notify(0, "STOPPING=1");
	if (r < 0)
		complain("the event loop ended: %s", strerror(-r));
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int start(struct rsp_recorder *rec, const struct options *opt)
{
	const char *why;
	int r;

	if (access(opt->recorder.capture.btf_path, R_OK) < 0) {
		complain("no kernel types (BTF) at %s: this kernel needs CONFIG_DEBUG_INFO_BTF=y",
			 opt->recorder.capture.btf_path);
		return EXIT_FAILURE;
	}
	r = rsp_recorder_start(rec, &why);
	if (r < 0)
		complain("cannot record (%s): %s", strerror(-r), why);
	return exit_status(r);
}

/*
 * Whatever goes wrong must not take the machine with it. Beyond what is mapped by now: the window,
 * what is wasted between its parts of many sizes, and in the child that freezes it a copy of its
 * state and the kernel's symbols. Not bounded by this are the rings, which never grow.
 */
static void limit_memory(size_t window_bytes)
{
	unsigned long long data_pages = 0, wanted;
	struct rlimit limit;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return;
#ifdef __SANITIZE_ADDRESS__ /* holds on to what was freed */
	window_bytes += 1UL << 40;
#endif
	if (fscanf(f, "%*u %*u %*u %*u %*u %llu", &data_pages) == 1 &&
	    getrlimit(RLIMIT_DATA, &limit) == 0) {
		wanted = data_pages * (unsigned long long)sysconf(_SC_PAGESIZE) +
			 3ULL * window_bytes + (256ULL << 20);
		if (wanted < limit.rlim_cur)
			limit.rlim_cur = wanted;
		setrlimit(RLIMIT_DATA, &limit);
	}
	fclose(f);
}

/* Three descriptors per CPU: the default of 1024 ends at some 300 of them. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Signals end the loop, so that whatever was made is unmade in order. */
static int make_loop(sd_event **ret)
{
	sigset_t mask;
	int r;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN);
	r = sd_event_default(ret);
	if (r >= 0)
		r = sd_event_add_signal(*ret, NULL, SIGTERM, NULL, NULL);
	if (r >= 0)
		r = sd_event_add_signal(*ret, NULL, SIGINT, NULL, NULL);
	return r < 0 ? r : 0;
}

/* The socket is taken before recording begins: a second rspd costs nothing and disturbs nothing. */
static int run(sd_event *event, const struct options *opt)
{
	struct rsp_recorder *rec = NULL;
	struct rsp_api *api = NULL;
	int status = EXIT_FAILURE;

	if (rsp_recorder_new(event, &opt->recorder, &rec) < 0 ||
	    rsp_api_new(event, &rsp_recorder_ops, rec, &api) < 0)
		complain("out of memory");
	else
		status = opt->check ? EXIT_SUCCESS : open_api(api, opt);
	if (status == EXIT_SUCCESS)
		status = start(rec, opt);
	if (status == EXIT_SUCCESS)
		status = opt->check ? print_check(rec) : serve(event, rec, api);
	rsp_api_free(api);
	rsp_recorder_free(rec);
	return status;
}

int main(int argc, char **argv)
{
	struct options opt = {
		.recorder = {.capture = {.btf_path = DEFAULT_BTF,
					 .ring_bytes = DEFAULT_RING_BYTES,
					 .sample_hz = DEFAULT_SAMPLE_HZ,
					 .table_bytes = DEFAULT_TABLE_BYTES},
			     .window_bytes = DEFAULT_WINDOW_BYTES},
		.socket = DEFAULT_SOCKET,
		.private_fd = -1,
	};
	sd_event *event = NULL;
	int status, r;

	status = parse_options(argc, argv, &opt);
	if (status >= 0)
		return status;
	if (!opt.debug)
		libbpf_set_print(quiet);
	/* A fixed threshold: freed buffers go back to the kernel, not into gaps of the heap. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	limit_memory(opt.recorder.window_bytes);
	allow_descriptors();
	r = make_loop(&event);
	if (r < 0) {
		complain("cannot make an event loop: %s", strerror(-r));
		return EXIT_FAILURE;
	}
	status = run(event, &opt);
	sd_event_unref(event);
	return status;
}
