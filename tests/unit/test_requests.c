/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the requests and calls in small stories of sockets (tests/story). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lib/model/requests/requests.h"
#include "lib/model/served/served.h"
#include "tests/story/story.h"

static double ms(__u64 ns)
{
	return ns ? (double)(ns - STORY_BASE_NS) / 1e6 : -1;
}

/*
 * Writes one line per request: "2 5 6 by 10 more" arrived at 2, and was answered from 5 to 6 by
 * thread 10; more data arrived before the answer. -1: unknown.
 */
static void say(FILE *out, const struct rsp_exchange *x)
{
	for (size_t i = 0; i < x->cnt; i++) {
		const struct rsp_served *s = &x->v[i];

		fprintf(out, "%.6g %.6g %.6g by %u%s%s%s%s\n", ms(s->arrival_ns), ms(s->first_ns),
			ms(s->last_ns), s->tid, s->flags & RSP_SERVED_MORE ? " more" : "",
			s->flags & RSP_SERVED_EARLY ? " early" : "",
			s->flags & RSP_SERVED_IN_FLIGHT ? " in-flight" : "",
			s->flags & RSP_SERVED_CLOSED ? " closed" : "");
	}
}

static void say_rows(FILE *out, const struct rsp_exchange *x)
{
	for (size_t i = 0; i < x->rows.cnt; i++) {
		const struct rsp_request_row *row = &x->rows.v[i];

		fprintf(out, "%s %u x%u %s:%u: %zu on %llu%s%s\n", row->comm, row->tgid,
			row->process_cnt, row->path ? row->path->name : "", row->port, row->cnt,
			row->connection_cnt, row->inferred ? " inferred" : "",
			row->server != RSP_NO_ROW ? " here" : "");
	}
}

static void expect(const char *text, const char *served, const char *calls, const char *rows)
{
	struct story *s = story_new(text);
	struct rsp_requests found = {0};
	char *said[3] = {0};
	size_t len;
	FILE *out;

	assert_int_equal(
		rsp_requests_find(s->trace, s->snap.meta.since_ns, s->snap.meta.until_ns, &found),
		0);
	out = open_memstream(&said[0], &len);
	say(out, &found.served);
	fclose(out);
	out = open_memstream(&said[1], &len);
	say(out, &found.calls);
	fclose(out);
	out = open_memstream(&said[2], &len);
	say_rows(out, &found.served);
	say_rows(out, &found.calls);
	fclose(out);
	assert_string_equal(said[0], served);
	assert_string_equal(said[1], calls);
	if (rows)
		assert_string_equal(said[2], rows);
	for (size_t i = 0; i < 3; i++)
		free(said[i]);
	rsp_requests_done(&found);
	story_free(s);
}

#define SERVER                                                                                     \
	"0 window 0 100; 0 alive 10 web; 0 alive 20 curl\n"                                        \
	"0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted\n"                                      \
	"0 socket 72 79 10.0.0.1:80 10.0.0.2:5001 accepted\n"                                      \
	"0 socket 79 77 10.0.0.1:0 10.0.0.2:5000\n" /* a closed socket has no port */

static void test_keep_alive(void **state)
{
	expect(SERVER "1 established 77 70\n"
		      "2 ready 77 70; 5 send 10 77 70 bytes=9; 6 send 10 77 70 bytes=9\n"
		      "10 ready 77 70; 11 send 10 77 70 bytes=9\n"
		      "12 close 77 70; 13 close 77 79",
	       "2 5 6 by 10\n10 11 11 by 10\n", "", "web 10 x1 :80: 2 on 1\n");
}

static void test_more_data(void **state)
{
	expect(SERVER "1 established 77 70; 2 ready 77 70 seq=100; 3 ready 77 70 seq=200\n"
		      "4 ready 77 70 seq=200\n"
		      "5 send 10 77 70 bytes=9; 6 send 10 77 70",
	       "2 5 6 by 10 more\n", "", NULL);
}

