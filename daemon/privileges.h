/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Root's rights -> those that recording takes. */
#ifndef RSP_DAEMON_PRIVILEGES_H
#define RSP_DAEMON_PRIVILEGES_H

/* For good, for us and all that we start. 0 or -errno. */
int rsp_privileges_drop(void);

#endif
