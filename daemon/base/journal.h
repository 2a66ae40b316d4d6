/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for administrators: journal entries with their own fields, or lines on stderr if stderr
 * is not the journal. Each kind of entry has a MESSAGE_ID, which systemd/rsp.catalog explains.
 */
#ifndef RSP_DAEMON_JOURNAL_H
#define RSP_DAEMON_JOURNAL_H

#include <sys/types.h>
#include <syslog.h>

enum rsp_message {
	RSP_MSG_PLAIN, /* without an ID */
	RSP_MSG_STARTED,
	RSP_MSG_STOPPED,
	RSP_MSG_SNAPSHOT,
	RSP_MSG_SNAPSHOT_FAILED, /* a snapshot for an SLO or for the store failed */
	RSP_MSG_BREACH,
	RSP_MSG_LOST,
	RSP_MSG_SHED,	   /* rspd leaves out data to stay within its budget */
	RSP_MSG_RECOVERED, /* rspd leaves out no data any more */
	RSP_MSG_CONFIG,	   /* a problem in a configuration file */
	RSP_MSG_RELOADED,
	RSP_MSG_DENIED, /* rspd refused a request, because the user lacks the right */
	RSP_MSG_WORKER_FAILED,
	RSP_MSG_DELETED,
	RSP_MSG_PAUSED, /* a user paused recording, or rspd started with recording paused */
	RSP_MSG_RESUMED,
	RSP_MSG_LOG_LEVEL,
	RSP_MSG_CNT,
};

/*
 * Fields in addition to MESSAGE=, MESSAGE_ID= and PRIORITY=. If a member is NULL or 0, the entry
 * lacks the field.
 */
struct rsp_journal_fields {
	const char *snapshot_id;		   /* RSP_SNAPSHOT_ID= */
	const char *slo;			   /* RSP_SLO= */
	const char *measure;			   /* RSP_MEASURE= */
	const char *path;			   /* RSP_PATH= */
	const char *headline;			   /* RSP_FINDING= */
	const char *config_file;		   /* RSP_CONFIG_FILE= */
	unsigned int config_line;		   /* RSP_CONFIG_LINE= */
	unsigned long long value_ns, threshold_ns; /* RSP_VALUE_USEC=, RSP_THRESHOLD_USEC= */
	unsigned long long lost_cnt;		   /* RSP_LOST= */
	pid_t pid;				   /* OBJECT_PID= */
	uid_t *uid;				   /* RSP_UID=: the user of the request */
};

/* Call it once, before anything else. */
void rsp_journal_init(void);

/* Logs an entry without a MESSAGE_ID. priority: LOG_ERR … LOG_DEBUG. */
void rsp_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rsp_journal(enum rsp_message message, int priority, const struct rsp_journal_fields *fields,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Sets the level of the bus interface LogControl1: less urgent entries are dropped. Entries about
 * refused requests, deletions, pauses and the level itself are always logged, so that nobody can
 * hide them by lowering the level.
 */
void rsp_journal_set_max_level(int priority);
int rsp_journal_max_level(void);

/* Returns "journal", or "console" if messages go to stderr. */
const char *rsp_journal_target(void);

#endif
