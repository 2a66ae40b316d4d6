/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/base/journal.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include "daemon/base/journal-ids.h"
#include "daemon/base/journal.h"

static char sent[32][8192];
static size_t sent_cnt, entry_cnt;

int sd_journal_sendv(const struct iovec *iov, int n)
{
	entry_cnt++;
	sent_cnt = 0;
	for (int i = 0; i < n && i < 32; i++) {
		assert_true(iov[i].iov_len < sizeof(sent[0]));
		memcpy(sent[i], iov[i].iov_base, iov[i].iov_len);
		sent[i][iov[i].iov_len] = '\0';
		sent_cnt++;
	}
	return 0;
}

static const char *field(const char *name)
{
	const char *ret = NULL;
	size_t len = strlen(name);

	for (size_t i = 0; i < sent_cnt; i++) {
		if (strncmp(sent[i], name, len) != 0 || sent[i][len] != '=')
			continue;
		assert_null(ret);
		ret = sent[i] + len + 1;
	}
	return ret;
}

static void assert_field(const char *name, const char *want)
{
	assert_non_null(field(name));
	assert_string_equal(field(name), want);
}

static void stderr_to_journal(void)
{
	char stream[64];
	struct stat st;

	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof(stream), "%llu:%llu", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	rsp_journal_init();
}

static int begin(void **state)
{
	sent_cnt = entry_cnt = 0;
	rsp_journal_set_max_level(LOG_INFO);
	stderr_to_journal();
	return 0;
}

static void test_fields(void **state)
{
	uid_t uid = 0;
	struct rsp_journal_fields f = {
		.snapshot_id = "5f3a",
		.slo = "checkout",
		.measure = "request",
		.path = "/var/lib/rsp/snapshots/5f3a.checkout.rsp",
		.headline = "nginx waited",
		.config_file = "/etc/rsp/rspd.conf",
		.config_line = 7,
		.value_ns = 312000500,
		.threshold_ns = 250000000,
		.lost_cnt = 3,
		.pid = 4711,
		.uid = &uid,
	};

	rsp_journal(RSP_MSG_BREACH, LOG_WARNING, &f, "%s took %d ms", "request", 312);
	assert_int_equal(entry_cnt, 1);
	assert_field("SYSLOG_IDENTIFIER", "rspd");
	assert_field("PRIORITY", "4");
	assert_field("MESSAGE_ID", RSP_ID_BREACH);
	assert_field("MESSAGE", "request took 312 ms");
	assert_field("RSP_SNAPSHOT_ID", f.snapshot_id);
	assert_field("RSP_SLO", f.slo);
	assert_field("RSP_MEASURE", f.measure);
	assert_field("RSP_PATH", f.path);
	assert_field("RSP_FINDING", f.headline);
	assert_field("RSP_CONFIG_FILE", f.config_file);
	assert_field("RSP_CONFIG_LINE", "7");
	assert_field("RSP_VALUE_USEC", "312000");
	assert_field("RSP_THRESHOLD_USEC", "250000");
	assert_field("RSP_LOST", "3");
	assert_field("OBJECT_PID", "4711");
	assert_field("RSP_UID", "0");
	assert_int_equal(sent_cnt, 16);
}

static void test_absent_fields(void **state)
{
	rsp_journal(RSP_MSG_STARTED, LOG_INFO, &(struct rsp_journal_fields){.slo = ""},
		    "recording");
	assert_int_equal(sent_cnt, 4);
	rsp_log(LOG_ERR, "cannot");
	assert_int_equal(sent_cnt, 3);
	assert_null(field("MESSAGE_ID"));
	assert_field("PRIORITY", "3");
}

static void test_every_message_has_its_id(void **state)
{
	char ids[RSP_MSG_CNT][33] = {0};

	for (int m = RSP_MSG_PLAIN + 1; m < RSP_MSG_CNT; m++) {
		rsp_journal((enum rsp_message)m, LOG_ERR, NULL, "x");
		assert_non_null(field("MESSAGE_ID"));
		assert_int_equal(strlen(field("MESSAGE_ID")), 32);
		strcpy(ids[m], field("MESSAGE_ID"));
		for (int before = 0; before < m; before++)
			assert_string_not_equal(ids[before], ids[m]);
	}
}

