/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See http.h. This file sets up libcurl; http-answer.c classifies the results. */
#include "lib/http/http-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/http/sha256.h"

/* Limit for all headers of an answer. Servers send some 500 bytes. */
#define HEADERS_BYTES_MAX    (64U << 10)
/*
 * A request that sends or saves a file gets one more millisecond of timeout for every
 * FILE_BYTES_PER_MS bytes of the file.
 */
#define FILE_BYTES_PER_MS    32
/*
 * The transfer of a file fails if it is slower than this for the timeout of a request without a
 * file.
 */
#define FILE_BYTES_PER_S_MIN 1024
#define STOP_INTERVAL_MS     200

struct rsp_http {
	CURL *curl; /* keeps the connection to the server */
	struct rsp_http_config config;
};

int rsp_http_new(const struct rsp_http_config *config, struct rsp_http **ret)
{
	struct rsp_http *h = calloc(1, sizeof(*h));

	if (!h)
		return -ENOMEM;
	h->config = *config;
	if (!h->config.connect_ms)
		h->config.connect_ms = RSP_HTTP_CONNECT_MS;
	if (!h->config.total_ms)
		h->config.total_ms = RSP_HTTP_TOTAL_MS;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		free(h);
		return -ENOMEM;
	}
	h->curl = curl_easy_init();
	if (!h->curl) {
		rsp_http_free(h);
		return -ENOMEM;
	}
	*ret = h;
	return 0;
}

struct rsp_http *rsp_http_free(struct rsp_http *h)
{
	if (!h)
		return NULL;
	curl_easy_cleanup(h->curl);
	curl_global_cleanup();
	free(h);
	return NULL;
}

void rsp_http_response_done(struct rsp_http_response *r)
{
	rsp_buffer_done(&r->body);
	rsp_buffer_done(&r->headers);
}

/* --- callbacks of curl ---------------------------------------------------------------------- */

static bool wants_save(const struct rsp_http_transfer *t)
{
	return t->req->save_fd && t->status / 100 == 2;
}

