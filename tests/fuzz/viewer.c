/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any history (records.h) becomes a page: its head is JSON, and each column is as long as it says.
 * What packs them into HTML is left out, since it only takes time.
 */
#include <errno.h>
#include <stdio.h>

#include "records.h"
#include "lib/base/json.h"
#include "lib/viewer/viewer-parts.h"
#include "lib/viewer/viewer.h"

/* In place of the library's. */
int rsp_viewer_html(const struct rsp_viewer *v, const char *head, size_t head_len, FILE *out)
{
	struct json_object *o;

	must(rsp_json_parse(head, head_len, 64, &o) == 0);
	json_object_put(o);
	for (size_t i = 0; i < RSP_COL_MAX; i++) {
		size_t size = rsp_column_size(&v->columns.v[i]);
		unsigned char *bytes = malloc(size);

		if (size)
			rsp_column_read(&v->columns.v[i], 0, bytes, size);
		free(bytes);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len};
	struct rsp_trace *trace;
	struct rsp_meta meta;
	bool must_occur = take_u8(&in) & 1, lossy;
	int r;

	records_take(&in, &records);
	meta = records.snap.meta;
	must(rsp_trace_new(&records.snap, &trace) == 0);
	r = rsp_viewer_write(&records.snap, trace, must_occur, stdout, &lossy);
	must(r == 0 || (must_occur && r == -ESRCH));
	must(memcmp(&meta, &records.snap.meta, sizeof(meta)) == 0);
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