static void test_never_answered(void **state)
{
	expect(SERVER "1 established 77 70; 2 ready 77 70 seq=100; 8 close 77 79",
	       "2 -1 -1 by 0 closed\n", "", "? 0 x0 :80: 0 on 1\n");
	/*
	 * An answered request on another connection of the port shows which process serves the
	 * port.
	 */
	expect(SERVER
	       "1 established 77 70; 1 established 79 72\n"
	       "2 ready 77 70 seq=100; 3 ready 79 72; 4 send 10 79 72 bytes=1; 8 close 77 79",
	       "3 4 4 by 10\n2 -1 -1 by 0 closed\n", "", "web 10 x1 :80: 1 on 2\n");
}

static void test_half_closed(void **state)
{
	expect(SERVER
	       "1 established 77 70; 2 ready 77 70 seq=100\n"
	       "3 close 77 70; 3 ready 77 70 seq=101; 9 send 10 77 70 bytes=5; 9.5 close 77 79",
	       "2 9 9 by 10\n", "", NULL);
	expect(SERVER "3 close 77 70; 3 ready 77 70 seq=101; 9 close 77 79", "", "", NULL);
	/* One segment contains the data of a request and the end of the stream. */
	expect(SERVER "1 established 77 70; 3 close 77 70; 3 ready 77 70 seq=300\n"
		      "9 send 10 77 70 bytes=5",
	       "3 9 9 by 10\n", "", NULL);
}

static void test_edges(void **state)
{
	/*
	 * The connection began before the recording, and the server sends data first: this answers
	 * a request whose arrival was not recorded ("early").
	 */
	expect(SERVER "2 send 10 77 70 bytes=5; 3 send 10 77 70 bytes=5\n"
		      "4 ready 77 70; 5 send 10 77 70 bytes=5; 90 ready 77 70",
	       "-1 2 3 by 10 early\n4 5 5 by 10\n90 -1 -1 by 0 in-flight\n", "",
	       "web 10 x1 :80: 1 on 1\n");
	/* On a new connection, data that the server sends first are not an answer. */
	expect(SERVER "1 established 77 70; 2 send 10 77 70 bytes=5", "", "", NULL);
	expect("0 window 10 20 0 end=100\n" SERVER "0 window 10 20 0 end=100\n"
	       "1 established 77 70; 2 ready 77 70; 3 send 10 77 70 bytes=1\n"
	       "9 ready 77 70; 11 send 10 77 70 bytes=1; 19 ready 77 70; 21 send 10 77 70 bytes=1\n"
	       "30 ready 77 70; 31 send 10 77 70 bytes=1",
	       "9 11 11 by 10 early\n19 -1 -1 by 0 in-flight\n", "", NULL);
}

static void test_calls(void **state)
{
	expect("0 window 0 100; 0 alive 10 web; 0 alive 20 redis\n"
	       "0 socket 60 67 10.0.0.1:0 10.0.0.1:6379\n"
	       "0 socket 61 67 10.0.0.1:5000 10.0.0.1:6379 connected\n"
	       "0 socket 62 68 10.0.0.1:6379 10.0.0.1:5000 accepted\n"
	       "1 connect 10 67 60; 2 established 68 62; 2 established 67 61\n"
	       "3 send 10 67 61 bytes=4; 3 ready 68 62; 4 send 20 68 62 bytes=2; 4.5 ready 67 61\n"
	       "4.6 ready 67 61\n"
	       "6 send 10 67 61 bytes=4; 6 send 10 67 61 bytes=4; 6 ready 68 62\n"
	       "7 send 20 68 62 bytes=2; 7.5 ready 67 61; 8 send 10 67 61 bytes=2",
	       "3 4 4 by 20\n6 7 7 by 20\n",
	       "3 4.5 4.5 by 10\n6 7.5 7.5 by 10 more\n8 -1 -1 by 10 in-flight\n",
	       "redis 20 x1 :6379: 2 on 1\nweb 10 x1 :6379: 2 on 1 here\n");
}

/* Recordings of an old version do not show which end of a connection was accepted. */
static void test_inferred(void **state)
{
	static const char ends[] = "0 window 0 100; 0 alive 10 web; 0 alive 20 curl\n"
				   "0 socket 70 77 10.0.0.1:80 10.0.0.2:5000\n"
				   "0 socket 71 78 10.0.0.1:80 10.0.0.2:5001\n"
				   "0 socket 72 79 10.0.0.2:5001 10.0.0.1:80\n";
	char text[1000];

	snprintf(text, sizeof(text), "%s%s", ends,
		 "2 ready 77 70; 3 send 10 77 70 bytes=1; 4 send 20 79 72 bytes=3; 4 ready 78 71\n"
		 "5 send 10 78 71 bytes=1; 5 ready 79 72");
	expect(text, "2 3 3 by 10\n4 5 5 by 10\n", "4 5 5 by 20\n",
	       "web 10 x1 :80: 2 on 2 inferred\ncurl 20 x1 :80: 1 on 1 inferred here\n");
	/* With only one connection, the direction cannot be inferred. */
	expect("0 window 0 100; 0 alive 10 web; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000\n"
	       "2 ready 77 70; 3 send 10 77 70 bytes=1",
	       "", "", "");
}

