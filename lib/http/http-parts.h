/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the parts of the HTTP client. */
#ifndef RSP_LIB_HTTP_PARTS_H
#define RSP_LIB_HTTP_PARTS_H

#include <curl/curl.h>

#include "lib/http/http.h"

#define RSP_HTTP_CONNECT_MS 10000
#define RSP_HTTP_TOTAL_MS   60000

/* A request that is in progress. */
struct rsp_http_transfer {
	const struct rsp_http_config *config;
	const struct rsp_http_request *req;
	struct rsp_http_response *ret;
	CURL *curl;
	uint64_t sent;	     /* position in the file */
	uint64_t saved;	     /* bytes written to the file of the caller */
	uint64_t asked_ms;   /* last call of config->stop(), on the coarse clock; 0: never */
	int error;	     /* of this machine; 0: none */
	bool too_large;	     /* the answer is larger than allowed */
	bool stopped;	     /* by config->stop() */
	bool has_head;	     /* the headers of the answer have arrived completely */
	unsigned int status; /* of the answer whose content arrives now; 0: unknown yet */
	char curl_why[CURL_ERROR_SIZE];
};

/* Sets class, status and why from curl's result. Returns what rsp_http_request() returns. */
int rsp_http_judge(struct rsp_http_transfer *t, CURLcode code);

/* "https://host:4318/path" without query, cut and cleaned. */
#define RSP_HTTP_PLACE_BYTES 72
const char *rsp_http_place(const char *url, char buf[static RSP_HTTP_PLACE_BYTES]);

/* Writes the hash that signatures cover, that of the body or of the file. ret has 65 bytes. */
void rsp_http_body_sha256(const struct rsp_http_request *req, char *ret);

#endif
