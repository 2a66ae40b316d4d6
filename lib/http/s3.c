/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See s3.h. */
#include "lib/http/s3.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The URL of the store, the bucket, and a key of which each byte is percent-encoded. */
#define URL_BYTES (512 + 3 * RSP_S3_KEY_BYTES)

/* Encodes all characters except letters, digits and -._~/, as signatures require. */
static char *put_encoded(char *at, const char *key)
{
	static const char hex[] = "0123456789ABCDEF";

	for (const unsigned char *c = (const unsigned char *)key; *c; c++) {
		if (isalnum(*c) || strchr("-._~/", *c)) {
			*at++ = (char)*c;
			continue;
		}
		*at++ = '%';
		*at++ = hex[*c >> 4];
		*at++ = hex[*c & 15];
	}
	*at = '\0';
	return at;
}

static int make_url(const struct rsp_s3 *s3, const char *key, char ret[static URL_BYTES])
{
	size_t len = strlen(s3->url);
	int n;

	while (len && s3->url[len - 1] == '/')
		len--;
	if (!*key || strlen(key) >= RSP_S3_KEY_BYTES)
		return -EINVAL;
	n = snprintf(ret, 512, "%.*s/%s/", (int)len, s3->url, s3->bucket);
	if (n >= 512)
		return -EINVAL;
	put_encoded(ret + n, key);
	return 0;
}

/* The caller sets all members of req except url and auth. */
static int request(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		   struct rsp_http_request *req, struct rsp_http_response *answer)
{
	char url[URL_BYTES];

	if (make_url(s3, key, url) < 0) {
		*answer = (struct rsp_http_response){0};
		snprintf(answer->why, sizeof(answer->why),
			 "the URL or the key is too long for an object store");
		return -EINVAL;
	}
	req->url = url;
	req->auth = (struct rsp_http_auth){.kind = RSP_HTTP_AUTH_AWS,
					   .user = s3->key_id,
					   .secret = s3->secret,
					   .region = s3->region};
	return rsp_http_request(http, req, answer);
}

int rsp_s3_head(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		struct rsp_s3_object *ret, struct rsp_http_response *answer)
{
	struct rsp_http_request req = {.method = "HEAD"};
	char bytes[24];
	int r = request(http, s3, key, &req, answer);

	if (r < 0)
		return r;
	*ret = (struct rsp_s3_object){0};
	ret->bytes = strtoull(
		rsp_http_response_header(answer, "Content-Length", bytes, sizeof(bytes)), NULL, 10);
	rsp_http_response_header(answer, "x-amz-meta-sha256", ret->sha256, sizeof(ret->sha256));
	return 0;
}

static bool exists(const struct rsp_s3_object *object, const struct rsp_http_file *file,
		   const struct rsp_http_response *answer)
{
	return answer->status == 200 && object->bytes == file->size &&
	       strcmp(object->sha256, file->sha256) == 0;
}

/*
 * Most errors with status 400 are not about the object, but about a wrong region or an expired key.
 */
static bool is_about_object(const struct rsp_http_response *answer)
{
	const char *text = answer->body.v ? answer->body.v : "";

	return answer->status != 400 || strstr(text, "<Code>EntityTooLarge<") ||
	       strstr(text, "<Code>KeyTooLongError<");
}

int rsp_s3_put_once(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		    const char *type, const struct rsp_http_file *file, bool *ret_sent,
		    struct rsp_http_response *answer)
{
	char type_header[80], hash[100];
	struct rsp_http_request req = {
		.method = "PUT", .file = file, .headers = {type_header, hash}};
	struct rsp_s3_object object;
	int r = rsp_s3_head(http, s3, key, &object, answer);

	*ret_sent = false;
	if (r < 0 || exists(&object, file, answer))
		return r;
	/*
	 * Without the right to list the bucket, HEAD of an absent object is refused, but PUT may be
	 * accepted. So a refused HEAD does not matter. If the store refuses the PUT, its answer
	 * contains the reason.
	 */
	if (answer->class == RSP_HTTP_BUSY || (answer->status == 0 && answer->class != RSP_HTTP_OK))
		return 0;
	rsp_http_response_done(answer);
	snprintf(type_header, sizeof(type_header), "Content-Type: %s", type);
	snprintf(hash, sizeof(hash), "x-amz-meta-sha256: %s", file->sha256);
	r = request(http, s3, key, &req, answer);
	*ret_sent = r == 0 && answer->class == RSP_HTTP_OK;
	if (r == 0 && answer->class == RSP_HTTP_NEVER && !is_about_object(answer))
		answer->class = RSP_HTTP_REFUSED;
	return r;
}

int rsp_s3_get(struct rsp_http *http, const struct rsp_s3 *s3, const char *key, int fd,
	       uint64_t max, struct rsp_http_response *answer)
{
	struct rsp_http_request req = {.method = "GET", .save_fd = &fd, .save_max = max};

	return request(http, s3, key, &req, answer);
}
