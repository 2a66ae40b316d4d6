/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen FILE: prints the data of a snapshot about all processes, one fact per line, so that tests
 * can check what a user may see.
 *
 *	task TID TGID UID COMM
 *	switch TID CNT			(CNT: number of switches from the thread; TID 0: idle CPUs)
 *	object NAME
 *	binary PATH
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "tests/tools/open-trace.h"

static void count_switch(struct rsp_idmap *switches, const struct rsp_ev_switch *sw)
{
	uint64_t cnt = 0;

	rsp_idmap_get(switches, sw->prev_tid, &cnt);
	if (rsp_idmap_put(switches, sw->prev_tid, cnt + 1) < 0)
		errx(1, "no memory");
}

static void print_record(const struct rsp_ev_hdr *hdr, struct rsp_idmap *switches)
{
	const struct rsp_ev_container *container = (const void *)hdr;
	const struct rsp_ev_task *task = (const void *)hdr;
	char name[2 * RSP_NAME_MAX];

	switch (hdr->kind) {
	case RSP_EV_TASK:
		printf("task %u %u %u %s\n", task->tid, task->tgid, task->uid, task->comm);
		break;
	case RSP_EV_SWITCH:
		count_switch(switches, (const void *)hdr);
		break;
	case RSP_EV_OBJECT:
		printf("object %s\n", rsp_object_name((const void *)hdr, name, sizeof(name)));
		break;
	case RSP_EV_CONTAINER:
		printf("container %s/%s/%s\n", container->name_space, container->pod,
		       container->name);
		break;
	case RSP_EV_BINARY:
		printf("binary %s\n", ((const struct rsp_ev_binary *)hdr)->path);
		break;
	}
}

int main(int argc, char **argv)
{
	struct rsp_idmap switches = {0};
	struct rsp_trace *trace;
	uint64_t tid, cnt;
	size_t pos = 0;

	if (argc != 2)
		errx(2, "usage: seen FILE");
	trace = open_trace(argv[1]);
	for (size_t i = 0; i < trace->snap->section_cnt; i++) {
		const struct rsp_section *section = &trace->snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (section->type == RSP_SEC_EVENTS &&
		       rsp_record_next(section->data, section->len, &off, &hdr) > 0)
			print_record(hdr, &switches);
	}
	while (rsp_idmap_next(&switches, &pos, &tid, &cnt))
		printf("switch %" PRIu64 " %" PRIu64 "\n", tid, cnt);
	rsp_idmap_done(&switches);
	close_trace(trace);
	return 0;
}
