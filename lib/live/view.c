/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See view.h. */
#include "lib/live/view.h"

#include "lib/base/text.h"

#define CLEAN(s)                                                                                   \
	do {                                                                                       \
		(s)[sizeof(s) - 1] = '\0';                                                         \
		rsp_text_clean(s);                                                                 \
	} while (0)

const char *rsp_live_category_name(enum rsp_live_category cat)
{
	static const char *const names[RSP_LIVE_CATEGORIES] = {
		[RSP_LIVE_CPU] = "cpu",	  [RSP_LIVE_QUEUE] = "queue", [RSP_LIVE_DISK] = "disk",
		[RSP_LIVE_LOCK] = "lock", [RSP_LIVE_NET] = "net",     [RSP_LIVE_OTHER] = "other",
		[RSP_LIVE_IDLE] = "idle",
	};

	return cat < RSP_LIVE_CATEGORIES ? names[cat] : "other";
}

static void bound(__u32 *cnt)
{
	if (*cnt > RSP_LIVE_ROWS)
		*cnt = RSP_LIVE_ROWS;
}

static void clean_waiter(struct rsp_live_waiter *w)
{
	CLEAN(w->comm);
	CLEAN(w->call);
	CLEAN(w->object);
	CLEAN(w->place);
	CLEAN(w->awaited);
	if (w->category >= RSP_LIVE_CATEGORIES)
		w->category = RSP_LIVE_OTHER;
}

void rsp_live_view_clean(struct rsp_live_view *view)
{
	bound(&view->function_rows);
	bound(&view->waiter_rows);
	bound(&view->server_rows);
	bound(&view->process_rows);
	for (__u32 i = 0; i < view->function_rows; i++) {
		CLEAN(view->functions[i].name);
		CLEAN(view->functions[i].module);
		CLEAN(view->functions[i].comm);
	}
	for (__u32 i = 0; i < view->waiter_rows; i++)
		clean_waiter(&view->waiters[i]);
	for (__u32 i = 0; i < view->server_rows; i++) {
		CLEAN(view->servers[i].comm);
		CLEAN(view->servers[i].where);
	}
	for (__u32 i = 0; i < view->process_rows; i++)
		CLEAN(view->processes[i].comm);
}
