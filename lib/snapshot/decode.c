/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks records, and converts fields of records to text. The checks protect only memory and the
 * end of loops; the reader of a record decides whether its contents make sense.
 */
#include "lib/snapshot/decode.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/text.h"
#include "rsp/event-layout.h"

static const __u16 kind_bytes[RSP_EV_KIND_MAX] = {
	[RSP_EV_SWITCH] = sizeof(struct rsp_ev_switch),
	[RSP_EV_WAKING] = sizeof(struct rsp_ev_waking),
	[RSP_EV_SAMPLE] = sizeof(struct rsp_ev_sample),
	[RSP_EV_BLOCK] = sizeof(struct rsp_ev_block),
	[RSP_EV_IRQ] = sizeof(struct rsp_ev_irq),
	[RSP_EV_NET] = sizeof(struct rsp_ev_net),
	[RSP_EV_STACK] = sizeof(struct rsp_ev_stack),
	[RSP_EV_OBJECT] = sizeof(struct rsp_ev_object),
	[RSP_EV_SOCKET] = sizeof(struct rsp_ev_socket),
	[RSP_EV_TASK] = sizeof(struct rsp_ev_task),
	[RSP_EV_EXIT] = sizeof(struct rsp_ev_exit),
	[RSP_EV_LOST] = sizeof(struct rsp_ev_lost),
	[RSP_EV_WORK] = sizeof(struct rsp_ev_work),
	[RSP_EV_BINARY] = sizeof(struct rsp_ev_binary),
	[RSP_EV_SHED] = sizeof(struct rsp_ev_shed),
	[RSP_EV_DELAY] = sizeof(struct rsp_ev_delay),
	[RSP_EV_MESSAGE] = sizeof(struct rsp_ev_message),
	[RSP_EV_MARK] = sizeof(struct rsp_ev_mark),
	[RSP_EV_COUNTERS] = sizeof(struct rsp_ev_counters),
	[RSP_EV_ACCOUNT] = sizeof(struct rsp_ev_account),
	[RSP_EV_CALLS] = sizeof(struct rsp_ev_calls),
	[RSP_EV_CPU_TIME] = sizeof(struct rsp_ev_cpu_time),
	[RSP_EV_MEMORY] = sizeof(struct rsp_ev_memory),
	[RSP_EV_MEMORY_WATCH] = sizeof(struct rsp_ev_memory_watch),
	[RSP_EV_STOLEN] = sizeof(struct rsp_ev_stolen),
	[RSP_EV_CONTAINER] = sizeof(struct rsp_ev_container),
};

size_t rsp_record_bytes(__u16 kind)
{
	return kind < RSP_EV_KIND_MAX ? kind_bytes[kind] : 0;
}

static bool terminated(const char *s, size_t len)
{
	return memchr(s, '\0', len);
}

static bool stack_fits(const struct rsp_ev_stack *stack)
{
	return stack->frame_cnt <= RSP_STACK_FRAMES_MAX &&
	       stack->frame_cnt <= (stack->hdr.size - sizeof(*stack)) / sizeof(stack->frames[0]);
}

static bool object_fits(const struct rsp_ev_object *obj)
{
	return obj->name_len <= sizeof(obj->name) &&
	       (obj->name_len == 0 || obj->name[obj->name_len - 1] == '\0');
}

static bool binary_fits(const struct rsp_ev_binary *binary)
{
	return binary->build_id_len <= sizeof(binary->build_id) &&
	       terminated(binary->path, binary->hdr.size - sizeof(*binary));
}

static bool container_fits(const struct rsp_ev_container *container)
{
	return terminated(container->name, sizeof(container->name)) &&
	       terminated(container->pod, sizeof(container->pod)) &&
	       terminated(container->name_space, sizeof(container->name_space));
}

static bool content_fits(const struct rsp_ev_hdr *hdr)
{
	switch (hdr->kind) {
	case RSP_EV_STACK:
		return hdr->size >= kind_bytes[hdr->kind] && stack_fits((const void *)hdr);
	case RSP_EV_MEMORY_WATCH: /* older recorders wrote shorter records */
		return hdr->size >= RSP_EV_MEMORY_WATCH_SIZE_MIN;
	case RSP_EV_BINARY:
		return hdr->size >= kind_bytes[hdr->kind] && binary_fits((const void *)hdr);
	}
	if (hdr->size != kind_bytes[hdr->kind])
		return false;

	switch (hdr->kind) {
	case RSP_EV_OBJECT:
		return object_fits((const void *)hdr);
	case RSP_EV_TASK:
		return terminated(((const struct rsp_ev_task *)hdr)->comm, RSP_TASK_COMM_LEN);
	case RSP_EV_CONTAINER:
		return container_fits((const void *)hdr);
	case RSP_EV_MARK:
		return terminated(((const struct rsp_ev_mark *)hdr)->text, RSP_MARK_TEXT_MAX);
	}
	return true;
}

int rsp_record_check(const void *buf, size_t len)
{
	const struct rsp_ev_hdr *hdr = buf;

	if (len < sizeof(*hdr) || hdr->size < sizeof(*hdr) || hdr->size > len || hdr->size % 8 != 0)
		return -EBADMSG;
	if (hdr->kind == 0)
		return -EBADMSG;
	if (rsp_record_bytes(hdr->kind) && !content_fits(hdr))
		return -EBADMSG;
	return 0;
}

