/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations for all verbs of rspctl: options, exit statuses and error messages. */
#ifndef RSP_CLI_RSPCTL_H
#define RSP_CLI_RSPCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/diff/diff.h"
#include "lib/flame/flame.h"
#include "lib/report/report.h"

enum rsp_exit {
	RSP_EXIT_OK = 0,
	RSP_EXIT_FAILURE = 1, /* or nothing found */
	RSP_EXIT_USAGE = 2,
	RSP_EXIT_LOSSY = 3, /* the report is printed, but records are missing */
	RSP_EXIT_DENIED = 4,
	RSP_EXIT_NO_DAEMON = 5,
};

enum rsp_json_mode {
	RSP_JSON_OFF,
	RSP_JSON_SHORT,
	RSP_JSON_PRETTY,
};

#define RSP_DEBUG_DIRS_MAX 32

struct rsp_options {
	const char *socket; /* of the recorder */
	const char *store;  /* directory of the snapshots */
	const char *output; /* file to save to; NULL: not given */
	const char *html;   /* file for a page of pictures, in addition to the report; NULL: none */
	enum rsp_view view;
	enum rsp_json_mode json;
	bool legend;
	bool all;	  /* status: also print how the service records */
	size_t chain_max; /* 0: the default of the view */
	pid_t pid;	  /* 0: not given */
	bool whole;	  /* explain the whole snapshot */
	/* NULL: not given */
	const char *unit, *cgroup, *comm, *container;
	unsigned int port;	 /* 0: not given */
	size_t slowest;		 /* number of slowest requests to explain */
	bool openmetrics;	 /* requests: print histograms of latencies */
	uint64_t slower_than_ns; /* requests that took longer are slow; 0: the slowest 1 % */
	bool of_target;		 /* report only about the snapshot's process of interest */
	/* show all processes of a recorded command's snapshot, not only the command */
	bool all_processes;
	bool spanned; /* the span was given with options */
	uint64_t last_ns, after_ns;
	uint64_t since_ns, until_ns; /* CLOCK_MONOTONIC; 0: not given */
	bool wants_help, wants_version;
	enum rsp_profile_kind kind;
	bool has_kind;	    /* --kind was given */
	const char *format; /* format of a document; NULL: not given */
	const char *title;  /* NULL: not given */
	bool per_thread, inverted;
	double min_width; /* pixels */
	enum rsp_flame_colours colours;
	bool no_pager;
	const char *host;	/* host that runs the verb; NULL: this host */
	bool open;		/* show the page in a browser */
	unsigned int http_port; /* serve: port; 0: any free port */
	bool once;		/* top: print text, and exit */
	uint64_t interval_ns;	/* top: time between refreshes; 0: not given */
	const char *debug_dirs[RSP_DEBUG_DIRS_MAX];
	size_t debug_dir_cnt;
	/*
	 * util, flame: duration of the recording from now on; pause: duration of the pause; 0: not
	 * given
	 */
	uint64_t for_ns;
	bool syscalls;	    /* count system calls */
	bool by_cpu;	    /* show tasks on each CPU */
	__u32 memory_kinds; /* run: set of enum rsp_memory_kind */
	char **command;	    /* the part of args after "--"; NULL: there is no "--" */
	char **args;	    /* arguments after the verb; NULL-terminated */
	int arg_cnt;
	int before_cnt; /* number of args before "--"; 0: no "--" after an argument */
	enum rsp_diff_basis basis;
	/* diff: the moment that divides a recording into two parts; NULL: not given */
	const char *at;
	bool bottom_up;
	const char *function; /* NULL: not given */
};

/*
 * The verbs. Each returns an enum rsp_exit. If the result is not 0, the verb has reported the
 * error.
 */
int rsp_verb_run(const struct rsp_options *opt);
int rsp_verb_snapshot(const struct rsp_options *opt);
int rsp_verb_report(const struct rsp_options *opt);
int rsp_verb_requests(const struct rsp_options *opt);
int rsp_verb_export(const struct rsp_options *opt);
int rsp_verb_diff(const struct rsp_options *opt);
int rsp_verb_callgraph(const struct rsp_options *opt);
int rsp_verb_util(const struct rsp_options *opt);
int rsp_verb_html(const struct rsp_options *opt);
int rsp_verb_flame(const struct rsp_options *opt);
int rsp_verb_merge(const struct rsp_options *opt);
int rsp_verb_fleet(const struct rsp_options *opt);
int rsp_verb_symbolize(const struct rsp_options *opt);
int rsp_verb_top(const struct rsp_options *opt);
int rsp_verb_serve(const struct rsp_options *opt);
int rsp_verb_slo(const struct rsp_options *opt);
int rsp_verb_trigger(const struct rsp_options *opt);
int rsp_verb_mark(const struct rsp_options *opt);
int rsp_verb_pause(const struct rsp_options *opt);
int rsp_verb_resume(const struct rsp_options *opt);
int rsp_verb_list(const struct rsp_options *opt);
int rsp_verb_info(const struct rsp_options *opt);
int rsp_verb_delete(const struct rsp_options *opt);
int rsp_verb_status(const struct rsp_options *opt);
int rsp_verb_summary(const struct rsp_options *opt);
int rsp_verb_metrics(const struct rsp_options *opt);
int rsp_verb_doctor(const struct rsp_options *opt);

/*
 * Prints "rspctl: …" on stderr. In the format, %m is strerror(-error). Returns the exit status that
 * belongs to error, a -errno.
 */
int rsp_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a warning or a note as "rspctl: …" on stderr. */
void rsp_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
