/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See choose.h. */
#include "daemon/snapshots/choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/owner.h"
#include "lib/trace/own.h"

/* A process from its start to its end. Several processes may have had the same PID. */
struct life {
	__u32 tgid;
	__u64 start_ns;
	__u64 cgroup_id;
	__u64 score;
	char comm[RSP_TASK_COMM_LEN];
	bool wanted;
	/* req->uid may not see the process, or could not at some time since its last exec */
	bool foreign;
	bool ended;
};

/* A container that the client selected. */
struct selected {
	char *path; /* path of its cgroup */
	struct rsp_container container;
	bool competes;
};

struct rsp_choice {
	const struct rsp_dump_request *req;
	struct {
		struct life *v;
		size_t cnt, cap;
	} lives;
	/* keys: tids of the threads of processes; values: index of the newest life in lives */
	struct rsp_idmap life_of;
	struct rsp_idmap sockets; /* ids of sockets with the wanted port */
	/*
	 * IDs of wanted cgroups, possibly thousands. With wanted.container, the values are indexes
	 * in containers, and the map is complete only after the last record.
	 */
	struct rsp_idmap cgroups;
	struct {
		struct selected *v;
		size_t cnt, cap;
	} containers;
	/* a selected container runs, so containers that have ended do not count */
	bool running_only;
	__u64 newest_ns;   /* time of the newest TASK record */
	bool lacks_births; /* TASK or EXIT records were lost */
};

struct rsp_choice *rsp_choice_new(const struct rsp_dump_request *req)
{
	struct rsp_choice *c = calloc(1, sizeof(*c));
	int r = 0;

	if (!c)
		return NULL;
	c->req = req;
	for (size_t i = 0; i < req->wanted.cgroup_cnt && r == 0; i++)
		r = rsp_idmap_put(&c->cgroups, req->wanted.cgroup_ids[i], 0);
	return r < 0 ? rsp_choice_free(c) : c;
}

struct rsp_choice *rsp_choice_free(struct rsp_choice *c)
{
	if (!c)
		return NULL;
	free(c->lives.v);
	for (size_t i = 0; i < c->containers.cnt; i++)
		free(c->containers.v[i].path);
	free(c->containers.v);
	rsp_idmap_done(&c->life_of);
	rsp_idmap_done(&c->sockets);
	rsp_idmap_done(&c->cgroups);
	free(c);
	return NULL;
}

static bool is_wanted(const struct rsp_choice *c, const struct rsp_ev_task *task)
{
	const struct rsp_dump_request *req = c->req;
	const struct rsp_wanted *wanted = &req->wanted;

	if (req->meta.target_pid && req->pidns == RSP_PIDNS_INITIAL)
		return task->tgid == req->meta.target_pid;
	if (req->meta.target_pid)
		return task->pidns == req->pidns && task->ns_tgid == req->meta.target_pid;
	if (wanted->port)
		return true;
	if (wanted->own)
		return task->uid == req->uid && !rsp_task_is_kernel(task);
	if (wanted->cgroup_cnt)
		return rsp_idmap_get(&c->cgroups, task->cgroup_id, &(uint64_t){0});
	return wanted->comm[0] && strncmp(task->comm, wanted->comm, sizeof(task->comm)) == 0;
}

static struct life *life_of(const struct rsp_choice *c, __u32 tid)
{
	uint64_t index;

	return rsp_idmap_get(&c->life_of, tid, &index) ? &c->lives.v[index] : NULL;
}

/*
 * Redaction decides by PID, so a new process with the PID of a foreign process counts as foreign
 * until its next exec.
 */
static int begin_life(struct rsp_choice *c, const struct rsp_ev_task *task, struct life **ret)
{
	const struct life *before = life_of(c, task->tgid);
	bool foreign = before && before->foreign;
	struct life *life = rsp_array_add(&c->lives);

	if (!life)
		return -ENOMEM;
	*life = (struct life){.tgid = task->tgid, .start_ns = task->start_ns, .foreign = foreign};
	*ret = life;
	return rsp_idmap_put(&c->life_of, task->tgid, c->lives.cnt - 1);
}