static int save(struct rsp_http_transfer *t, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(*t->req->save_fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* curl ends the transfer if the result is not len. */
static size_t on_body(char *data, size_t size, size_t cnt, void *userdata)
{
	struct rsp_http_transfer *t = userdata;
	size_t len = size * cnt;
	size_t max = t->req->answer_max ? t->req->answer_max : RSP_HTTP_ANSWER_MAX;

	if (wants_save(t)) {
		t->too_large = len > t->req->save_max - t->saved;
		if (!t->too_large)
			t->error = save(t, data, len);
		t->saved += len;
		return t->too_large || t->error ? 0 : len;
	}
	t->too_large = len > max - t->ret->body.len;
	if (t->too_large)
		return 0;
	t->error = rsp_buffer_put(&t->ret->body, data, len);
	return t->error ? 0 : len;
}

static size_t on_header(char *data, size_t size, size_t cnt, void *userdata)
{
	struct rsp_http_transfer *t = userdata;
	size_t len = size * cnt;
	long status = 0;

	/* A provisional answer (status 100) and the final answer each begin with a status line. */
	if (len > 5 && memcmp(data, "HTTP/", 5) == 0) {
		t->ret->headers.len = 0;
		curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
		t->status = (unsigned int)status;
	}
	t->has_head = len <= 2 && (data[0] == '\r' || data[0] == '\n');
	t->too_large = len > HEADERS_BYTES_MAX - t->ret->headers.len;
	if (t->too_large)
		return 0;
	t->error = rsp_buffer_put(&t->ret->headers, data, len);
	return t->error ? 0 : len;
}

static size_t on_read(char *buf, size_t size, size_t cnt, void *userdata)
{
	struct rsp_http_transfer *t = userdata;
	const struct rsp_http_file *file = t->req->file;
	uint64_t left = file->size - t->sent;
	size_t len = size * cnt < left ? size * cnt : (size_t)left;
	ssize_t n;

	do
		n = pread(file->fd, buf, len, (off_t)t->sent);
	while (n < 0 && errno == EINTR);
	/* The file cannot be read, or has become shorter. */
	if (n < 0 || (n == 0 && len > 0)) {
		t->error = n < 0 ? -errno : -ESTALE;
		return CURL_READFUNC_ABORT;
	}
	t->sent += (uint64_t)n;
	return (size_t)n;
}

/*
 * curl sends the body again if it notices that the server had closed a connection that curl kept
 * open.
 */
static int on_seek(void *userdata, curl_off_t offset, int origin)
{
	struct rsp_http_transfer *t = userdata;

	if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > t->req->file->size)
		return CURL_SEEKFUNC_FAIL;
	t->sent = (uint64_t)offset;
	return CURL_SEEKFUNC_OK;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static int on_progress(void *userdata, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
		       curl_off_t up)
{
	struct rsp_http_transfer *t = userdata;

	uint64_t now_ms = now();

	/*
	 * curl calls this function for each piece of data, which is too often for config->stop().
	 */
	if (now_ms - t->asked_ms < STOP_INTERVAL_MS)
		return 0;
	t->asked_ms = now_ms;
	t->stopped = t->config->stop(t->config->userdata);
	return t->stopped;
}

/* --- a request -------------------------------------------------------------------------------- */

/* Fails only if memory runs out, or if libcurl lacks a feature that the build requires. */
#define SET(curl, option, value) (curl_easy_setopt(curl, option, value) == CURLE_OK ? 0 : -ENOMEM)

static int set_safety(CURL *c, const struct rsp_http_config *config)
{
	int r = 0;

	r |= SET(c, CURLOPT_PROTOCOLS_STR, "http,https");
	r |= SET(c, CURLOPT_FOLLOWLOCATION, 0L);
	r |= SET(c, CURLOPT_HTTP09_ALLOWED, 0L);
	r |= SET(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	r |= SET(c, CURLOPT_PROXY, "");
	r |= SET(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	r |= SET(c, CURLOPT_SSL_VERIFYPEER, 1L);
	r |= SET(c, CURLOPT_SSL_VERIFYHOST, 2L);
	r |= SET(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	r |= SET(c, CURLOPT_NOSIGNAL, 1L);
	r |= SET(c, CURLOPT_USERAGENT, "rsp/" RSP_VERSION);
	if (config->ca_file) {
		r |= SET(c, CURLOPT_CAINFO, config->ca_file);
		r |= SET(c, CURLOPT_CAPATH, NULL);
	}
	return r;
}

static int set_timeouts(CURL *c, const struct rsp_http_config *config,
			const struct rsp_http_request *req)
{
	uint64_t bytes = (req->file ? req->file->size : 0) + (req->save_fd ? req->save_max : 0);
	uint64_t total_ms = config->total_ms + bytes / FILE_BYTES_PER_MS;
	long slow_s = config->total_ms / 1000 ? config->total_ms / 1000 : 1;
	int r = 0;

	r |= SET(c, CURLOPT_CONNECTTIMEOUT_MS, (long)config->connect_ms);
	r |= SET(c, CURLOPT_TIMEOUT_MS, (long)total_ms);
	if (bytes) {
		r |= SET(c, CURLOPT_LOW_SPEED_LIMIT, (long)FILE_BYTES_PER_S_MIN);
		r |= SET(c, CURLOPT_LOW_SPEED_TIME, slow_s);
	}
	return r;
}

static int set_callbacks(CURL *c, struct rsp_http_transfer *t)
{
	int r = 0;

	r |= SET(c, CURLOPT_ERRORBUFFER, t->curl_why);
	r |= SET(c, CURLOPT_WRITEFUNCTION, on_body);
	r |= SET(c, CURLOPT_WRITEDATA, t);
	r |= SET(c, CURLOPT_HEADERFUNCTION, on_header);
	r |= SET(c, CURLOPT_HEADERDATA, t);
	if (t->config->stop) {
		r |= SET(c, CURLOPT_NOPROGRESS, 0L);
		r |= SET(c, CURLOPT_XFERINFOFUNCTION, on_progress);
		r |= SET(c, CURLOPT_XFERINFODATA, t);
	}
	return r;
}

static int set_auth(CURL *c, const struct rsp_http_auth *auth)
{
	char provider[80];

	switch (auth->kind) {
	case RSP_HTTP_AUTH_NONE:
		return 0;
	case RSP_HTTP_AUTH_BASIC:
		return SET(c, CURLOPT_HTTPAUTH, CURLAUTH_BASIC) |
		       SET(c, CURLOPT_USERNAME, auth->user) |
		       SET(c, CURLOPT_PASSWORD, auth->secret);
	case RSP_HTTP_AUTH_BEARER:
		return SET(c, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) |
		       SET(c, CURLOPT_XOAUTH2_BEARER, auth->secret);
	case RSP_HTTP_AUTH_AWS:
		snprintf(provider, sizeof(provider), "aws:amz:%.60s:s3", auth->region);
		return SET(c, CURLOPT_AWS_SIGV4, provider) | SET(c, CURLOPT_USERNAME, auth->user) |
		       SET(c, CURLOPT_PASSWORD, auth->secret);
	}
	return -EINVAL;
}

static int set_body(CURL *c, struct rsp_http_transfer *t)
{
	const struct rsp_http_request *req = t->req;

	if (req->file)
		return SET(c, CURLOPT_UPLOAD, 1L) | SET(c, CURLOPT_READFUNCTION, on_read) |
		       SET(c, CURLOPT_READDATA, t) | SET(c, CURLOPT_SEEKFUNCTION, on_seek) |
		       SET(c, CURLOPT_SEEKDATA, t) |
		       SET(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)req->file->size);
	if (req->body) /* not copied */
		return SET(c, CURLOPT_POSTFIELDS, req->body) |
		       SET(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body_len);
	if (strcmp(req->method, "HEAD") == 0)
		return SET(c, CURLOPT_NOBODY, 1L);
	return 0;
}

static int add_header(struct curl_slist **list, const char *header)
{
	struct curl_slist *longer = curl_slist_append(*list, header);

	if (!longer)
		return -ENOMEM;
	*list = longer;
	return 0;
}

static int make_headers(const struct rsp_http_request *req, struct curl_slist **ret)
{
	char hash[100] = "x-amz-content-sha256: ";
	int r = 0;

	for (int i = 0; i < RSP_HTTP_HEADERS_MAX && req->headers[i]; i++)
		r |= add_header(ret, req->headers[i]);
	if (req->auth.kind == RSP_HTTP_AUTH_AWS) {
		rsp_http_body_sha256(req, hash + strlen(hash));
		r |= add_header(ret, hash);
	}
	return r;
}

static void cleanup_list(struct curl_slist **list)
{
	curl_slist_free_all(*list);
}

static int perform(struct rsp_http_transfer *t)
{
	_cleanup_(cleanup_list) struct curl_slist *headers = NULL;
	CURL *c = t->curl;
	CURLcode code;
	int r = 0;

	curl_easy_reset(c);
	r |= set_safety(c, t->config);
	r |= set_timeouts(c, t->config, t->req);
	r |= set_callbacks(c, t);
	r |= set_auth(c, &t->req->auth);
	r |= set_body(c, t);
	r |= make_headers(t->req, &headers);
	r |= SET(c, CURLOPT_HTTPHEADER, headers);
	r |= SET(c, CURLOPT_URL, t->req->url);
	if (strcmp(t->req->method, "HEAD") != 0)
		r |= SET(c, CURLOPT_CUSTOMREQUEST, t->req->method);
	if (r) {
		snprintf(t->ret->why, sizeof(t->ret->why), "out of memory");
		return -ENOMEM;
	}
	code = curl_easy_perform(c);
	r = rsp_http_judge(t, code);
	curl_easy_reset(c); /* removes secrets, and pointers to variables of this function */
	return r;
}

int rsp_http_request(struct rsp_http *h, const struct rsp_http_request *req,
		     struct rsp_http_response *ret)
{
	struct rsp_http_transfer t = {
		.config = &h->config, .req = req, .ret = ret, .curl = h->curl};

	*ret = (struct rsp_http_response){.class = RSP_HTTP_OK};
	if (rsp_http_check_url(req->url, &req->auth, ret->why) < 0)
		return -EINVAL;
	if (h->config.dry_run) {
		rsp_http_render(req, h->config.dry_run);
		return 0;
	}
	return perform(&t);
}

void rsp_http_body_sha256(const struct rsp_http_request *req, char *ret)
{
	if (req->file)
		strcpy(ret, req->file->sha256);
	else
		rsp_sha256_hex(req->body, req->body ? req->body_len : 0, ret);
}
