/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See host.h. */
#include "export/host.h"

#include <errno.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#include "lib/base/text.h"

/*
 * The ID of the machine is confidential (machine-id(5)), so only a hash of the ID and this constant
 * leaves the host. If the constant changed, all hosts would get new identities.
 */
#define APPLICATION_ID SD_ID128_MAKE(7b, 1e, 0c, 5d, 9a, 42, 4f, 0b, 8e, 63, d1, 27, 5a, 90, 3c, f8)

int rsp_export_host_get(struct rsp_export_host *ret)
{
	sd_id128_t machine;
	int r = sd_id128_get_machine_app_specific(APPLICATION_ID, &machine);

	if (r < 0)
		return r;
	*ret = (struct rsp_export_host){0};
	sd_id128_to_string(machine, ret->machine);
	if (gethostname(ret->name, sizeof(ret->name) - 1) < 0)
		return -errno;
	rsp_text_clean(ret->name);
	return 0;
}
