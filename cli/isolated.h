/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work on what strangers wrote, with nobody's rights: root's rspctl does not parse snapshots
 * itself.
 */
#ifndef RSP_CLI_ISOLATED_H
#define RSP_CLI_ISOLATED_H

/*
 * Calls work(userdata), which returns an enum rsp_exit; what it needs is open by then, and it may
 * write to what is open. If we are root a child calls it, in a sandbox. name: of what is worked on.
 * Returns what work returned; RSP_EXIT_FAILURE if the child died of it, which has been told.
 */
int rsp_isolated(int (*work)(void *userdata), void *userdata, const char *name);

#endif