static void test_reuse(void **state)
{
	expect(SERVER "0 socket 80 77 10.0.0.1:80 10.0.0.2:6000 accepted\n"
		      "1 established 77 70; 2 ready 77 70 seq=100; 3 established 77 80\n"
		      "4 ready 77 80 seq=7; 5 send 10 77 80 bytes=1",
	       "2 -1 -1 by 0 closed\n4 5 5 by 10\n", "", "web 10 x1 :80: 1 on 2\n");
}

/*
 * Sockets 77 and 78 are the two ends of unix connection 5. Objects 30 and 31 are the paths of two
 * listening sockets.
 */
#define UNIX                                                                                       \
	"0 window 0 100; 0 alive 10 postgres; 0 alive 20 psql\n"                                   \
	"0 unix 30 /run/pg.sock; 0 unix 31 @other\n"                                               \
	"0 unixsocket 70 77 78 5 30 accepted; 0 unixsocket 71 78 77 5 30 connected\n"

static void test_unix(void **state)
{
	expect(UNIX
	       "2 send 20 78 71 bytes=4; 2 ready 77 70; 5 send 10 77 70 bytes=9; 5 ready 78 71\n"
	       "7 send 20 78 71 bytes=4; 7 ready 77 70; 8 send 10 77 70 bytes=9; 8 ready 78 71",
	       "2 5 5 by 10\n7 8 8 by 10\n", "2 5 5 by 20\n7 8 8 by 20\n",
	       "postgres 10 x1 /run/pg.sock:0: 2 on 1\npsql 20 x1 /run/pg.sock:0: 2 on 1 here\n");
	/*
	 * The receiver reads each message before its record is made, so no record contains a size.
	 */
	expect(UNIX "2 send 20 78 71; 2 ready 77 70; 5 send 10 77 70; 5 ready 78 71",
	       "2 5 5 by 10\n", "2 5 5 by 20\n", NULL);
	expect(UNIX
	       "2 send 20 78 71 bytes=9; 2 ready 77 70; 3 send 20 78 71 bytes=4; 3 ready 77 70\n"
	       "5 send 10 77 70 bytes=9; 5 ready 78 71; 6 send 10 77 70 bytes=9; 6 ready 78 71",
	       "2 5 6 by 10 more\n", "2 5 5 by 20 more\n", NULL);
}

static void test_unix_paths(void **state)
{
	expect(UNIX "0 unixsocket 72 87 88 6 31 accepted; 0 unixsocket 73 88 87 6 31 connected\n"
		    "2 send 20 78 71; 2 ready 77 70; 5 send 10 77 70; 5 ready 78 71\n"
		    "6 send 20 88 73; 6 ready 87 72; 7 send 10 87 72; 7 ready 88 73",
	       "2 5 5 by 10\n6 7 7 by 10\n", "2 5 5 by 20\n6 7 7 by 20\n",
	       "postgres 10 x1 /run/pg.sock:0: 1 on 1\npostgres 10 x1 @other:0: 1 on 1\n"
	       "psql 20 x1 /run/pg.sock:0: 1 on 1 here\npsql 20 x1 @other:0: 1 on 1 here\n");
	/* The request must not count for the process that serves the first path. */
	expect(UNIX "0 unixsocket 72 87 88 6 31 accepted\n"
		    "2 ready 77 70; 5 send 10 77 70; 6 ready 87 72",
	       "2 5 5 by 10\n6 -1 -1 by 0 in-flight\n", "",
	       "postgres 10 x1 /run/pg.sock:0: 1 on 1\n? 0 x0 @other:0: 0 on 1\n");
}

