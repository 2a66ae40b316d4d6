/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of a bucket, accessed by the S3 API: requests with paths (URL/BUCKET/KEY) and Signature
 * Version 4. The hash of each content is signed, so the store refuses damaged content.
 */
#ifndef RSP_LIB_HTTP_S3_H
#define RSP_LIB_HTTP_S3_H

#include "lib/http/http.h"

struct rsp_s3 {
	const char *url; /* of the store, without the bucket */
	const char *bucket, *region;
	const char *key_id, *secret;
};

/* Includes the NUL. S3 allows keys of 1024 bytes. */
#define RSP_S3_KEY_BYTES 1025

struct rsp_s3_object {
	uint64_t bytes;
	char sha256[65]; /* "": rsp_s3_put_once() did not store the object */
};

/*
 * All functions return what rsp_http_request() returns, and -EINVAL for a key that is empty or too
 * long. The caller must release answer, even after an error.
 */

/* Asks whether an object exists: answer->class is RSP_HTTP_OK or RSP_HTTP_ABSENT. */
int rsp_s3_head(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		struct rsp_s3_object *ret, struct rsp_http_response *answer);

/*
 * Stores a file, unless the object exists and has the same content. *ret_sent: false if the object
 * existed. file must contain the hash.
 */
int rsp_s3_put_once(struct rsp_http *http, const struct rsp_s3 *s3, const char *key,
		    const char *type, const struct rsp_http_file *file, bool *ret_sent,
		    struct rsp_http_response *answer);

/* Writes at most max bytes of the content of an object to fd. */
int rsp_s3_get(struct rsp_http *http, const struct rsp_s3 *s3, const char *key, int fd,
	       uint64_t max, struct rsp_http_response *answer);

#endif
