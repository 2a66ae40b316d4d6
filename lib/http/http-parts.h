/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of the HTTP client share. */
#ifndef RSP_LIB_HTTP_PARTS_H
#define RSP_LIB_HTTP_PARTS_H

#include <curl/curl.h>

#include "lib/http/http.h"

#define RSP_HTTP_CONNECT_MS 10000
#define RSP_HTTP_TOTAL_MS   60000

struct rsp_http_transfer {
	const struct rsp_http_config *config;
	const struct rsp_http_request *req;
	struct rsp_http_response *ret;
	CURL *curl;
	uint64_t sent;	/* position in the file that is sent as the body */
	uint64_t saved; /* bytes written to the caller's file */
	/* CLOCK_MONOTONIC_COARSE; 0: not called yet */
	uint64_t asked_ms;
	int error; /* -errno of an error on this machine; 0: none */
	bool too_large;
	bool stopped;	     /* config->stop() returned true */
	bool has_head;	     /* the headers of the answer have arrived completely */
	unsigned int status; /* status of the answer that is arriving now; 0: not known yet */
	char curl_why[CURL_ERROR_SIZE];
};

/* Returns the value that rsp_http_request() must return. */
int rsp_http_judge(struct rsp_http_transfer *t, CURLcode code);

/* Writes "https://host:4318/path", without the query, to buf, cut and cleaned. */
#define RSP_HTTP_PLACE_BYTES 72
const char *rsp_http_place(const char *url, char buf[static RSP_HTTP_PLACE_BYTES]);

/* Writes the hash of the body or file for a signature. ret has 65 bytes. */
void rsp_http_body_sha256(const struct rsp_http_request *req, char *ret);

#endif