static int see_task(struct rsp_choice *c, const struct rsp_ev_task *task)
{
	struct life *life = life_of(c, task->tgid);
	int r = 0;

	if (task->tid != task->tgid)
		return life ? rsp_idmap_put(&c->life_of, task->tid, (uint64_t)(life - c->lives.v))
			    : 0;
	if (task->hdr.ts_ns > c->req->meta.until_ns)
		return 0;
	if (!life || life->tgid != task->tgid || life->start_ns < task->start_ns)
		r = begin_life(c, task, &life);
	if (r < 0 || task->start_ns < life->start_ns)
		return r;
	/* The last name counts: until exec, a process has the name of its parent. */
	life->wanted = is_wanted(c, task) || (life->wanted && !c->req->wanted.comm[0]);
	life->cgroup_id = task->cgroup_id;
	memcpy(life->comm, task->comm, sizeof(life->comm));
	if (!rsp_task_is_of(task, c->req->uid))
		life->foreign = true;
	else if (task->hdr.flags & RSP_TASK_EXEC)
		life->foreign = false;
	return 0;
}

static void see_exit(struct rsp_choice *c, const struct rsp_ev_exit *ev)
{
	struct life *life = life_of(c, ev->tgid);

	if (!life)
		return;
	life->foreign |= (ev->attrs & RSP_TASK_ATTR_CLOSED) != 0;
	life->ended |= ev->tid == ev->tgid;
}

static void see_lost(struct rsp_choice *c, const struct rsp_ev_lost *lost)
{
	c->lacks_births |= (lost->hdr.flags & RSP_LOST_BIRTHS) != 0;
}

static struct selected *selected(struct rsp_choice *c, const char *path, size_t len)
{
	struct selected *slot;

	for (size_t i = 0; i < c->containers.cnt; i++)
		if (strlen(c->containers.v[i].path) == len &&
		    memcmp(c->containers.v[i].path, path, len) == 0)
			return &c->containers.v[i];
	slot = rsp_array_add(&c->containers);
	if (!slot)
		return NULL;
	*slot = (struct selected){.path = strndup(path, len)};
	if (slot->path)
		return slot;
	c->containers.cnt--;
	return NULL;
}

int rsp_choice_see_container(struct rsp_choice *c, const struct rsp_ev_object *obj,
			     const struct rsp_ev_container *names)
{
	struct rsp_container container;
	char path[2 * RSP_NAME_MAX];
	struct selected *s;
	size_t len;

	if (!c->req->wanted.container[0] || obj->type != RSP_OBJ_CGROUP ||
	    !rsp_container_of_path(rsp_object_name(obj, path, sizeof(path)), &container, &len))
		return 0;
	rsp_container_add_names(names, &container);
	if (!rsp_container_matches(&container, c->req->wanted.container))
		return 0;
	s = selected(c, path, len);
	if (!s)
		return -ENOMEM;
	s->container = container;
	return rsp_idmap_put(&c->cgroups, obj->ino, (uint64_t)(s - c->containers.v));
}

static int see_socket(struct rsp_choice *c, const struct rsp_ev_socket *socket)
{
	if (!c->req->wanted.port || socket->local_port != c->req->wanted.port)
		return 0;
	return rsp_idmap_put(&c->sockets, socket->id, 0);
}

static void count(struct rsp_choice *c, __u32 tid)
{
	struct life *life = life_of(c, tid);

	if (life)
		life->score++;
}

static void see_net(struct rsp_choice *c, const struct rsp_ev_net *net)
{
	if (c->req->wanted.port && (net->hdr.flags & RSP_NET_SEND) &&
	    rsp_idmap_get(&c->sockets, net->object, &(uint64_t){0}))
		count(c, net->tid);
}

int rsp_choice_see(struct rsp_choice *c, const struct rsp_ev_hdr *rec)
{
	const struct rsp_ev_switch *sw = (const void *)rec;

	if (rec->kind == RSP_EV_TASK && rec->ts_ns > c->newest_ns)
		c->newest_ns = rec->ts_ns;
	switch (rec->kind) {
	case RSP_EV_TASK:
		return see_task(c, (const void *)rec);
	case RSP_EV_EXIT:
		see_exit(c, (const void *)rec);
		return 0;
	case RSP_EV_LOST:
		see_lost(c, (const void *)rec);
		return 0;
	case RSP_EV_OBJECT:
		return rsp_choice_see_container(c, (const void *)rec, NULL);
	case RSP_EV_SOCKET:
		return see_socket(c, (const void *)rec);
	case RSP_EV_NET:
		see_net(c, (const void *)rec);
		return 0;
	case RSP_EV_SWITCH:
		if (!c->req->wanted.port)
			count(c, sw->prev_tid);
		return 0;
	}
	return 0;
}

