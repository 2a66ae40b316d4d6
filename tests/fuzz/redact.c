/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Redacts a random snapshot (records.h). The snapshot for a user must contain no data of other
 * users.
 */
#include "tests/unit/redact-property.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	const char *left = redact_property(data, len);

	if (left) {
		fprintf(stderr, "left: %s\n", left);
		abort();
	}
	return 0;
}
