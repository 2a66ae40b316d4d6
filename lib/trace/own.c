/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See own.h. */
#include "lib/trace/own.h"

#include <string.h>

bool rsp_is_recorder(const char *comm)
{
	static const char *const names[] = {"rspd", "rsp-worker", "rspctl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(comm, names[i]) == 0)
			return true;
	return strncmp(comm, "rspd-", strlen("rspd-")) == 0;
}
