/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts struct rsp_meta to the JSON object of a META section, and back. */
#include "lib/snapshot/snapshot-format.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/base/text.h"

enum field_type {
	FIELD_STRING,
	FIELD_BOOL,
	FIELD_U32,
	FIELD_S32,
	FIELD_U64,
	FIELD_S64,
};

struct field {
	const char *key;
	enum field_type type;
	size_t off, size;
	bool optional; /* omitted from the JSON if it is 0, false or empty */
};

#define FIELD(key, type)                                                                           \
	{                                                                                          \
#key, type, offsetof(struct rsp_meta, key), SIZE(rsp_meta, key), false             \
	}
#define EXTRA(of, key, type)                                                                       \
	{                                                                                          \
#key, type, offsetof(struct of, key), SIZE(of, key), true                          \
	}
#define SIZE(of, key) sizeof(((struct of *)0)->key)

static const struct field meta_fields[] = {
	FIELD(id, FIELD_STRING),
	FIELD(host, FIELD_STRING),
	EXTRA(rsp_meta, boot_id, FIELD_STRING),
	FIELD(kernel, FIELD_STRING),
	FIELD(arch, FIELD_STRING),
	FIELD(version, FIELD_STRING),
	FIELD(command, FIELD_STRING),
	FIELD(cpu_cnt, FIELD_U32),
	FIELD(target_pid, FIELD_U32),
	EXTRA(rsp_meta, target_comm, FIELD_STRING),
	EXTRA(rsp_meta, target_tid, FIELD_U32),
	FIELD(target_start_ns, FIELD_U64),
	FIELD(since_ns, FIELD_U64),
	FIELD(until_ns, FIELD_U64),
	FIELD(window_oldest_ns, FIELD_U64),
	EXTRA(rsp_meta, events_until_ns, FIELD_U64),
	EXTRA(rsp_meta, redacted, FIELD_BOOL),
	FIELD(realtime_offset_ns, FIELD_S64),
	FIELD(sample_hz, FIELD_U32),
	FIELD(exit_status, FIELD_S32),
};
#define META_FIELD_CNT (sizeof(meta_fields) / sizeof(meta_fields[0]))

/* A nested object in META; it exists if the name of the SLO is not empty. */
#define TRIGGER_KEY "trigger"
static const struct field trigger_fields[] = {
	EXTRA(rsp_trigger, slo, FIELD_STRING),	     EXTRA(rsp_trigger, measure, FIELD_STRING),
	EXTRA(rsp_trigger, subject, FIELD_STRING),   EXTRA(rsp_trigger, resource, FIELD_STRING),
	EXTRA(rsp_trigger, full, FIELD_BOOL),	     EXTRA(rsp_trigger, value_ns, FIELD_U64),
	EXTRA(rsp_trigger, threshold_ns, FIELD_U64), EXTRA(rsp_trigger, quantile_ppm, FIELD_U32),
	EXTRA(rsp_trigger, over_ns, FIELD_U64),	     EXTRA(rsp_trigger, cnt, FIELD_U64),
	EXTRA(rsp_trigger, over_cnt, FIELD_U64),
};
#define TRIGGER_FIELD_CNT (sizeof(trigger_fields) / sizeof(trigger_fields[0]))

#define HOSTS_KEY "hosts"
static const struct field host_fields[] = {
	EXTRA(rsp_meta_host, name, FIELD_STRING),
	EXTRA(rsp_meta_host, id, FIELD_STRING),
	EXTRA(rsp_meta_host, cpu_first, FIELD_U32),
	EXTRA(rsp_meta_host, offset_ns, FIELD_S64),
	EXTRA(rsp_meta_host, drift_ppb, FIELD_S32),
	EXTRA(rsp_meta_host, drift_error_ppb, FIELD_U32),
	EXTRA(rsp_meta_host, uncertainty_ns, FIELD_U64),
};
#define HOST_FIELD_CNT (sizeof(host_fields) / sizeof(host_fields[0]))

#undef EXTRA
#undef FIELD
#undef SIZE

static struct json_object *new_string(const char *src, size_t size)
{
	char text[sizeof(((struct rsp_meta *)0)->command)];

	snprintf(text, sizeof(text), "%.*s", (int)size, src);
	rsp_text_clean(text);
	return json_object_new_string(text);
}

