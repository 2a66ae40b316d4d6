/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See journal.h. Makes text from other programs printable, so that such text can neither look like
 * a separate entry nor control a terminal.
 */
#include "daemon/base/journal.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Leaves the source file and line out of the entries, since these do not help administrators. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include "daemon/base/journal-ids.h"
#include "lib/base/text.h"

#define FIELD_MAX 20

/*
 * An entry has a fixed size, so that reporting a problem needs no memory. Text that does not fit is
 * cut off.
 */
struct entry {
	struct iovec fields[FIELD_MAX];
	size_t cnt;
	char text[8192];
	size_t len;
};

static const char *const message_ids[RSP_MSG_CNT] = {
	[RSP_MSG_STARTED] = RSP_ID_STARTED,   [RSP_MSG_STOPPED] = RSP_ID_STOPPED,
	[RSP_MSG_SNAPSHOT] = RSP_ID_SNAPSHOT, [RSP_MSG_SNAPSHOT_FAILED] = RSP_ID_SNAPSHOT_FAILED,
	[RSP_MSG_BREACH] = RSP_ID_BREACH,     [RSP_MSG_LOST] = RSP_ID_LOST,
	[RSP_MSG_SHED] = RSP_ID_SHED,	      [RSP_MSG_RECOVERED] = RSP_ID_RECOVERED,
	[RSP_MSG_CONFIG] = RSP_ID_CONFIG,     [RSP_MSG_RELOADED] = RSP_ID_RELOADED,
	[RSP_MSG_DENIED] = RSP_ID_DENIED,     [RSP_MSG_WORKER_FAILED] = RSP_ID_WORKER_FAILED,
	[RSP_MSG_DELETED] = RSP_ID_DELETED,   [RSP_MSG_LOG_LEVEL] = RSP_ID_LOG_LEVEL,
	[RSP_MSG_PAUSED] = RSP_ID_PAUSED,     [RSP_MSG_RESUMED] = RSP_ID_RESUMED,
};

static bool to_journal;
static int max_level = LOG_INFO;

/*
 * Compares device and inode, because rspd inherits JOURNAL_STREAM even if its parent has redirected
 * its stderr.
 */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, ino;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &dev, &ino) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == dev && st.st_ino == ino;
}

void rsp_journal_init(void)
{
	to_journal = stderr_is_journal();
}

void rsp_journal_set_max_level(int priority)
{
	max_level = priority;
}

int rsp_journal_max_level(void)
{
	return max_level;
}

const char *rsp_journal_target(void)
{
	return to_journal ? "journal" : "console";
}

__attribute__((format(printf, 2, 0))) static void add_va(struct entry *e, const char *format,
							 va_list ap)
{
	size_t room = sizeof(e->text) - e->len;
	char *text = e->text + e->len;
	int n;

	if (e->cnt == FIELD_MAX || room < 2)
		return;
	n = vsnprintf(text, room, format, ap);
	if (n < 0)
		return;
	rsp_text_clean(text);
	e->fields[e->cnt].iov_base = text;
	e->fields[e->cnt++].iov_len = strlen(text);
	e->len += strlen(text) + 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct entry *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_va(e, format, ap);
	va_end(ap);
}

static void add_string(struct entry *e, const char *name, const char *value)
{
	if (value && *value)
		add(e, "%s=%s", name, value);
}

static void add_number(struct entry *e, const char *name, unsigned long long value)
{
	if (value)
		add(e, "%s=%llu", name, value);
}

/* Long fields come last, since the end of an entry may be cut off. */
static void add_fields(struct entry *e, const struct rsp_journal_fields *f)
{
	if (f->uid)
		add(e, "RSP_UID=%u", *f->uid);
	if (f->pid > 0)
		add_number(e, "OBJECT_PID", (unsigned int)f->pid);
	add_number(e, "RSP_VALUE_USEC", f->value_ns / 1000);
	add_number(e, "RSP_THRESHOLD_USEC", f->threshold_ns / 1000);
	add_number(e, "RSP_LOST", f->lost_cnt);
	add_number(e, "RSP_CONFIG_LINE", f->config_line);
	add_string(e, "RSP_SNAPSHOT_ID", f->snapshot_id);
	add_string(e, "RSP_SLO", f->slo);
	add_string(e, "RSP_MEASURE", f->measure);
	add_string(e, "RSP_CONFIG_FILE", f->config_file);
	add_string(e, "RSP_PATH", f->path);
	add_string(e, "RSP_FINDING", f->headline);
}

static void send_entry(enum rsp_message message, int priority, const struct rsp_journal_fields *f,
		       const char *text)
{
	struct entry e = {.cnt = 0};

	add(&e, "SYSLOG_IDENTIFIER=rspd");
	add(&e, "PRIORITY=%d", priority);
	add_string(&e, "MESSAGE_ID", message_ids[message]);
	add(&e, "MESSAGE=%s", text);
	if (f)
		add_fields(&e, f);
	sd_journal_sendv(e.fields, (int)e.cnt);
}

static bool is_evidence(enum rsp_message message)
{
	return message == RSP_MSG_DENIED || message == RSP_MSG_DELETED ||
	       message == RSP_MSG_PAUSED || message == RSP_MSG_RESUMED ||
	       message == RSP_MSG_LOG_LEVEL;
}

__attribute__((format(printf, 4, 0))) static void
log_message(enum rsp_message message, int priority, const struct rsp_journal_fields *fields,
	    const char *format, va_list ap)
{
	char text[4096];

	if (priority > max_level && !is_evidence(message))
		return;
	if (vsnprintf(text, sizeof(text), format, ap) < 0)
		return;
	rsp_text_clean(text);
	if (to_journal)
		send_entry(message, priority, fields, text);
	else
		fprintf(stderr, "rspd: %s\n", text);
}

void rsp_log(int priority, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	log_message(RSP_MSG_PLAIN, priority, NULL, format, ap);
	va_end(ap);
}

void rsp_journal(enum rsp_message message, int priority, const struct rsp_journal_fields *fields,
		 const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	log_message(message, priority, fields, format, ap);
	va_end(ap);
}