static void test_untrusted_text(void **state)
{
	static const char evil[] = "a\nMESSAGE=b\n\nPRIORITY=0\x1b[2J\x9b\xff";
	struct rsp_journal_fields f = {.headline = evil, .slo = evil, .path = evil};

	rsp_journal(RSP_MSG_SNAPSHOT, LOG_INFO, &f, "of %s", evil);
	assert_field("MESSAGE", "of a?MESSAGE=b??PRIORITY=0?[2J??");
	assert_field("RSP_FINDING", "a?MESSAGE=b??PRIORITY=0?[2J??");
	assert_field("RSP_SLO", "a?MESSAGE=b??PRIORITY=0?[2J??");
	assert_field("RSP_PATH", "a?MESSAGE=b??PRIORITY=0?[2J??");
	assert_field("PRIORITY", "6");
}

static void test_long(void **state)
{
	static char huge[100000];
	struct rsp_journal_fields f = {.headline = huge, .slo = "x", .path = huge, .lost_cnt = 1};

	memset(huge, 'h', sizeof(huge) - 1);
	rsp_journal(RSP_MSG_SNAPSHOT, LOG_INFO, &f, "%s", huge);
	assert_int_equal(strspn(field("MESSAGE"), "h"), strlen(field("MESSAGE")));
	assert_true(strlen(field("MESSAGE")) >= 1000);
	assert_field("MESSAGE_ID", RSP_ID_SNAPSHOT);
	assert_field("RSP_SLO", "x");
	assert_field("RSP_LOST", "1");
}

static void test_level(void **state)
{
	assert_int_equal(rsp_journal_max_level(), LOG_INFO);
	rsp_log(LOG_DEBUG, "x");
	assert_int_equal(entry_cnt, 0);
	rsp_journal_set_max_level(LOG_DEBUG);
	rsp_log(LOG_DEBUG, "x");
	assert_int_equal(entry_cnt, 1);
	rsp_journal_set_max_level(LOG_ERR);
	rsp_journal(RSP_MSG_LOST, LOG_WARNING, NULL, "x");
	assert_int_equal(entry_cnt, 1);
	rsp_journal_set_max_level(LOG_EMERG);
	rsp_journal(RSP_MSG_LOST, LOG_ERR, NULL, "x");
	assert_int_equal(entry_cnt, 1);
	rsp_journal(RSP_MSG_DENIED, LOG_NOTICE, NULL, "x");
	rsp_journal(RSP_MSG_DELETED, LOG_NOTICE, NULL, "x");
	rsp_journal(RSP_MSG_LOG_LEVEL, LOG_NOTICE, NULL, "x");
	assert_int_equal(entry_cnt, 4);
}

static void log_to_file(const char *text, char *buf, size_t size)
{
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(f);
	assert_true(saved >= 0 && dup2(fileno(f), STDERR_FILENO) >= 0);
	rsp_journal_init();
	rsp_log(LOG_ERR, "%s", text);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	fclose(f);
}

/*
 * A child process of a service inherits JOURNAL_STREAM, but its stderr may be another file. The
 * messages then go to stderr.
 */
static void test_stderr(void **state)
{
	char line[256];

	log_to_file("no\nroom", line, sizeof(line));
	assert_string_equal(line, "rspd: no?room\n");
	assert_int_equal(entry_cnt, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_fields, begin),
		cmocka_unit_test_setup(test_absent_fields, begin),
		cmocka_unit_test_setup(test_every_message_has_its_id, begin),
		cmocka_unit_test_setup(test_untrusted_text, begin),
		cmocka_unit_test_setup(test_long, begin),
		cmocka_unit_test_setup(test_level, begin),
		cmocka_unit_test_setup(test_stderr, begin),
	};

	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
