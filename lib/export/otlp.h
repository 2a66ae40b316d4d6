/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the parts of the OTLP writer share. They collect spans into lines. */
#ifndef RSP_LIB_EXPORT_OTLP_H
#define RSP_LIB_EXPORT_OTLP_H

#include "lib/export/export-parts.h"

/* the root span, and the first id of each kind of spans */
#define RSP_OTLP_ROOT	  1ULL
#define RSP_OTLP_PATHS	  (1ULL << 32)
#define RSP_OTLP_HOPS	  (1ULL << 40)
#define RSP_OTLP_REQUESTS (1ULL << 48)
#define RSP_OTLP_CALLS	  (1ULL << 49)

enum rsp_otlp_kind { RSP_OTLP_INTERNAL = 1, RSP_OTLP_SERVER = 2, RSP_OTLP_CLIENT = 3 };

struct rsp_otlp {
	struct rsp_export *x;
	FILE *out;
	int error; /* the first error, or 0 */
	char trace_id[40];
	struct json_object *line;  /* current line: processes with their spans; NULL: none */
	struct json_object *spans; /* spans of the line's last process; NULL: none */
	const char *service;	   /* name of the last process */
	__u32 pid;
	size_t span_cnt;
};

struct rsp_otlp_span {
	const char *trace_id, *name;
	__u64 id, parent; /* 0: none */
	enum rsp_otlp_kind kind;
	__u64 from_ns, to_ns;
};

/* Adds a member, and takes ownership of the value. */
void rsp_otlp_add(struct rsp_otlp *o, struct json_object *to, const char *key,
		  struct json_object *value);

/* These three functions add an attribute. An empty text is left out. */
void rsp_otlp_text(struct rsp_otlp *o, struct json_object *attributes, const char *key,
		   const char *text);
void rsp_otlp_number(struct rsp_otlp *o, struct json_object *attributes, const char *key, __u64 n);
void rsp_otlp_flag(struct rsp_otlp *o, struct json_object *attributes, const char *key);
/* Adds the id of the snapshot and the totals of the report as attributes. */
void rsp_otlp_totals(struct rsp_otlp *o, struct json_object *attributes);

struct json_object *rsp_otlp_span(struct rsp_otlp *o, const struct rsp_otlp_span *s);
/* Adds a link from a span to the span with this id in the trace of the control paths. */
void rsp_otlp_link(struct rsp_otlp *o, struct json_object *span, __u64 id);
/* Takes ownership of the span. service must live until the next call, or until the export ends. */
void rsp_otlp_put_span(struct rsp_otlp *o, const char *service, __u32 pid,
		       struct json_object *span);

void rsp_otlp_put_paths(struct rsp_otlp *o);	/* otlp-paths.c */
void rsp_otlp_put_requests(struct rsp_otlp *o); /* otlp-requests.c */

#endif