static struct json_object *new_value(const void *src, const struct field *f)
{
	switch (f->type) {
	case FIELD_STRING:
		return new_string(src, f->size);
	case FIELD_BOOL:
		return json_object_new_boolean(*(const bool *)src);
	case FIELD_U32:
		return json_object_new_int64(*(const uint32_t *)src);
	case FIELD_S32:
		return json_object_new_int64(*(const int32_t *)src);
	case FIELD_U64:
		return json_object_new_uint64(*(const uint64_t *)src);
	case FIELD_S64:
		return json_object_new_int64(*(const int64_t *)src);
	}
	return NULL;
}

static bool is_set(const char *src, const struct field *f)
{
	size_t size = f->type == FIELD_STRING ? 1 : f->size;

	for (size_t i = 0; i < size; i++)
		if (src[i])
			return true;
	return false;
}

static int add_value(struct json_object *obj, const char *key, struct json_object *value)
{
	if (value && json_object_object_add(obj, key, value) == 0)
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

static int add_fields(struct json_object *obj, const void *base, const struct field *fields,
		      size_t cnt)
{
	int r = 0;

	for (size_t i = 0; i < cnt && r == 0; i++) {
		const char *src = (const char *)base + fields[i].off;

		if (!fields[i].optional || is_set(src, &fields[i]))
			r = add_value(obj, fields[i].key, new_value(src, &fields[i]));
	}
	return r;
}

static int add_trigger(struct json_object *obj, const struct rsp_trigger *trigger)
{
	struct json_object *value;
	int r;

	if (!trigger->slo[0])
		return 0;
	value = json_object_new_object();
	r = add_value(obj, TRIGGER_KEY, value);
	return r < 0 ? r : add_fields(value, trigger, trigger_fields, TRIGGER_FIELD_CNT);
}

static int add_hosts(struct json_object *obj, const struct rsp_meta *meta)
{
	struct json_object *list;
	int r;

	if (!meta->host_cnt)
		return 0;
	list = json_object_new_array();
	r = add_value(obj, HOSTS_KEY, list);
	for (uint32_t i = 0; i < meta->host_cnt && r == 0; i++) {
		struct json_object *host = json_object_new_object();

		r = host ? add_fields(host, &meta->hosts[i], host_fields, HOST_FIELD_CNT) : -ENOMEM;
		if (r == 0 && json_object_array_add(list, host) == 0)
			continue;
		json_object_put(host);
		r = -ENOMEM;
	}
	return r;
}

int rsp_meta_format(const struct rsp_meta *meta, char **ret, size_t *ret_len)
{
	_cleanup_json_ struct json_object *obj = json_object_new_object();
	const char *text;
	char *copy;

	if (!obj || add_fields(obj, meta, meta_fields, META_FIELD_CNT) < 0 ||
	    add_trigger(obj, &meta->trigger) < 0 || add_hosts(obj, meta) < 0)
		return -ENOMEM;
	text = json_object_to_json_string_ext(obj, JSON_C_TO_STRING_PLAIN);
	copy = text ? strdup(text) : NULL;
	if (!copy)
		return -ENOMEM;
	*ret = copy;
	*ret_len = strlen(copy);
	return 0;
}

/* Stores a number, limited to the range of the member. json-c limits numbers to 64 bits. */
static void take_number(const struct field *f, struct json_object *value, void *dst)
{
	int64_t s = json_object_get_int64(value);
	uint64_t u = json_object_get_uint64(value);

	switch (f->type) {
	case FIELD_U32:
		*(uint32_t *)dst = u > UINT32_MAX ? UINT32_MAX : (uint32_t)u;
		break;
	case FIELD_S32:
		*(int32_t *)dst = s > INT32_MAX	  ? INT32_MAX
				  : s < INT32_MIN ? INT32_MIN
						  : (int32_t)s;
		break;
	case FIELD_U64:
		*(uint64_t *)dst = u;
		break;
	case FIELD_S64:
		*(int64_t *)dst = s;
		break;
	case FIELD_STRING:
	case FIELD_BOOL:
		break;
	}
}

static void take_value(const struct field *f, struct json_object *value, char *dst)
{
	switch (json_object_get_type(value)) {
	case json_type_string:
		if (f->type != FIELD_STRING)
			break;
		snprintf(dst, f->size, "%s", json_object_get_string(value));
		rsp_text_clean(dst);
		break;
	case json_type_boolean:
		if (f->type == FIELD_BOOL)
			*(bool *)dst = json_object_get_boolean(value);
		break;
	case json_type_int:
		take_number(f, value, dst);
		break;
	default:
		break;
	}
}

static void take_fields(struct json_object *obj, const struct field *fields, size_t cnt, void *base)
{
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *value;

		if (json_object_object_get_ex(obj, fields[i].key, &value))
			take_value(&fields[i], value, (char *)base + fields[i].off);
	}
}

