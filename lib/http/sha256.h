/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes SHA-256 with nettle. Results are in hexadecimal: 64 digits and a NUL. */
#ifndef RSP_LIB_HTTP_SHA256_H
#define RSP_LIB_HTTP_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define RSP_SHA256_HEX_BYTES 65

void rsp_sha256_hex(const void *bytes, size_t len, char ret[static RSP_SHA256_HEX_BYTES]);

/*
 * Computes the hash of a whole file. *ret_size: the size of the file in bytes. Returns 0 or -errno.
 */
int rsp_sha256_file(int fd, char ret[static RSP_SHA256_HEX_BYTES], uint64_t *ret_size);

#endif
