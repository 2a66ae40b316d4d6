/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the data that both the text and the JSON report about requests show. */
#ifndef RSP_LIB_REQUESTS_VIEW_H
#define RSP_LIB_REQUESTS_VIEW_H

#include "lib/model/served/served.h"
#include "lib/report/report-words.h"
#include "lib/report/requests-report.h"

/* One of the slowest requests. */
struct rsp_slow_request {
	const struct rsp_served *served;
	__u64 behind_ns, behind_cnt; /* as in struct rsp_served_split */
	char comm[RSP_COMM_MAX];     /* name of the thread that answered */
	__u32 tgid;
	char *sentence; /* a sentence about its waits */
};

/* A cause that requests spend time on. Times are means in nanoseconds per request. */
struct rsp_difference {
	char *text;	 /* "waiting for php-fpm [1234], which was sleeping" */
	char *activity;	 /* "sleeping" */
	const char *key; /* rsp_category_key() */
	size_t stage;	 /* index in the comparison's stages */
	__u64 slow_ns, typical_ns;

	/* The parts from which text and doing are made. */
	char comm[RSP_COMM_MAX]; /* the task at the end of the chains; "": the server's own */
	__u32 tgid;		 /* 0: several tasks */
	const struct rsp_words *words;
	enum rsp_why why;
	bool computes;
	__u64 sample_cnt; /* of computing */
	struct {
		struct rsp_detail {
			char *text; /* ", taken by md5sum" */
			__u64 ns;   /* of slow and typical requests */
		} * v;
		size_t cnt, cap;
	} details;
};

#define RSP_STAGE_TURN_TEXT "waiting for the server's thread, busy with other requests"

/* Parts of the requests' times. Times are as in struct rsp_difference. */
struct rsp_stage_time {
	enum rsp_stage kind;
	const struct rsp_ev_socket *peer; /* CALL: a socket of such a call */
	char *text;			  /* "waiting for redis [127.0.0.1:6379]" */
	__u64 slow_ns, typical_ns;
};

/*
 * Compares slow requests of one server, or a single one, with typical ones, the half between the
 * quartiles.
 */
struct rsp_comparison {
	const struct rsp_request_row *row; /* NULL: nothing is compared */
	__u64 slow_cnt, typical_cnt;
	__u64 slow_explained_cnt, typical_explained_cnt; /* sizes of the explained samples */
	__u64 slow_ns, typical_ns;			 /* means of the explained ones */
	double slow_behind_cnt; /* mean number of other requests answered first */
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
	bool *shows_server, *shows_peer; /* by row */
	bool *is_subject; /* by row of a server: the first sentence may be about it */
	struct {
		struct rsp_slow_request *v;
		size_t cnt, cap;
	} slowest;
	/* Requests of one server without an answer, for longer than it ever took to answer. */
	struct rsp_pending {
		const struct rsp_served *oldest; /* NULL: there is none */
		__u64 cnt;
		char *sentence; /* what its thread waits for; NULL: unknown */
	} pending;
	struct rsp_comparison comparison;
	char *headline;
};

/* Options and errors are those of rsp_requests_report(). */
int rsp_requests_view_make(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			   struct rsp_requests_view *ret);
void rsp_requests_view_done(struct rsp_requests_view *v);

/* requests-compare.c: fills in slowest and comparison. 0 or -ENOMEM. */
int rsp_requests_explain(struct rsp_requests_view *v);
/* The same for requests that the caller has put into slowest: explains only these. */
int rsp_requests_explain_slowest(struct rsp_requests_view *v);
void rsp_comparison_done(struct rsp_comparison *c);

/*
 * requests-compare.c: compares one answered request, an index, with the typical ones among the
 * other requests of its row. The row of ret is borrowed from found. Returns 0 or -ENOMEM.
 */
int rsp_requests_compare_one(const struct rsp_trace *trace, const struct rsp_requests *found,
			     __u32 request, struct rsp_comparison *ret);
/*
 * requests-cause.c: writes who, a text that ends in a verb, and then the main difference of the
 * slow requests: "; this one spent 40.0 ms of 41.0 ms waiting for …". Writes nothing if nothing
 * stands out.
 */
void rsp_comparison_put_cause(const struct rsp_comparison *c, const char *who, FILE *f);

/* requests-slowest.c: finds the slowest requests, and explains them. Both return 0 or -ENOMEM. */
int rsp_slowest_find(struct rsp_requests_view *v);
int rsp_slowest_explain(const struct rsp_requests_view *v, const struct rsp_model *model,
			const struct rsp_loops *loops, struct rsp_slow_request *slow);

/* requests-pending.c: finds the requests without an answer; then explains the oldest one, which
 * returns 0 or -ENOMEM. */
void rsp_pending_find(struct rsp_requests_view *v);
int rsp_pending_explain(struct rsp_requests_view *v, const struct rsp_model *m,
			const struct rsp_loops *loops);

/*
 * requests-difference.c: adds the time of a chain to its row, the sum of all such requests; then
 * makes the row's text. Both return 0 or -ENOMEM.
 */
int rsp_difference_add(struct rsp_comparison *c, size_t stage, const struct rsp_chain *chain,
		       bool is_slow);
int rsp_difference_finish(struct rsp_difference *d);
void rsp_difference_done(struct rsp_difference *d);
/* "waiting for php-fpm [1234]" */
void rsp_difference_put_task(const struct rsp_difference *d, FILE *f);

#define RSP_COMPARED_MIN 20 /* requests; a hundredth of fewer is none */

/* Returns whether the headline compares slow requests with typical ones. */
bool rsp_requests_has_tail(const struct rsp_requests_view *v);

/* "nginx [1234]", "nginx (4 processes)". Returns buf. */
#define RSP_SERVER_BYTES 720
char *rsp_requests_server(const struct rsp_request_row *row, char *buf, size_t len);
/* The place that a row's program serves: "port 80", "socket /run/x.sock". Returns buf. */
char *rsp_requests_place(const struct rsp_request_row *row, char *buf, size_t len);
/* "redis [127.0.0.1:6379]", "10.0.0.1:80", "postgres [/run/x.sock]". Returns buf. */
char *rsp_requests_peer(const struct rsp_requests *found, const struct rsp_request_row *row,
			char *buf, size_t len);
/* 12040 -> "12,040". Returns buf. */
char *rsp_requests_count(__u64 n, char *buf, size_t len);
bool rsp_requests_lossy(const struct rsp_requests_view *v);

/* Requests by duration: bucket i has those of 2^(i-1) to 2^i microseconds, 0 those below one. */
#define RSP_BUCKETS 40
void rsp_requests_buckets(const struct rsp_exchange *x, const struct rsp_request_row *row,
			  __u64 ret[static RSP_BUCKETS]);

/* requests-text.c: the table of a comparison. slow: the heading of the column of slow requests. */
struct rsp_pen;
void rsp_requests_put_differences(const struct rsp_pen *pen, const struct rsp_comparison *c,
				  const char *slow);
/* requests-json.c: adds the fields of a struct rsp_comparison to o. Returns 0 or -ENOMEM. */
struct json_object;
int rsp_requests_fill_comparison(struct json_object *o, const void *comparison);

/* 0 or -ENOMEM. */
int rsp_requests_text(const struct rsp_requests_view *v, FILE *out);
int rsp_requests_json(const struct rsp_requests_view *v, FILE *out);
/* v needs no comparison and no headline. */
int rsp_requests_openmetrics(const struct rsp_requests_view *v, FILE *out);

#endif
