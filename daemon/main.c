/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspd, the recorder, runs under systemd, by hand (--foreground), or for one rspctl (--private-fd).
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/api/status-json.h"
#include "daemon/base/clock.h"
#include "daemon/base/forbidden.h"
#include "daemon/base/journal.h"
#include "daemon/base/privileges.h"
#include "daemon/bus/bus.h"
#include "daemon/config/sizes.h"
#include "daemon/guests.h"
#include "daemon/recorder.h"
#include "daemon/service.h"
#include "daemon/settings.h"
#include "lib/base/json.h"

/* --- running ---------------------------------------------------------------------------------- */

#define AWAKE_MAX_NS 200000000ULL
#define REST_NS	     1000000

/*
 * Maximum number of failures in a row for lack of memory. The loop sleeps for REST_NS after each.
 */
#define SHORT_MAX 2000

static int discard_message(enum libbpf_print_level level, const char *format, va_list ap)
{
	return 0;
}

static void announce(const struct rsp_status *status)
{
	char line[1024] = "";
	size_t len = 0;

	for (size_t i = 0; i < status->ability_cnt && len < sizeof(line); i++)
		len += (size_t)snprintf(line + len, sizeof(line) - len, "%s %s=%s", i ? "," : ":",
					status->abilities[i].name, status->abilities[i].chosen);
	rsp_journal(RSP_MSG_STARTED, LOG_INFO, NULL, "recording%s", line);
	for (size_t i = 0; i < status->ability_cnt; i++)
		if (!status->abilities[i].ok)
			rsp_log(LOG_WARNING, "not recorded in full: %s: %s",
				status->abilities[i].name, status->abilities[i].why);
}

