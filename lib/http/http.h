/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends one HTTP request with libcurl, and receives the answer. Redirects are not followed,
 * certificates are always verified, and proxies of the environment are not used. Secrets never
 * occur in messages or dry runs.
 */
#ifndef RSP_LIB_HTTP_H
#define RSP_LIB_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/buffer.h"

#define RSP_HTTP_WHY_BYTES   256
#define RSP_HTTP_ANSWER_MAX  (1U << 20)
#define RSP_HTTP_HEADERS_MAX 16

enum rsp_http_class {
	RSP_HTTP_OK,	      /* 2xx */
	RSP_HTTP_UNREACHABLE, /* no connection, or the server closed it before it answered */
	RSP_HTTP_TIMEOUT,     /* no complete answer before the timeout */
	RSP_HTTP_UNTRUSTED,   /* the server's certificate was not accepted, or TLS failed */
	RSP_HTTP_REFUSED,     /* 401, 403: wrong credentials */
	RSP_HTTP_ABSENT,      /* wrong URL, or no such object */
	RSP_HTTP_BUSY,	      /* 408, 429, 5xx: try again */
	RSP_HTTP_NEVER,	      /* other 4xx: this request will never be accepted */
	RSP_HTTP_NONSENSE,    /* not HTTP, truncated, too large, or a redirect */
};

/* Returns the error of struct rsp_sink_result (export/sink.h) for a class. */
int rsp_http_class_error(enum rsp_http_class class);

struct rsp_http_config {
	const char *ca_file;	 /* file with trusted certificates; NULL: those of the system */
	unsigned int connect_ms; /* 0: 10 s */
	unsigned int total_ms;	 /* timeout of a request without a file; 0: 60 s */
	/*
	 * Called one to five times a second; NULL: not called. If it returns true, the request ends
	 * with -ECANCELED.
	 */
	bool (*stop)(void *userdata);
	void *userdata;
	/* If it is not NULL, requests are not sent, but written to dry_run as text. */
	FILE *dry_run;
};

struct rsp_http;

/* Copies config, whose strings must outlive the handle. Returns 0 or -ENOMEM. */
int rsp_http_new(const struct rsp_http_config *config, struct rsp_http **ret);
struct rsp_http *rsp_http_free(struct rsp_http *h);

static inline void rsp_http_cleanup(struct rsp_http **h)
{
	rsp_http_free(*h);
}
#define _cleanup_http_ _cleanup_(rsp_http_cleanup)

enum rsp_http_auth_kind {
	RSP_HTTP_AUTH_NONE,
	RSP_HTTP_AUTH_BASIC,  /* user, secret */
	RSP_HTTP_AUTH_BEARER, /* secret */
	/* Signature Version 4 for S3; user is the ID of the key */
	RSP_HTTP_AUTH_AWS,
};

struct rsp_http_auth {
	enum rsp_http_auth_kind kind;
	const char *user, *secret, *region;
};

/* A regular file that is the body of a request. The file must not change during the request. */
struct rsp_http_file {
	int fd;
	uint64_t size;
	char sha256[65]; /* hash of the content; only needed for RSP_HTTP_AUTH_AWS */
};

struct rsp_http_request {
	const char *method; /* "GET", "HEAD", "POST", "PUT" or "DELETE" */
	const char *url;
	/* "Name: value"; NULL ends the list */
	const char *headers[RSP_HTTP_HEADERS_MAX];
	struct rsp_http_auth auth;
	const void *body; /* NULL: none */
	size_t body_len;
	/* use this file as body, instead of body; NULL: no file */
	const struct rsp_http_file *file;
	size_t answer_max; /* 0: RSP_HTTP_ANSWER_MAX */
	/*
	 * If save_fd is not NULL, the body of a 2xx answer is written to *save_fd, and may have at
	 * most save_max bytes. Other bodies are in rsp_http_response.body.
	 */
	const int *save_fd;
	uint64_t save_max;
};

struct rsp_http_response {
	enum rsp_http_class class;
	unsigned int status;	    /* HTTP status; 0: no answer, or a dry run */
	unsigned int retry_after_s; /* 0: the server sent no value */
	struct rsp_buffer body;
	struct rsp_buffer headers;    /* lines */
	char why[RSP_HTTP_WHY_BYTES]; /* what happened, and what to do; "": no error */
};

#define _cleanup_response_ _cleanup_(rsp_http_response_done)
void rsp_http_response_done(struct rsp_http_response *r);

/*
 * Overwrites ret; the caller must release ret even after an error. Returns 0 if ret->class is set,
 * even if the server did not answer. Otherwise, ret->why contains the reason, and the function
 * returns -EINVAL if the request is not allowed (see rsp_http_check_url()), -ECANCELED, -ENOMEM, or
 * the error of reading or writing a file.
 */
int rsp_http_request(struct rsp_http *h, const struct rsp_http_request *req,
		     struct rsp_http_response *ret);

/* Returns the value of a header, cut and cleaned; "": the answer has no such header. */
const char *rsp_http_response_header(const struct rsp_http_response *r, const char *name, char *buf,
				     size_t size);

/*
 * Returns 0 if RSP may send requests with auth to this URL. Otherwise writes the reason to why and
 * returns -EINVAL.
 */
int rsp_http_check_url(const char *url, const struct rsp_http_auth *auth,
		       char why[static RSP_HTTP_WHY_BYTES]);

/* Writes a request as it would be sent, but without secrets. */
void rsp_http_render(const struct rsp_http_request *req, FILE *out);

#endif
