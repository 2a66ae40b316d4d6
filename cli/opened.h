/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open snapshot and its records, in the unprivileged process that reads the snapshot. Functions
 * that fail report the error and return an enum rsp_exit.
 */
#ifndef RSP_CLI_OPENED_H
#define RSP_CLI_OPENED_H

#include "cli/rspctl.h"
#include "lib/trace/trace.h"

struct rsp_opened {
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
};

/*
 * Reads the snapshot in fd, and applies --pid, --container and --whole. Without --whole, reads at
 * most the newest events_bytes_max bytes of the events.
 */
int rsp_opened_read(int fd, const char *name, const struct rsp_options *opt,
		    uint64_t events_bytes_max, struct rsp_opened *ret);
void rsp_opened_done(struct rsp_opened *opened);

/*
 * If --comm is given, makes a process of this name the process of interest. If several processes
 * have the name, a note on stderr shows their number and how to choose another one.
 */
int rsp_opened_choose_comm(const struct rsp_opened *opened, const char *name,
			   const struct rsp_options *opt);

/* The processes that a view shows. */
struct rsp_chosen {
	__u32 tgid;	  /* 0: all processes */
	bool descendants; /* also the descendants of tgid */
	const char *comm; /* all processes of this name; NULL: processes of any name */
};

/*
 * --pid, --container, and the options for which the recorder found a process (opt->of_target)
 * choose one process. --comm chooses all processes of a name. Without these options, a view of a
 * recorded command shows the command and its descendants, or all processes if opt->whole or
 * opt->all_processes is set. A view of any other recording shows all processes.
 */
struct rsp_chosen rsp_opened_choose(const struct rsp_opened *opened, const struct rsp_options *opt);

bool rsp_opened_is_lossy(const struct rsp_opened *opened);

/* Reports an error of opening the snapshot called name. */
int rsp_opened_fail_open(int error, const char *name);
/* Reports "cannot VERB NAME: …". */
int rsp_opened_fail(const char *verb, int error, const char *name);
int rsp_opened_fail_absent(const struct rsp_opened *opened, const char *name,
			   const struct rsp_options *opt);

#endif
