/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder tells an administrator: entries of the journal with fields of their own, or
 * lines on stderr where that is no journal. Each kind of entry has a MESSAGE_ID, which
 * systemd/rsp.catalog explains.
 */
#ifndef RSP_DAEMON_JOURNAL_H
#define RSP_DAEMON_JOURNAL_H

#include <sys/types.h>
#include <syslog.h>

enum rsp_message {
	RSP_MSG_PLAIN,	 /* without an ID */
	RSP_MSG_STARTED, /* recording began */
	RSP_MSG_STOPPED,
	RSP_MSG_SNAPSHOT,	 /* one was stored */
	RSP_MSG_SNAPSHOT_FAILED, /* an SLO's, or one to be stored */
	RSP_MSG_BREACH,		 /* an SLO was breached, a snapshot will follow */
	RSP_MSG_LOST,		 /* records were lost */
	RSP_MSG_SHED,		 /* the budget was passed, something is left out */
	RSP_MSG_RECOVERED,	 /* nothing is left out any more */
	RSP_MSG_CONFIG,		 /* a problem in a configuration file */
	RSP_MSG_RELOADED,
	RSP_MSG_DENIED, /* somebody asked for what is not theirs */
	RSP_MSG_WORKER_FAILED,
	RSP_MSG_DELETED,   /* somebody deleted a snapshot */
	RSP_MSG_LOG_LEVEL, /* somebody changed what is logged */
	RSP_MSG_CNT,
};

/* Fields beside MESSAGE=, MESSAGE_ID=, PRIORITY=; what is NULL or 0 is left out. */
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
	uid_t *uid;				   /* RSP_UID=: who asked */
};

/* Once, first of all: whether stderr is the journal. */
void rsp_journal_init(void);

/* priority: LOG_ERR … LOG_DEBUG. */
void rsp_log(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rsp_journal(enum rsp_message message, int priority, const struct rsp_journal_fields *fields,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * What LogControl1 sets: entries less urgent than this are dropped. Default: LOG_INFO. Not those
 * that say who did something, or asked for what they may not: nobody covers tracks by lowering it.
 */
void rsp_journal_set_max_level(int priority);
int rsp_journal_max_level(void);

/* "journal", or "console": stderr. */
const char *rsp_journal_target(void);

#endif