/* The OBJECT record of a path is lost, or the object is not a path. */
static void test_unix_unknown_path(void **state)
{
	expect("0 window 0 100; 0 alive 10 web; 0 pipe 33; 0 unix 34\n"
	       "0 unixsocket 70 77 78 5 99 accepted; 0 unixsocket 71 87 88 6 33 accepted\n"
	       "0 unixsocket 72 97 98 7 34 accepted\n"
	       "2 ready 77 70; 3 send 10 77 70; 4 ready 87 71; 5 send 10 87 71\n"
	       "6 ready 97 72; 7 send 10 97 72",
	       "2 3 3 by 10\n4 5 5 by 10\n6 7 7 by 10\n", "", "web 10 x1 :0: 3 on 3\n");
}

static void test_unix_reuse(void **state)
{
	expect(UNIX "0 unixsocket 72 77 78 6 30 accepted; 0 unixsocket 73 78 77 6 30 connected\n"
		    "2 send 20 78 71; 2 ready 77 70; 4 send 20 78 73; 4 ready 77 72\n"
		    "5 send 10 77 72; 5 ready 78 73",
	       "2 -1 -1 by 0 closed\n4 5 5 by 10\n", "2 -1 -1 by 20 closed\n4 5 5 by 20\n",
	       "postgres 10 x1 /run/pg.sock:0: 1 on 2\npsql 20 x1 /run/pg.sock:0: 1 on 2 here\n");
}

/* The receiver answers a message before the sender's records appear. */
static void test_unix_late(void **state)
{
	expect(UNIX
	       "1 established 77 70; 2 send 10 77 70 bytes=9; 2 ready 78 71\n"
	       "3 send 20 78 71 late; 3 ready 77 70 late\n"
	       "4 send 20 78 71 bytes=9; 4 ready 77 70; 6 send 10 77 70 bytes=9; 6 ready 78 71\n"
	       "7 send 20 78 71 late; 7 ready 77 70 late; 8 send 10 77 70; 8 ready 78 71",
	       "2 2 2 by 10\n4 6 6 by 10\n7 8 8 by 10\n", "2 2 2 by 20\n4 6 6 by 20\n7 8 8 by 20\n",
	       NULL);
}

/*
 * Only the end that closes first has a CLOSE record. The record ends the pending requests of both
 * ends.
 */
static void test_unix_close(void **state)
{
	expect(UNIX "2 send 20 78 71; 2 ready 77 70; 4 close 78 71", "2 -1 -1 by 0 closed\n",
	       "2 -1 -1 by 20 closed\n", NULL);
	expect(UNIX "2 send 20 78 71; 2 ready 77 70; 4 close 77 70", "2 -1 -1 by 0 closed\n",
	       "2 -1 -1 by 20 closed\n", NULL);
	/*
	 * The peer already has a new connection when the old connection is closed. The close must
	 * not end the request on the new connection.
	 */
	expect(UNIX "0 unixsocket 73 78 79 6 30 connected; 2 send 20 78 73; 3 close 77 70", "",
	       "2 -1 -1 by 20 in-flight\n", NULL);
}

/*
 * On a new connection, data that the server sends first are not an answer. On an older connection,
 * they answer an earlier request.
 */
static void test_unix_greeting(void **state)
{
	expect(UNIX "1 established 77 70; 2 send 10 77 70 bytes=50; 2 ready 78 71\n"
		    "3 send 20 78 71; 3 ready 77 70; 4 send 10 77 70; 4 ready 78 71",
	       "3 4 4 by 10\n", "3 4 4 by 20\n", NULL);
	expect(UNIX "2 send 10 77 70; 2 ready 78 71", "-1 2 2 by 10 early\n", "", NULL);
}

static void test_unix_without_ends(void **state)
{
	expect("0 window 0 100; 0 alive 10 a; 0 alive 20 b; 0 unix 30 /x\n"
	       "0 unixsocket 70 77 78 5 30; 0 unixsocket 71 78 77 5 30\n"
	       "2 send 20 78 71; 2 ready 77 70; 5 send 10 77 70; 5 ready 78 71",
	       "", "", "");
}