/*
 * If a process has ended and its EXIT record was lost, nothing shows whether it had closed itself.
 */
static bool may_be_closed(const struct rsp_choice *c, const struct life *life,
			  rsp_choice_is_closed_fn is_closed)
{
	int r = is_closed(life->tgid, c->req->uid);

	return r > 0 || (r == -ESRCH && c->lacks_births && !life->ended);
}

int rsp_choice_close(struct rsp_choice *c, rsp_choice_is_closed_fn is_closed,
		     rsp_choice_close_fn close, void *userdata)
{
	/*
	 * The new record is later than all other TASK records: the process may have started the
	 * program that closed itself at any time before.
	 */
	__u64 ts_ns = c->newest_ns > c->req->meta.until_ns ? c->newest_ns : c->req->meta.until_ns;
	int r = 0;

	for (size_t i = 0; i < c->lives.cnt && r == 0; i++) {
		struct life *life = &c->lives.v[i];
		struct rsp_ev_task task = {
			.hdr = {.ts_ns = ts_ns,
				.kind = RSP_EV_TASK,
				.size = sizeof(task),
				.flags = RSP_TASK_SEED},
			.tid = life->tgid,
			.tgid = life->tgid,
			.uid = c->req->uid,
			.start_ns = life->start_ns,
			.attrs = RSP_TASK_ATTR_CLOSED,
		};

		if (life->foreign || !may_be_closed(c, life, is_closed))
			continue;
		life->foreign = true;
		r = close(&task, userdata);
	}
	return r;
}

static bool is_forbidden(const struct rsp_choice *c, const struct life *life)
{
	return c->req->own_only && (life->foreign || life_of(c, life->tgid)->foreign);
}

static struct selected *container_of(const struct rsp_choice *c, const struct life *life)
{
	uint64_t index;

	if (!c->req->wanted.container[0] || (c->running_only && life->ended) ||
	    !rsp_idmap_get(&c->cgroups, life->cgroup_id, &index))
		return NULL;
	return &c->containers.v[index];
}

static size_t compete(struct rsp_choice *c)
{
	size_t cnt = 0;

	for (size_t i = 0; i < c->lives.cnt; i++)
		c->running_only |= !c->lives.v[i].ended && container_of(c, &c->lives.v[i]) &&
				   !is_forbidden(c, &c->lives.v[i]);
	for (size_t i = 0; i < c->lives.cnt; i++) {
		struct selected *s = container_of(c, &c->lives.v[i]);

		if (!s || s->competes || is_forbidden(c, &c->lives.v[i]))
			continue;
		s->competes = true;
		cnt++;
	}
	return cnt;
}

void rsp_choice_candidates(const struct rsp_choice *c, char ret[static RSP_CANDIDATES_BYTES])
{
	*ret = '\0';
	for (size_t i = 0; i < c->containers.cnt; i++)
		if (c->containers.v[i].competes)
			rsp_candidates_add(ret, &c->containers.v[i].container);
}

static bool is_better(const struct rsp_choice *c, const struct life *a, const struct life *b)
{
	if (is_forbidden(c, a) != is_forbidden(c, b))
		return is_forbidden(c, b);
	/* Users who name no process are not interested in the recorder's processes. */
	if (c->req->wanted.own && rsp_is_recorder(a->comm) != rsp_is_recorder(b->comm))
		return rsp_is_recorder(b->comm);
	if (!c->req->meta.target_pid && a->score != b->score)
		return a->score > b->score;
	return a->start_ns > b->start_ns;
}

int rsp_choice_decide(struct rsp_choice *c, struct rsp_meta *meta)
{
	const struct life *best = NULL;

	if (c->req->wanted.container[0] && compete(c) > 1)
		return -ENOTUNIQ;
	for (size_t i = 0; i < c->lives.cnt; i++) {
		const struct life *life = &c->lives.v[i];

		if ((!life->wanted && !container_of(c, life)) ||
		    (c->req->wanted.port && !life->score))
			continue;
		if (c->req->wanted.own && is_forbidden(c, life))
			continue;
		if (!best || is_better(c, life, best))
			best = life;
	}
	if (!best)
		return -ESRCH;
	if (is_forbidden(c, best))
		return -EACCES;
	meta->target_pid = best->tgid;
	meta->target_start_ns = best->start_ns;
	memcpy(meta->target_comm, best->comm, sizeof(meta->target_comm));
	return 0;
}
