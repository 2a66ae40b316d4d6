/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that stores snapshots in an object store. A snapshot becomes two objects: its file, and a
 * JSON object that describes it (docs/exports.md). In the spool, a batch contains only the
 * descriptions of the snapshots. The files are sent directly from the recorder's store.
 */
#ifndef RSP_EXPORT_S3_SINK_H
#define RSP_EXPORT_S3_SINK_H

#include "export/sink.h"
#include "lib/http/s3.h"

struct rsp_s3_config {
	struct rsp_s3 store;
	/*
	 * Returns a descriptor for reading, which the caller closes, or -errno; -ENOENT: the file
	 * no longer exists.
	 */
	int (*open_snapshot)(void *userdata, const char *id);
	void *userdata;
};

/*
 * Makes the key of a snapshot: PREFIX/HOST/BOOT/UNIT/TIME-ID.rsp (docs/exports.md). In names, bytes
 * with a special meaning in paths or URLs become '_'. prefix may be "". Returns 0, or
 * -ENAMETOOLONG.
 */
int rsp_s3_key(const char *prefix, const struct rsp_export_host *host,
	       const struct rsp_export_snapshot *snapshot, char ret[static RSP_S3_KEY_BYTES]);

#endif
