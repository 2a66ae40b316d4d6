// SPDX-License-Identifier: GPL-2.0-or-later
/* See link.h. */
#include "tests/truth/link.h"

#include <err.h>
#include <errno.h>
#include <unistd.h>

void link_read_byte(struct link *l)
{
	char token;

	while (read(l->in, &token, 1) != 1)
		if (errno != EINTR)
			err(1, "read");
}
