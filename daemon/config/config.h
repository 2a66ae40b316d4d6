/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspd.conf and its drop-ins -> what the recorder is to do. Files are found and merged as systemd
 * finds its own (rspd.conf(5)). Knows no recorder: it reads, checks and tells what is wrong where.
 */
#ifndef RSP_DAEMON_CONFIG_H
#define RSP_DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/capture/ability.h"
#include "rsp/slo.h"

#define RSP_SLO_NAME_MAX 64 /* with its NUL; letters, digits, '_', '-' */

/* [SLO "name"] */
struct rsp_slo_config {
	char name[RSP_SLO_NAME_MAX];
	enum rsp_slo_measure measure;

	/* Whose latency: all that are given must fit; none given: anybody's. */
	char unit[256];	  /* "nginx.service"; "": not given */
	char cgroup[512]; /* path from the root of cgroup v2, "/system.slice"; its children too */
	char comm[16];	  /* of the process's main thread or the thread itself */
	pid_t pid;	  /* 0: not given */
	uint16_t port;	  /* REQUEST: local port; 0: not given */

	char function_file[512]; /* FUNCTION: absolute path, and name of the function in it */
	char function_name[256];
	char syscalls[256];		/* WAIT: only in these, by name, separated by spaces */
	enum rsp_slo_resource resource; /* PSI */
	bool full;			/* PSI: all tasks stalled; else some */

	uint64_t threshold_ns;
	uint32_t quantile_ppm; /* 990000: p99 of those within over_ns; 0: a single one is enough */
	uint64_t over_ns;
	uint64_t before_ns, after_ns; /* of the dump, around what breached */
	uint64_t cooldown_ns;	      /* from one dump to the next */

	uint64_t max_use_bytes; /* of its dumps in the store; 0: as the store's */
	uint32_t max_files;
};

struct rsp_config {
	/* [Recorder]: at start only. */
	uint64_t window_bytes, ring_bytes; /* 0: chosen by the number of CPUs */
	uint64_t table_bytes;
	unsigned int sample_hz;
	unsigned int calm_sample_hz; /* where tasks keep the CPU for long; 0: sample_hz */
	enum rsp_net_step net;

	/* [Budget] */
	uint32_t cpu_ppm;  /* share of all CPUs together: 10000 is 1 %; 0: no limit */
	uint32_t time_ppm; /* largest share of the time that is recorded: 1000000 is all */

	/* [Store] */
	uint64_t max_use_bytes, keep_free_bytes;
	uint32_t max_files;

	/* [Access] */
	bool users; /* other users than root and group rsp may ask, for processes of their own */

	struct rsp_slo_config *slos; /* in order of their first mention; names are unique */
	size_t slo_cnt;		     /* at most RSP_SLO_MAX */
};

/*
 * Told of each problem: the value is left at what it was before. file: NULL, line: 0: of no place.
 * text: one sentence, what and what to do, without a full stop.
 */
typedef void (*rsp_config_problem_fn)(const char *file, unsigned int line, const char *text,
				      void *userdata);

/*
 * Reads "rsp/rspd.conf" below the first of dirs (NULL-terminated, most important first, as
 * {"/etc", "/run", "/usr/local/lib", "/usr/lib"}) that has it, then the drop-ins of all of
 * "rsp/rspd.conf.d" in order of their names. Nothing there at all: the defaults. An SLO that lacks
 * something it needs is left out, and told of. 0, and *ret (rsp_config_free), with problem_cnt told
 * in *ret_problem_cnt; -errno: a file that is there cannot be read, also told.
 */
int rsp_config_load(const char *const *dirs, rsp_config_problem_fn problem, void *userdata,
		    struct rsp_config **ret, unsigned int *ret_problem_cnt);
/* One file alone, which must exist. */
int rsp_config_load_file(const char *path, rsp_config_problem_fn problem, void *userdata,
			 struct rsp_config **ret, unsigned int *ret_problem_cnt);
struct rsp_config *rsp_config_free(struct rsp_config *c);

/* What holds where no file says otherwise. NULL: out of memory. */
struct rsp_config *rsp_config_new(void);
/*
 * As if "key=value" stood below "[section]" ("Recorder", "Budget", "Store", "Access"), for options
 * of a command line. 0; -ENOENT: there is no such key; -EINVAL: nothing has changed.
 */
int rsp_config_set(struct rsp_config *c, const char *section, const char *key, const char *value);
/* What the key takes, as "a size from 1M to 64G, as 64M"; NULL: there is no such key. */
const char *rsp_config_wanted(const char *section, const char *key);

/* What of it can only be changed by a restart: calls for each name that differs. */
void rsp_config_needs_restart(const struct rsp_config *now, const struct rsp_config *next,
			      void (*differs)(const char *key));
/* From now on the configuration says of those what the recorder does. */
void rsp_config_keep_until_restart(const struct rsp_config *now, struct rsp_config *next);

/* "request", …, the names used in the file. */
const char *rsp_slo_measure_name(enum rsp_slo_measure measure);

/* "auto", "tracepoint", "fentry", "kprobe"; else -EINVAL. */
int rsp_net_step_parse(const char *name, enum rsp_net_step *ret);

#endif