static void test_quantiles(void **state)
{
	struct story *s = story_begin();
	struct rsp_requests found = {0};
	char line[200];

	story_read(s, SERVER "0 established 77 70");
	for (int i = 1; i <= 100; i++) {
		int len = snprintf(line, sizeof(line),
				   "%d ready 77 70; %d.%03d send 10 77 70 bytes=1", i, i,
				   (i * 37) % 101);

		assert_true(len > 0);
		assert_int_equal(story_read(s, line), 0);
	}
	story_finish(s);
	assert_int_equal(rsp_requests_find(s->trace, STORY_BASE_NS, UINT64_MAX, &found), 0);
	assert_int_equal(found.served.rows.v[0].cnt, 100);
	for (__u32 pct = 1; pct <= 100; pct++)
		assert_int_equal(rsp_requests_quantile_ns(&found.served, &found.served.rows.v[0],
							  pct * 10000),
				 pct * 1000);
	assert_int_equal(rsp_requests_quantile_ns(&found.served, &found.served.rows.v[0], 1), 1000);
	rsp_requests_done(&found);
	story_free(s);
}

static void test_pause(void **state)
{
	struct story *s = story_begin();
	struct rsp_requests found = {0};
	struct rsp_ev_lost *lost;

	story_read(s, SERVER "1 established 77 70; 2 ready 77 70; 3 send 10 77 70 bytes=1\n"
			     "4 ready 77 70; 6 send 10 77 70 bytes=1; 9 ready 77 70");
	s->now_ns = story_ns("10");
	lost = story_record(s, RSP_EV_LOST, sizeof(*lost), RSP_LOST_PAUSED);
	lost->from_ns = story_ns("5");
	story_read(s, "11 send 10 77 70 bytes=1; 12 ready 77 70; 14 send 10 77 70 bytes=1");
	story_finish(s);
	assert_int_equal(
		rsp_requests_find(s->trace, s->snap.meta.since_ns, s->snap.meta.until_ns, &found),
		0);
	assert_int_equal(found.served.cnt, 2);
	assert_int_equal(found.served.v[0].arrival_ns, story_ns("2"));
	assert_int_equal(found.served.v[1].arrival_ns, story_ns("12"));
	assert_int_equal(found.dropped_cnt, 1);
	assert_int_equal(found.paused_ns, 5000000);
	rsp_requests_done(&found);
	story_free(s);
}

/*
 * Thread 10 answers three requests. The third request had to wait for the answers to the other two.
 */
static void test_behind(void **state)
{
	struct story *s = story_new(
		SERVER "0 socket 81 81 10.0.0.1:80 10.0.0.2:5003 accepted\n"
		       "1 established 77 70; 1 established 79 72; 1 established 81 81\n"
		       "0 run 10; 1 block 10 sys=232; 2 ready 77 70; 2 irq net 77 10; 2 run 10\n"
		       "3 ready 79 72; 4 ready 81 81; 5 send 10 77 70 bytes=1\n"
		       "7 send 10 79 72 bytes=1; 9 send 10 81 81 bytes=1; 10 block 10 sys=232\n"
		       "20 ready 77 70; 20 irq net 77 10; 20 run 10; 21 send 10 77 70 bytes=1");
	struct rsp_requests found = {0};
	struct rsp_idmap callers = {0};
	struct rsp_loops loops = {0};
	struct rsp_model *m;
	static const struct {
		__u64 ns, cnt;
	} expected[] = {{0, 0}, {2000000, 1}, {3000000, 2}, {0, 0}};

	assert_int_equal(
		rsp_requests_find(s->trace, s->snap.meta.since_ns, s->snap.meta.until_ns, &found),
		0);
	assert_int_equal(rsp_loops_callers(&found.served, &found.served.rows.v[0], &callers), 0);
	assert_int_equal(rsp_model_new_trips(s->trace, &callers, &m), 0);
	assert_int_equal(rsp_loops_find(m, &found.served, &loops), 0);
	assert_int_equal(found.served.cnt, 4);
	for (__u32 i = 0; i < 4; i++) {
		struct rsp_served_split split = {0};
		struct rsp_served_part whole;

		assert_true(rsp_served_part_of(m, &found.served, i, &whole));
		assert_int_equal(rsp_served_split(m, &loops, &whole, &split), 0);
		assert_int_equal(split.behind_cnt, expected[i].cnt);
		assert_int_equal(split.behind_ns, expected[i].ns);
		rsp_served_split_done(&split);
	}
	rsp_loops_done(&loops);
	rsp_model_free(m);
	rsp_idmap_done(&callers);
	rsp_requests_done(&found);
	story_free(s);
}

