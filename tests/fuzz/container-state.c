/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as a state file of a container runtime. The first byte selects the runtime. All
 * names in the result must be valid.
 */
#include "lib/containers/state.h"
#include "lib/snapshot/container.h"
#include "tests/fuzz/input.h"

static void check_name(const char *name, size_t size)
{
	must(strnlen(name, size) < size);
	must(!*name || rsp_container_name_ok(name, size));
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static const char id[] = "68f3ceb1a4e324737c99768ef46ee7cf9907129640d6d8384576010d142d93e7";
	struct rsp_ev_container names = {0};

	if (!len || rsp_container_state_read(1 + data[0] % (RSP_CONTAINER_STATE_MAX - 1),
					     (const char *)data + 1, len - 1, id, &names) < 0)
		return 0;
	check_name(names.name, sizeof(names.name));
	check_name(names.pod, sizeof(names.pod));
	check_name(names.name_space, sizeof(names.name_space));
	must(*names.name || *names.pod);
	return 0;
}