int rsp_record_next(const void *buf, size_t len, size_t *off, const struct rsp_ev_hdr **ret)
{
	const struct rsp_ev_hdr *hdr = (const void *)((const char *)buf + *off);
	int r;

	if (*off == len)
		return 0;
	r = rsp_record_check(hdr, len - *off);
	if (r < 0)
		return r;
	*off += hdr->size;
	*ret = hdr;
	return 1;
}

/* --- names ---------------------------------------------------------------------------------- */

/* A string that is being built. Text for which there is no room is cut off. */
struct text {
	char *buf;
	size_t len, cap;
};

static void text_add(struct text *t, const char *s)
{
	while (*s && t->len + 1 < t->cap)
		t->buf[t->len++] = *s++;
	t->buf[t->len] = '\0';
}

static const char *nameless(__u32 type)
{
	switch (type) {
	case RSP_OBJ_PIPE:
		return "pipe";
	case RSP_OBJ_UNIX:
		return "unix socket";
	case RSP_OBJ_SOCKET:
		return "socket";
	case RSP_OBJ_ANON:
		return "[anon]";
	case RSP_OBJ_DISK:
		return "disk";
	case RSP_OBJ_IRQ:
		return "interrupt";
	}
	return "?";
}

static bool is_path(__u32 type)
{
	return type == RSP_OBJ_FILE || type == RSP_OBJ_DEVICE || type == RSP_OBJ_CGROUP;
}

/* The record contains the components of the path leaf first, so they are read from the end. */
static void add_path(struct text *t, const struct rsp_ev_object *obj)
{
	if (obj->hdr.flags & RSP_OBJ_TRUNCATED)
		text_add(t, "...");
	for (__u32 end = obj->name_len; end > 0;) {
		__u32 start = end - 1;

		while (start > 0 && obj->name[start - 1] != '\0')
			start--;
		text_add(t, "/");
		text_add(t, obj->name + start);
		end = start;
	}
	if (t->len == 0)
		text_add(t, "/");
}

char *rsp_object_name(const struct rsp_ev_object *obj, char *buf, size_t len)
{
	struct text t = {.buf = buf, .cap = len};

	if (len == 0)
		return buf;
	if (is_path(obj->type))
		add_path(&t, obj);
	else if (obj->name_len > 0 && obj->name[0] != '\0')
		text_add(&t, obj->name);
	else
		text_add(&t, nameless(obj->type));
	rsp_text_clean(buf);
	return buf;
}

char *rsp_binary_name(const struct rsp_ev_binary *binary, char *buf, size_t len)
{
	/* the kernel appends this text to the paths of deleted files */
	static const char deleted[] = " (deleted)";
	const size_t deleted_len = sizeof(deleted) - 1;
	const char *slash = strrchr(binary->path, '/');
	const char *name = slash ? slash + 1 : binary->path;
	size_t name_len = strlen(name);

	if (len == 0)
		return buf;
	if (name_len > deleted_len && strcmp(name + name_len - deleted_len, deleted) == 0)
		name_len -= deleted_len;
	snprintf(buf, len, "%.*s", (int)name_len, name);
	rsp_text_clean(buf);
	return buf;
}

static char *endpoint(__u16 family, const __u8 addr[static 16], __u16 port, char *buf, size_t len)
{
	static const __u8 zeroes[16];
	char host[INET6_ADDRSTRLEN + 2] = "*", ip[INET6_ADDRSTRLEN], service[8] = "*";

	if (family != AF_INET && family != AF_INET6) {
		snprintf(buf, len, "%s", family == AF_UNIX ? nameless(RSP_OBJ_UNIX) : "?");
		return buf;
	}
	if (memcmp(addr, zeroes, family == AF_INET ? 4 : 16) != 0) {
		inet_ntop(family, addr, ip, sizeof(ip));
		snprintf(host, sizeof(host), family == AF_INET ? "%s" : "[%s]", ip);
	}
	if (port)
		snprintf(service, sizeof(service), "%u", port);
	snprintf(buf, len, "%s:%s", host, service);
	return buf;
}

char *rsp_socket_local(const struct rsp_ev_socket *sock, char *buf, size_t len)
{
	return endpoint(sock->family, sock->local, sock->local_port, buf, len);
}

char *rsp_socket_remote(const struct rsp_ev_socket *sock, char *buf, size_t len)
{
	return endpoint(sock->family, sock->remote, sock->remote_port, buf, len);
}

const char *rsp_shed_name(__u32 step)
{
	static const char *const names[RSP_SHED_CNT] = {
		[RSP_SHED_NOTHING] = "nothing",
		[RSP_SHED_WAKER_STACKS] = "wakers' stacks",
		[RSP_SHED_HOT_STACKS] = "stacks of tasks that switch often",
		[RSP_SHED_STACKS] = "most stacks",
		[RSP_SHED_SAMPLES] = "most samples",
		[RSP_SHED_SLICES] = "switches and wakeups",
	};

	return step < RSP_SHED_CNT ? names[step] : "something";
}

const char *rsp_memory_kind_name(__u32 kind)
{
	static const char *const names[RSP_MEMORY_KIND_MAX] = {
		[RSP_MEMORY_FAULTS] = "faults",
		[RSP_MEMORY_MMAP] = "mmap",
		[RSP_MEMORY_BRK] = "brk",
		[RSP_MEMORY_MALLOC] = "malloc",
	};

	return kind < RSP_MEMORY_KIND_MAX ? names[kind] : NULL;
}

__u32 rsp_memory_kind_parse(const char *name)
{
	for (__u32 kind = 1; kind < RSP_MEMORY_KIND_MAX; kind++)
		if (strcmp(name, rsp_memory_kind_name(kind)) == 0)
			return kind;
	return 0;
}