/*
 * Checks the calls during each request. "2: 3-10 10-15": during the request that arrived at 2, two
 * calls, from 3 to 10 and from 10 to 15.
 */
static void expect_trips(const char *text, const char *expected)
{
	struct story *s = story_new(text);
	struct rsp_requests found = {0};
	struct rsp_idmap callers = {0};
	struct rsp_loops loops = {0};
	struct rsp_model *m;
	char *said = NULL;
	size_t len;
	FILE *out;

	assert_int_equal(
		rsp_requests_find(s->trace, s->snap.meta.since_ns, s->snap.meta.until_ns, &found),
		0);
	assert_int_equal(rsp_loops_callers(&found.served, &found.served.rows.v[0], &callers), 0);
	assert_int_equal(rsp_model_new_trips(s->trace, &callers, &m), 0);
	assert_int_equal(rsp_loops_find(m, &found.served, &loops), 0);
	out = open_memstream(&said, &len);
	for (__u32 i = 0; i < found.served.cnt; i++) {
		fprintf(out, "%g:", ms(found.served.v[i].arrival_ns));
		for (size_t j = rsp_loops_trip_of(&loops, i); j < loops.trips.cnt; j++) {
			const struct rsp_trip *trip = &m->trips.v[loops.trips.v[j].trip];

			if (loops.trips.v[j].request != i)
				break;
			fprintf(out, " %g-%g", ms(trip->from_ns), ms(trip->to_ns));
		}
		fputc('\n', out);
	}
	fclose(out);
	assert_string_equal(said, expected);
	free(said);
	rsp_loops_done(&loops);
	rsp_model_free(m);
	rsp_idmap_done(&callers);
	rsp_requests_done(&found);
	story_free(s);
}

#define CALLERS                                                                                    \
	SERVER "0 socket 90 90 10.0.0.1:6001 10.0.0.9:99 connected\n"                              \
	       "0 socket 92 92 10.0.0.1:6002 10.0.0.9:99 connected\n"                              \
	       "1 established 77 70; 1 established 79 72; 0 run 10; 1 block 10 sys=232\n"

/*
 * An event loop makes two calls. The second call is answered before the first call, whose answer
 * comes in two parts.
 */
static void test_calls_of_loop(void **state)
{
	expect_trips(CALLERS
		     "2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 send 10 90 90 bytes=1\n"
		     "4 ready 79 72; 5 send 10 92 92 bytes=1; 6 block 10 sys=232\n"
		     "8 ready 92 92; 8 irq net 92 10; 8 run 10; 8.5 send 10 79 72 bytes=1\n"
		     "9 block 10 sys=232; 10 ready 90 90; 10 irq net 90 10; 10 run 10\n"
		     "11 block 10 sys=232; 12 ready 79 72; 12 irq net 79 10; 12 run 10\n"
		     "13 send 10 92 92 bytes=1; 14 block 10 sys=232\n"
		     "15 ready 90 90; 15 irq net 90 10; 15 run 10; 16 send 10 77 70 bytes=1\n"
		     "17 block 10 sys=232; 18 ready 92 92; 18 irq net 92 10; 18 run 10\n"
		     "19 send 10 79 72 bytes=1",
		     "4: 5-8\n2: 3-10 10-15\n12: 13-18\n");
}

static void test_calls_of_worker(void **state)
{
	expect_trips(CALLERS "2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 send 10 90 90 bytes=1\n"
			     "3 block 10 sys=7; 4 ready 79 72; 6 ready 90 90; 6 irq net 90 10\n"
			     "6 run 10; 7 send 10 90 90 bytes=1; 7 block 10 sys=7\n"
			     "8 ready 90 90; 8 irq net 90 10; 8 run 10; 9 send 10 77 70 bytes=1\n"
			     "10 send 10 90 90 bytes=1; 10 block 10 sys=7; 11 ready 90 90\n"
			     "11 irq net 90 10; 11 run 10; 12 send 10 79 72 bytes=1",
		     "2: 3-6 7-8\n4: 10-11\n");
}

/*
 * A unix socket is reused for another connection. The calls on its former connection get no answer.
 */
