/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data about requests that the text and the JSON report share. */
#ifndef RSP_LIB_REQUESTS_VIEW_H
#define RSP_LIB_REQUESTS_VIEW_H

#include "lib/model/served/served.h"
#include "lib/report/report-words.h"
#include "lib/report/requests-report.h"

struct rsp_slow_request {
	const struct rsp_served *served;
	__u64 behind_ns, behind_cnt; /* see struct rsp_served_split */
	char comm[RSP_COMM_MAX];     /* name of the thread that answered */
	__u32 tgid;
	char *sentence; /* explains its waits */
};

/* An activity on which requests spent time. Times are means in nanoseconds per request. */
struct rsp_difference {
	char *text;	 /* like "waiting for php-fpm [1234], which was sleeping" */
	char *activity;	 /* like "sleeping" */
	const char *key; /* from rsp_category_key() */
	size_t stage;	 /* index in the comparison's stages */
	__u64 slow_ns, typical_ns;

	/* The parts of text and activity. */
	/* name of the task at the end of the chains; "": the server under its own name */
	char comm[RSP_COMM_MAX];
	__u32 tgid; /* process of this task; 0: several */
	const struct rsp_words *words;
	enum rsp_why why;
	bool computes;
	__u64 sample_cnt; /* number of samples, if the activity is computing */
	struct {
		struct rsp_detail {
			char *text; /* like ", taken by md5sum" */
			__u64 ns;   /* sum over slow and typical requests */
		} * v;
		size_t cnt, cap;
	} details;
};

#define RSP_STAGE_TURN_TEXT "waiting for the server's thread, busy with other requests"

/* A part of the time of requests (enum rsp_stage). Times are means in nanoseconds per request. */
struct rsp_stage_time {
	enum rsp_stage kind;
	/* RSP_STAGE_CALL: a socket that is connected to the called peer */
	const struct rsp_ev_socket *peer;
	char *text; /* like "waiting for redis [127.0.0.1:6379]" */
	__u64 slow_ns, typical_ns;
};

/*
 * A comparison of slow requests of one server, or of a single request, with typical requests.
 * Typical requests are those between the quartiles of the durations.
 */
struct rsp_comparison {
	const struct rsp_request_row *row; /* the compared server; NULL: nothing to compare */
	__u64 slow_cnt, typical_cnt;
	__u64 slow_explained_cnt, typical_explained_cnt;
	/* mean durations of the explained requests */
	__u64 slow_ns, typical_ns;
	double slow_behind_cnt; /* mean number of other requests that the thread answered first */
	struct {
		struct rsp_stage_time *v; /* sorted by the difference, largest first */
		size_t cnt, cap;
	} stages;
	struct {
		struct rsp_difference *v; /* sorted by the difference, largest first */
		size_t cnt, cap;
	} differences;
};

struct rsp_requests_view {
	const struct rsp_trace *trace;
	const struct rsp_requests_options *opt;
	struct rsp_requests found;
	bool *shows_server, *shows_peer; /* one flag per row */
	bool *is_subject; /* per row of servers: the first sentence may be about this server */
	struct {
		struct rsp_slow_request *v;
		size_t cnt, cap;
	} slowest;
	/*
	 * Unanswered requests of one server that have waited for longer than any answered request
	 * took.
	 */
	struct rsp_pending {
		const struct rsp_served *oldest; /* NULL: there is no such request */
		__u64 cnt;
		char *sentence; /* explains the wait of the oldest request; NULL: unknown */
	} pending;
	struct rsp_comparison comparison;
	char *headline;
};

/*
 * Finds and explains the requests. Takes the options of rsp_requests_report(), and returns the same
 * errors.
 */
int rsp_requests_view_make(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			   struct rsp_requests_view *ret);
void rsp_requests_view_done(struct rsp_requests_view *v);

/*
 * requests-compare.c: finds and explains the slowest and the pending requests, and fills in
 * v->comparison. Returns 0 or -ENOMEM.
 */
int rsp_requests_explain(struct rsp_requests_view *v);
/* Explains only the requests in v->slowest. Returns 0 or -ENOMEM. */
int rsp_requests_explain_slowest(struct rsp_requests_view *v);
void rsp_comparison_done(struct rsp_comparison *c);

/*
 * requests-compare.c: compares an answered request with typical requests of the same row. request:
 * index in found->served. ret->row points into found. Returns 0 or -ENOMEM.
 */