static int check_config(const struct rsp_options *opt)
{
	struct rsp_config *config = NULL;
	unsigned int problem_cnt;
	int r = rsp_settings_load(opt, &config, &problem_cnt);

	if (r == 0 && !problem_cnt)
		printf("The configuration is fine: %zu SLOs.\n", config->slo_cnt);
	rsp_config_free(config);
	return r < 0 || problem_cnt ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int fill_check(struct json_object *o, const void *from)
{
	const struct rsp_status *status = from;

	return rsp_json_add(o, "abilities",
			    rsp_abilities_to_json(status->abilities, status->ability_cnt));
}

static int print_check(struct rsp_recorder *rec)
{
	_cleanup_json_ struct json_object *root = NULL;
	struct rsp_status status;
	const char *text = NULL;
	size_t len;

	rsp_recorder_ops.get_status(rec, &status);
	root = rsp_json_object_of(fill_check, &status);
	if (root)
		text = json_object_to_json_string_length(root, JSON_C_TO_STRING_PRETTY, &len);
	if (!text)
		return EXIT_FAILURE;
	rsp_json_put(text, len, 0, stdout);
	putchar('\n');
	return EXIT_SUCCESS;
}

static int exit_status(int r)
{
	if (r == -EPERM || r == -EACCES)
		return RSP_EXIT_DENIED;
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int listen_at(struct rsp_api *api, const struct rsp_options *opt)
{
	int fd = -1, r = rsp_service_socket(&fd);

	if (r < 0)
		rsp_log(LOG_ERR,
			"the service manager passed a descriptor that is not a listening socket");
	else if (r > 0)
		r = rsp_api_listen_fd(api, fd);
	else
		r = rsp_api_listen(api, opt->socket);
	if (r == -EADDRINUSE)
		rsp_log(LOG_ERR,
			"another rspd serves %s: stop it, or give this one another --socket",
			opt->socket);
	else if (r < 0 && fd < 0)
		rsp_log(LOG_ERR, "cannot listen at %s: %s", opt->socket, strerror(-r));
	return r;
}

static int open_api(struct rsp_api *api, const struct rsp_options *opt)
{
	int r;

	if (opt->private_fd < 0)
		return exit_status(listen_at(api, opt));
	r = rsp_api_adopt(api, opt->private_fd);
	if (r < 0)
		rsp_log(LOG_ERR, "cannot serve descriptor %d: %s", opt->private_fd, strerror(-r));
	return exit_status(r);
}

/* Opens the modules that only a recorder of a whole machine has: SLOs, the bus, reloading. */
static int open_service(sd_event *event, sd_event *guests, struct rsp_reloading *reloading,
			struct rsp_bus **ret_bus)
{
	int r = rsp_recorder_watch_slos(reloading->rec);

	if (r >= 0)
		r = rsp_bus_new(guests, &rsp_recorder_ops, reloading->rec, reloading->opt->store,
				ret_bus);
	if (r >= 0) {
		rsp_recorder_set_bus(reloading->rec, *ret_bus);
		rsp_store_clean(reloading->opt->store);
		r = rsp_settings_reload_on_hangup(event, reloading);
	}
	if (r < 0)
		rsp_log(LOG_ERR, "cannot serve: %s", strerror(-r));
	return exit_status(r);
}

static long sleep_cnt(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) < 0 ? 0 : usage.ru_nvcsw;
}

/*
 * rspd.service gives the event loop a real-time priority. The kernel kills such a process if it
 * runs for LimitRTTIME= without sleeping. So the loop sleeps regularly, even if there is always
 * work.
 */
static int loop(sd_event *event)
{
	__u64 looked_ns = rsp_now_ns();
	long slept_cnt = sleep_cnt();
	unsigned int short_cnt = 0;
	int r = 0, code = 0;

	while (r >= 0 && sd_event_get_state(event) != SD_EVENT_FINISHED) {
		r = sd_event_run(event, UINT64_MAX);
		if (r == -ENOMEM && ++short_cnt < SHORT_MAX) {
			r = 0;
			nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
			continue;
		}
		short_cnt = 0;
		if (rsp_now_ns() - looked_ns < AWAKE_MAX_NS)
			continue;
		if (sleep_cnt() == slept_cnt)
			nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
		looked_ns = rsp_now_ns();
		slept_cnt = sleep_cnt();
	}
	if (r >= 0)
		r = sd_event_get_exit_code(event, &code);
	return r < 0 ? r : code;
}

static int serve(sd_event *event, struct rsp_recorder *rec)
{
	struct rsp_status status;
	int r;

	rsp_recorder_ops.get_status(rec, &status);
	announce(&status);
	rsp_service_ready();
	r = loop(event);
	rsp_service_stopping();
	if (r < 0)
		rsp_log(LOG_ERR, "the event loop ended: %s", strerror(-r));
	else
		rsp_journal(RSP_MSG_STOPPED, LOG_INFO, NULL, "recording ends");
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int start(struct rsp_recorder *rec, const struct rsp_options *opt)
{
	struct rsp_reason why;
	int r;

	if (access(opt->btf_path, R_OK) < 0) {
		rsp_log(LOG_ERR,
			"no kernel types (BTF) at %s: this kernel needs CONFIG_DEBUG_INFO_BTF=y",
			opt->btf_path);
		return EXIT_FAILURE;
	}
	r = rsp_recorder_start(rec, &why);
	if (r < 0)
		rsp_log(LOG_ERR, "cannot record (%s): %s", strerror(-r), why.text);
	return exit_status(r);
}

/*
 * Limits the memory of the process, so that a bug cannot use up the memory of the machine. The
 * limit covers the window, its fragmentation, and the child that freezes the window.
 */
static void limit_memory(size_t bytes)
{
	unsigned long long data_pages = 0, wanted;
	struct rlimit limit;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return;
#ifdef __SANITIZE_ADDRESS__ /* ASan keeps freed memory */
	bytes += 1UL << 40;
#endif
	if (fscanf(f, "%*u %*u %*u %*u %*u %llu", &data_pages) == 1 &&
	    getrlimit(RLIMIT_DATA, &limit) == 0) {
		wanted = data_pages * (unsigned long long)sysconf(_SC_PAGESIZE) + 3ULL * bytes +
			 (256ULL << 20);
		if (wanted < limit.rlim_cur)
			limit.rlim_cur = wanted;
		setrlimit(RLIMIT_DATA, &limit);
	}
	fclose(f);
}

/* Each CPU needs two descriptors, so the default limit of 1024 is too small for 512 CPUs. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int make_loop(sd_event **ret)
{
	sigset_t mask;
	int r;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGHUP);
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

static unsigned int cpu_cnt(void)
{
	long cnt = sysconf(_SC_NPROCESSORS_ONLN);

	return cnt > 0 ? (unsigned int)cnt : 1;
}

static size_t window_bytes(const struct rsp_config *config)
{
	return config->window_bytes ? config->window_bytes : rsp_window_bytes_for(cpu_cnt());
}

static size_t ring_bytes(const struct rsp_config *config)
{
	return config->ring_bytes ? config->ring_bytes : rsp_ring_bytes_for(cpu_cnt());
}

static void set_options(const struct rsp_options *opt, const struct rsp_config *config,
			struct rsp_recorder_options *ret)
{
	*ret = (struct rsp_recorder_options){
		.capture = {.btf_path = opt->btf_path,
			    .net = config->net,
			    .never_pauses = opt->private_fd >= 0,
			    .ring_bytes = ring_bytes(config),
			    .samples = {config->sample_hz, config->calm_sample_hz},
			    .binaries = {.table_budget_bytes = config->table_bytes,
					 .keeps_files = opt->private_fd >= 0}},
		.window_bytes = window_bytes(config),
		.store_dir = opt->store,
		.is_check = opt->check,
		.is_private = opt->private_fd >= 0,
	};
}

/*
 * Lets a recorder that lowers its priority restore it without CAP_SYS_NICE. The limit 20 stands for
 * nice 0.
 */
static void allow_coming_back(void)
{
	const struct rlimit limit = {20, 20};

	setrlimit(RLIMIT_NICE, &limit);
}

/*
 * Writing to the store requires an additional privilege only if root runs rspd by hand and the
 * store belongs to the service's user.
 */
static uint64_t wanted_privileges(const char *store)
{
	struct stat st;

	if (stat(store, &st) == 0 && st.st_uid != geteuid())
		return RSP_PRIVILEGES_RECORD;
	return RSP_PRIVILEGES_RECORD & ~RSP_PRIVILEGES_STORE;
}

/*
 * Takes the socket before recording begins, so that a second rspd ends early. Drops privileges
 * before it accepts requests, but after programs are attached, because some kernels require more
 * privileges for attaching.
 */
static int run(sd_event *event, const struct rsp_options *opt, struct rsp_config *config)
{
	struct rsp_recorder_options rec_opt;
	struct rsp_reloading reloading = {.opt = opt, .now = config};
	struct rsp_guests *guests = NULL;
	struct rsp_api *api = NULL;
	struct rsp_bus *bus = NULL;
	int status = EXIT_FAILURE, r;

	set_options(opt, config, &rec_opt);
	if (rec_opt.is_private)
		allow_coming_back();
	r = rsp_recorder_new(event, &rec_opt, config, &reloading.rec);
	if (r < 0)
		rsp_config_free(config);
	else
		r = rsp_guests_new(event, &guests);
	if (r == 0)
		r = rsp_api_new(event, rsp_guests_event(guests), &rsp_recorder_ops, reloading.rec,
				&api);
	if (r < 0)
		rsp_log(LOG_ERR, "out of memory");
	else
		status = opt->check ? EXIT_SUCCESS : open_api(api, opt);
	if (status == EXIT_SUCCESS)
		status = start(reloading.rec, opt);
	if (status == EXIT_SUCCESS) {
		r = rsp_privileges_keep(wanted_privileges(opt->store));
		if (r < 0)
			rsp_log(LOG_ERR, "cannot give up rights: %s", strerror(-r));
		status = exit_status(r);
	}
	if (status == EXIT_SUCCESS)
		rsp_recorder_set_guests(reloading.rec, guests);
	if (status == EXIT_SUCCESS && opt->private_fd < 0 && !opt->check)
		status = open_service(event, rsp_guests_event(guests), &reloading, &bus);
	if (status == EXIT_SUCCESS)
		status = opt->check ? print_check(reloading.rec) : serve(event, reloading.rec);
	rsp_api_free(api);
	rsp_bus_free(bus);
	rsp_recorder_free(reloading.rec);
	rsp_guests_free(guests);
	return status;
}

int main(int argc, char **argv)
{
	struct rsp_options opt;
	struct rsp_config *config;
	sd_event *event = NULL;
	int status, r;

	rsp_journal_init();
	status = rsp_options_parse(argc, argv, &opt);
	if (status >= 0)
		return status;
	if (opt.check_config)
		return check_config(&opt);
	r = rsp_settings_begin(&opt, &config);
	if (r < 0)
		return exit_status(r);
	rsp_forbidden_init();
	if (!opt.debug)
		libbpf_set_print(discard_message);
	/* With a fixed threshold, malloc() returns large freed buffers to the kernel. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	limit_memory(window_bytes(config));
	allow_descriptors();
	r = make_loop(&event);
	if (r < 0) {
		rsp_config_free(config);
		rsp_log(LOG_ERR, "cannot make an event loop: %s", strerror(-r));
		return EXIT_FAILURE;
	}
	status = run(event, &opt, config);
	sd_event_unref(event);
	return status;
}