static void test_calls_over_unix(void **state)
{
	expect_trips(CALLERS
		     "0 unix 40 /p; 0 unixsocket 61 67 68 5 40 connected\n"
		     "0 unixsocket 63 67 69 6 40 connected; 0 unixsocket 64 67 66 7 40 accepted\n"
		     "2 ready 77 70; 2 irq net 77 10; 2 run 10; 3 send 10 67 61; 5 send 10 67 63\n"
		     "6 block 10 sys=232; 9 ready 67 63; 9 wake 20 10; 9 run 10; 9.5 ready 67 64\n"
		     "10 send 10 77 70 bytes=1",
		     "2: 5-9\n9.5:\n");
}

/*
 * Checks which call caused each request, as in "0 - 1": the number of the call; "-": no call is
 * known.
 */
static void expect_callers(const char *text, const char *expected)
{
	struct story *s = story_new(text);
	struct rsp_requests found = {0};
	char said[64] = "";
	__u32 *callers;

	assert_int_equal(
		rsp_requests_find(s->trace, s->snap.meta.since_ns, s->snap.meta.until_ns, &found),
		0);
	assert_int_equal(rsp_requests_callers(&found, &callers), 0);
	for (size_t i = 0; i < found.served.cnt; i++) {
		size_t len = strlen(said);

		if (callers[i] == RSP_NO_ROW)
			snprintf(said + len, sizeof(said) - len, "%s-", i ? " " : "");
		else
			snprintf(said + len, sizeof(said) - len, "%s%u", i ? " " : "", callers[i]);
	}
	assert_string_equal(said, expected);
	free(callers);
	rsp_requests_done(&found);
	story_free(s);
}

#define BOTH_ENDS                                                                                  \
	SERVER                                                                                     \
	"0 socket 80 87 10.0.0.2:5000 10.0.0.1:80 connected\n"                                     \
	"0 socket 81 88 10.0.0.2:5001 10.0.0.1:80 connected\n"                                     \
	"1 established 77 70; 1 established 79 72\n"

static void test_callers(void **state)
{
	expect_callers(BOTH_ENDS "2 send 20 87 80 bytes=1; 3 ready 77 70\n"
				 "4 send 20 88 81 bytes=1; 5 ready 79 72\n"
				 "6 send 10 79 72 bytes=1; 7 ready 88 81\n"
				 "8 send 10 77 70 bytes=1; 9 ready 87 80\n"
				 "10 send 20 87 80 bytes=1; 11 ready 77 70\n"
				 "12 send 10 77 70 bytes=1; 13 ready 87 80",
		       "0 1 2");
	/*
	 * The request on the first connection came from another host, so its call is not recorded.
	 */
	expect_callers(SERVER "0 socket 81 88 10.0.0.2:5001 10.0.0.1:80 connected\n"
			      "1 established 77 70; 1 established 79 72\n"
			      "3 ready 77 70; 4 send 10 77 70 bytes=1\n"
			      "5 send 20 88 81 bytes=1; 6 ready 79 72",
		       "- 0");
	/* The call came too early or too late to cause the request. */
	expect_callers(BOTH_ENDS "2 send 20 87 80 bytes=1; 4 ready 87 80\n"
				 "5 ready 77 70; 6 send 10 77 70 bytes=1",
		       "-");
	expect_callers(BOTH_ENDS "2 ready 77 70; 3 send 20 87 80 bytes=1\n"
				 "4 send 10 77 70 bytes=1; 5 ready 87 80",
		       "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keep_alive),
		cmocka_unit_test(test_more_data),
		cmocka_unit_test(test_never_answered),
		cmocka_unit_test(test_half_closed),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_inferred),
		cmocka_unit_test(test_reuse),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_behind),
		cmocka_unit_test(test_calls_of_loop),
		cmocka_unit_test(test_calls_of_worker),
		cmocka_unit_test(test_unix),
		cmocka_unit_test(test_unix_paths),
		cmocka_unit_test(test_unix_unknown_path),
		cmocka_unit_test(test_unix_reuse),
		cmocka_unit_test(test_unix_greeting),
		cmocka_unit_test(test_unix_without_ends),
		cmocka_unit_test(test_unix_close),
		cmocka_unit_test(test_unix_late),
		cmocka_unit_test(test_calls_over_unix),
		cmocka_unit_test(test_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