int rsp_requests_compare_one(const struct rsp_trace *trace, const struct rsp_requests *found,
			     __u32 request, struct rsp_comparison *ret);
/*
 * requests-cause.c: writes who, a text that ends in a verb, and then the main difference. Writes
 * nothing if no difference is large enough.
 */
void rsp_comparison_put_cause(const struct rsp_comparison *c, const char *who, FILE *f);

/*
 * requests-slowest.c: rsp_slowest_explain() explains one request. Both functions return 0 or
 * -ENOMEM.
 */
int rsp_slowest_find(struct rsp_requests_view *v);
int rsp_slowest_explain(const struct rsp_requests_view *v, const struct rsp_model *model,
			const struct rsp_loops *loops, struct rsp_slow_request *slow);

/*
 * requests-pending.c: rsp_pending_explain() explains the oldest pending request, and returns 0 or
 * -ENOMEM.
 */
void rsp_pending_find(struct rsp_requests_view *v);
int rsp_pending_explain(struct rsp_requests_view *v, const struct rsp_model *m,
			const struct rsp_loops *loops);

/*
 * requests-difference.c: rsp_difference_add() adds the time of a chain to the struct rsp_difference
 * of its stage and activity, as a sum over all compared requests. rsp_difference_finish() writes
 * the texts. Both functions return 0 or -ENOMEM.
 */
int rsp_difference_add(struct rsp_comparison *c, size_t stage, const struct rsp_chain *chain,
		       bool is_slow);
int rsp_difference_finish(struct rsp_difference *d);
void rsp_difference_done(struct rsp_difference *d);
/* Writes text like "waiting for php-fpm [1234]". */
void rsp_difference_put_task(const struct rsp_difference *d, FILE *f);

#define RSP_COMPARED_MIN 20 /* minimum number of requests of a server for a comparison */

/* Returns whether the headline compares slow requests with typical ones. */
bool rsp_requests_has_tail(const struct rsp_requests_view *v);

/*
 * Writes the name of a server into buf, like "nginx [1234]" or "nginx (4 processes)". Returns buf.
 */
#define RSP_SERVER_BYTES 720
char *rsp_requests_server(const struct rsp_request_row *row, char *buf, size_t len);
/*
 * Writes the port or socket at which a row's program serves into buf, like "port 80" or "socket
 * /run/x.sock". Returns buf.
 */
char *rsp_requests_place(const struct rsp_request_row *row, char *buf, size_t len);
/*
 * Writes the name of a peer into buf, like "redis [127.0.0.1:6379]", "10.0.0.1:80" or "postgres
 * [/run/x.sock]". Returns buf.
 */
char *rsp_requests_peer(const struct rsp_requests *found, const struct rsp_request_row *row,
			char *buf, size_t len);
/* Writes a number like "12,040" into buf. Returns buf. */
char *rsp_requests_count(__u64 n, char *buf, size_t len);
/*
 * Writes the rate of cnt events in ns, per second, into buf: "12,040", or "0.8" with up to two
 * digits if the rate is below ten. Returns buf.
 */
char *rsp_requests_rate(__u64 cnt, __u64 ns, char *buf, size_t len);
bool rsp_requests_lossy(const struct rsp_requests_view *v);

/*
 * Counts the requests of a row by duration. ret[i] is the number of durations from 2^(i-1) to 2^i
 * microseconds, and ret[0] the number of durations below one microsecond; the last bucket also
 * contains all longer durations.
 */
#define RSP_BUCKETS 40
void rsp_requests_buckets(const struct rsp_exchange *x, const struct rsp_request_row *row,
			  __u64 ret[static RSP_BUCKETS]);

/*
 * requests-text.c: writes the table of a comparison. slow: heading of the column for slow requests.
 */
struct rsp_pen;
void rsp_requests_put_differences(const struct rsp_pen *pen, const struct rsp_comparison *c,
				  const char *slow);
/* requests-json.c: adds the fields of a struct rsp_comparison to o. Returns 0 or -ENOMEM. */
struct json_object;
int rsp_requests_fill_comparison(struct json_object *o, const void *comparison);

/* Both functions return 0 or -ENOMEM. */
int rsp_requests_text(const struct rsp_requests_view *v, FILE *out);
int rsp_requests_json(const struct rsp_requests_view *v, FILE *out);
/* Needs neither the comparison nor the headline. Returns 0. */
int rsp_requests_openmetrics(const struct rsp_requests_view *v, FILE *out);

#endif
