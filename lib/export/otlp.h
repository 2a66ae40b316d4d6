/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of the OTLP file: spans are gathered into lines. */
#ifndef RSP_LIB_EXPORT_OTLP_H
#define RSP_LIB_EXPORT_OTLP_H

#include "export-parts.h"

/* Ids of spans: the explanation's, and where those of others begin. */
#define RSP_OTLP_ROOT	  1ULL
#define RSP_OTLP_PATHS	  (1ULL << 32)
#define RSP_OTLP_HOPS	  (1ULL << 40)
#define RSP_OTLP_REQUESTS (1ULL << 48)
#define RSP_OTLP_CALLS	  (1ULL << 49)

enum rsp_otlp_kind { RSP_OTLP_INTERNAL = 1, RSP_OTLP_SERVER = 2, RSP_OTLP_CLIENT = 3 };

struct rsp_otlp {
	struct rsp_export *x;
	FILE *out;
	int error; /* sticky */
	char trace_id[40];
	struct json_object *line;  /* processes with their spans; NULL: none */
	struct json_object *spans; /* of the last process; NULL: none */
	const char *service;	   /* its name */
	__u32 pid;
	size_t span_cnt; /* in the line */
};

struct rsp_otlp_span {
	const char *trace_id, *name;
	__u64 id, parent; /* 0: none */
	enum rsp_otlp_kind kind;
	__u64 from_ns, to_ns;
};

/* Each takes the value. */
void rsp_otlp_add(struct rsp_otlp *o, struct json_object *to, const char *key,
		  struct json_object *value);
struct json_object *rsp_otlp_span_id(__u64 id);

/* Attributes. An empty text is left out. */
void rsp_otlp_text(struct rsp_otlp *o, struct json_object *attributes, const char *key,
		   const char *text);
void rsp_otlp_number(struct rsp_otlp *o, struct json_object *attributes, const char *key, __u64 n);
void rsp_otlp_flag(struct rsp_otlp *o, struct json_object *attributes, const char *key);
/* The totals of the report. */
void rsp_otlp_totals(struct rsp_otlp *o, struct json_object *attributes);

struct json_object *rsp_otlp_span(struct rsp_otlp *o, const struct rsp_otlp_span *s);
/* Links a span to one of the explanation's trace. */
void rsp_otlp_link(struct rsp_otlp *o, struct json_object *span, __u64 id);
/* Takes the span. service: the process's name, which must live until the next call. */
void rsp_otlp_put_span(struct rsp_otlp *o, const char *service, __u32 pid,
		       struct json_object *span);
void rsp_otlp_flush(struct rsp_otlp *o);

void rsp_otlp_put_paths(struct rsp_otlp *o);	/* otlp-paths.c */
void rsp_otlp_put_requests(struct rsp_otlp *o); /* otlp-requests.c */

#endif
