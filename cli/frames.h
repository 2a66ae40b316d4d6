/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output and files, through one pipe: how `rspctl -H` gets from another host a file that
 * -o or --html names. The other side never names a file, it only says which of the two it is.
 */
#ifndef RSP_CLI_FRAMES_H
#define RSP_CLI_FRAMES_H

#include <stdint.h>

enum rsp_frame_channel {
	RSP_FRAME_STDOUT = 1,
	RSP_FRAME_FILE_OUTPUT = 2, /* of -o */
	RSP_FRAME_FILE_HTML = 3,   /* of --html */
	RSP_FRAME_FILE_END = 4,	   /* the file is whole */
};

/* Before each piece, little-endian. */
struct rsp_frame_header {
	uint32_t channel;
	uint32_t len;
};

#define RSP_FRAME_BYTES 65536 /* of a piece, at most */

#endif
