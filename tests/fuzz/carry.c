/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes segments of random records (records.h) to a carry (lib/snapshot/carry.h). Checks that the
 * records in the carry are valid.
 */
#include "lib/snapshot/carry.h"
#include "tests/fuzz/records.h"

static int check_chunk(const void *records, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *hdr;
	size_t off = 0;
	int r;

	while ((r = rsp_record_next(records, len, &off, &hdr)) > 0)
		;
	must(r == 0);
	return 0;
}

static void check(const struct rsp_carry *c)
{
	must(rsp_carry_foreach(c, check_chunk, NULL) == 0);
}

static void copy(struct rsp_carry **c)
{
	struct rsp_carry *other;

	must(rsp_carry_copy(*c, &other) == 0);
	rsp_carry_free(*c);
	*c = other;
}

static void fold(struct rsp_carry *c, struct input *in, __u64 *now_ns)
{
	static __u64 buf[RECORD_BYTES_MAX / 8 * 16];
	size_t len = 0;

	for (unsigned int cnt = 1 + take_u8(in) % 15; cnt > 0; cnt--) {
		struct rsp_ev_hdr *hdr = (void *)((char *)buf + len);

		if (!take_record(in, now_ns, hdr))
			break;
		len += hdr->size;
	}
	rsp_carry_fold(c, buf, len);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct input in = {data, len};
	__u64 now_ns = RECORDS_BASE_NS;
	struct rsp_carry *c;

	must(rsp_carry_new(&c) == 0);
	while (in.len > 0) {
		__u8 what = take_u8(&in);

		if (what < 0xc0)
			fold(c, &in, &now_ns);
		else if (what < 0xe0)
			rsp_carry_drop_older(c, take_time(&in, &now_ns));
		else if (what < 0xf0)
			rsp_carry_trim(c, take_u16(&in));
		else
			copy(&c);
	}
	check(c);
	rsp_carry_trim(c, 0);
	rsp_carry_drop_older(c, UINT64_MAX);
	check(c);
	rsp_carry_free(c);
	return 0;
}
