/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink is a kind of place that batches are sent to. A sink encodes a batch, once, into the bytes
 * that are spooled, and sends these bytes later, perhaps several times. It runs in the process and
 * on the thread of rsp-export.
 */
#ifndef RSP_EXPORT_SINK_H
#define RSP_EXPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct rsp_http;

/* Bytes that grow (rsp_array). free(v). */
struct rsp_buffer {
	char *v;
	size_t cnt, cap;
};

/* 0 or -ENOMEM. */
int rsp_buffer_add(struct rsp_buffer *buffer, const void *bytes, size_t len);
int rsp_buffer_printf(struct rsp_buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The host that the batch is from. */
struct rsp_export_host {
	const char *name;    /* "web1" */
	const char *machine; /* 32 hex digits, only for RSP: not /etc/machine-id */
};

/* A stored snapshot. Strings are redacted, printable, and "" if unknown. */
struct rsp_export_snapshot {
	const char *id; /* 32 hex digits */
	const char *boot_id;
	const char *unit, *container, *comm;
	const char *slo;      /* the limit that triggered it; "": a user asked for it */
	const char *headline; /* one sentence: the reason why it was taken */
	uint32_t pid;
	uint64_t value_ns, threshold_ns;
	uint64_t since_realtime_ns, until_realtime_ns; /* since 1970 */
	uint64_t bytes;				       /* size of its file */
	const char *path;			       /* of its file, which may be gone */
	/* the file may be sent; false: [Redact] forbids it, as a recording cannot be redacted */
	bool may_send_file;
	const char *key; /* name in the object store; "": it is not sent there */
};

/*
 * A batch has either summaries, of one start of the recorder, or one snapshot. Summaries are the
 * redacted objects of docs/json-summary.md, with two more members: "number" and "boot".
 */
struct rsp_batch {
	const char *token; /* unique: names host and content */
	const struct rsp_export_host *host;
	struct json_object *const *summaries;
	size_t summary_cnt;
	const struct rsp_export_snapshot *snapshots;
	size_t snapshot_cnt;
};

struct rsp_sink_result {
	/*
	 * 0: accepted; -EAGAIN: try again later; -EACCES: the server refuses the credentials: try
	 * again later, and log it; -EBADMSG: the server will never accept these bytes: drop them.
	 */
	int error;
	char why[256];		    /* one sentence without a full stop, unless error is 0 */
	unsigned int retry_after_s; /* asked for by the server; 0: not */
};

struct rsp_sink_ops {
	const char *name; /* "clickhouse": names the directory in the spool */
	/* Appends the bytes to be spooled to *ret; none: there is nothing to send. 0 or -errno. */
	int (*encode)(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret);
	void (*send)(const void *config, struct rsp_http *http, const char *token,
		     const void *bytes, size_t len, struct rsp_sink_result *ret);
};

extern const struct rsp_sink_ops rsp_sink_clickhouse, rsp_sink_otlp, rsp_sink_s3;

/* The settings of the sinks. Strings are "" if not set. */
struct rsp_sink_server {
	char url[512]; /* without a '/' at the end */
	char ca_file[256];
};

struct rsp_otlp_config {
	struct rsp_sink_server server;
	char token[512]; /* "": none */
};

struct rsp_s3_config {
	struct rsp_sink_server server;
	char bucket[128], region[64], prefix[256], key_id[256], secret[256];
};

#endif
