/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames carry standard output and files through one pipe. `rspctl -H` uses them to fetch the file
 * of -o or --html from another host. A frame never contains the name of a file, so the other host
 * cannot choose it.
 */
#ifndef RSP_CLI_FRAMES_H
#define RSP_CLI_FRAMES_H

#include <stdint.h>

enum rsp_frame_channel {
	RSP_FRAME_STDOUT = 1,
	RSP_FRAME_FILE_OUTPUT = 2, /* file of -o */
	RSP_FRAME_FILE_HTML = 3,   /* file of --html */
	RSP_FRAME_FILE_END = 4,	   /* end of a file; the frame contains the file's channel */
};

/* The header of a frame, little-endian. */
struct rsp_frame_header {
	uint32_t channel;
	uint32_t len;
};

#define RSP_FRAME_BYTES 65536 /* largest content of a frame */

#endif