static void clean_fields(const struct field *fields, size_t cnt, char *base)
{
	for (size_t i = 0; i < cnt; i++) {
		char *p = base + fields[i].off;

		if (fields[i].type == FIELD_STRING) {
			p[fields[i].size - 1] = '\0';
			rsp_text_clean(p);
		} else if (fields[i].type == FIELD_BOOL) {
			*p = *p != 0;
		}
	}
}

void rsp_meta_clean(struct rsp_meta *meta)
{
	clean_fields(meta_fields, META_FIELD_CNT, (char *)meta);
	clean_fields(trigger_fields, TRIGGER_FIELD_CNT, (char *)&meta->trigger);
	if (meta->host_cnt > RSP_HOST_CNT_MAX)
		meta->host_cnt = RSP_HOST_CNT_MAX;
	for (uint32_t i = 0; i < meta->host_cnt; i++)
		clean_fields(host_fields, HOST_FIELD_CNT, (char *)&meta->hosts[i]);
}

char *rsp_meta_comm(const struct rsp_meta *meta, const struct rsp_ev_task *task,
		    char buf[static RSP_COMM_MAX])
{
	__u32 host = rsp_host_of_tid(task->tid);

	if (host < meta->host_cnt && host != rsp_host_of_tid(meta->target_pid))
		snprintf(buf, RSP_COMM_MAX, "%s@%s", task->comm, meta->hosts[host].name);
	else
		snprintf(buf, RSP_COMM_MAX, "%s", task->comm);
	rsp_text_clean(buf);
	return buf;
}

void rsp_meta_choose_process(struct rsp_meta *meta, uint32_t pid)
{
	if (pid == meta->target_pid)
		return;
	meta->target_pid = pid;
	meta->target_tid = 0;
	meta->target_comm[0] = '\0';
	meta->target_start_ns = 0;
	meta->trigger = (struct rsp_trigger){0};
	meta->command[0] = '\0';
	meta->exit_status = -1;
}

void rsp_meta_choose_whole(struct rsp_meta *meta)
{
	if (meta->window_oldest_ns && meta->window_oldest_ns < meta->since_ns)
		meta->since_ns = meta->window_oldest_ns;
	if (meta->events_until_ns > meta->until_ns)
		meta->until_ns = meta->events_until_ns;
	meta->target_tid = 0;
	meta->trigger = (struct rsp_trigger){0};
}

/* Stores the hosts. Hosts beyond RSP_HOST_CNT_MAX are ignored. */
static void take_hosts(struct json_object *list, struct rsp_meta *ret)
{
	size_t cnt = json_object_array_length(list);

	for (size_t i = 0; i < cnt && i < RSP_HOST_CNT_MAX; i++) {
		struct json_object *host = json_object_array_get_idx(list, i);

		ret->host_cnt++;
		if (json_object_is_type(host, json_type_object))
			take_fields(host, host_fields, HOST_FIELD_CNT, &ret->hosts[i]);
	}
}

int rsp_meta_parse(const char *json, size_t len, struct rsp_meta *ret)
{
	_cleanup_json_ struct json_object *obj = NULL;
	struct rsp_meta meta = {.exit_status = -1};
	struct json_object *trigger, *hosts;
	int r;

	if (len > RSP_META_BYTES_MAX)
		return -EBADMSG;
	r = rsp_json_parse(json, len, RSP_META_DEPTH_MAX, &obj);
	if (r < 0)
		return r;
	take_fields(obj, meta_fields, META_FIELD_CNT, &meta);
	if (json_object_object_get_ex(obj, TRIGGER_KEY, &trigger) &&
	    json_object_is_type(trigger, json_type_object))
		take_fields(trigger, trigger_fields, TRIGGER_FIELD_CNT, &meta.trigger);
	if (json_object_object_get_ex(obj, HOSTS_KEY, &hosts) &&
	    json_object_is_type(hosts, json_type_array))
		take_hosts(hosts, &meta);
	*ret = meta;
	return 0;
}
