/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes objects in a bucket with the S3 API. Requests have paths (URL/BUCKET/KEY) and a
 * Signature Version 4. The signature includes the hash of the content, so the store refuses damaged
 * content.
 */
#ifndef RSP_LIB_HTTP_S3_H
#define RSP_LIB_HTTP_S3_H

#include "lib/http/http.h"

struct rsp_s3 {
	const char *url; /* URL of the store, without the bucket */
	const char *bucket, *region;
	const char *key_id, *secret;
};

/* S3 allows keys of 1024 bytes. */
#define RSP_S3_KEY_BYTES 1025

struct rsp_s3_object {
	uint64_t bytes;
	char sha256[65]; /* "": the object was not stored by rsp_s3_put_once() */
};

/*
 * All functions return the values of rsp_http_request(), or -EINVAL if the key is empty or too
 * long. The caller must release answer, even after an error.
 */

/*
 * answer->class is RSP_HTTP_OK if the object exists, RSP_HTTP_ABSENT if it does not, or another
 * class if this is unknown.
 */
int rsp_s3_head(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		struct rsp_s3_object *ret, struct rsp_http_response *answer);

/*
 * Stores a file, unless the object exists and has the same content. *ret_sent: whether the file was
 * stored now. file->sha256 must be set.
 */
int rsp_s3_put_once(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		    const char *type, const struct rsp_http_file *file, bool *ret_sent,
		    struct rsp_http_response *answer);

/* If the object has more than max bytes, the request fails. */
int rsp_s3_get(struct rsp_http *http, const struct rsp_s3 *s3, const char *key, int fd,
	       uint64_t max, struct rsp_http_response *answer);

#endif
