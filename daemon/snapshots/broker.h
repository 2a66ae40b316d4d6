/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rsp-worker wishes for -> an open file, if that may be read for the one who asks. Takes the
 * worker for somebody else's: it gets binaries that stacks name, their debug files, and what
 * processes tell of code that they made, and neither through links nor by guessing anything else.
 * Reads no more of a file than the four bytes that tell that it is ELF.
 */
#ifndef RSP_DAEMON_BROKER_H
#define RSP_DAEMON_BROKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/files/files.h"

struct rsp_binaries;

struct rsp_broker {
	const struct rsp_binaries *binaries;
	bool only_readable; /* give only what uid could read */
	uid_t uid;
};

/* Whose process the wish is about; root's if it has ended. Does not wait. */
uid_t rsp_broker_owner(const struct rsp_broker *broker, const struct rsp_file_wish *wish);

/*
 * A file descriptor (the caller closes it); -EACCES: not to be had; -ENOENT: of a binary that
 * nobody knows; -errno of the last place that was tried. If a user's file system or another machine
 * stands behind the file it is a copy. May wait for ever.
 */
int rsp_broker_open(const struct rsp_broker *broker, const struct rsp_file_wish *wish);

#endif
