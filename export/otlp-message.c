/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See otlp-message.h. */
#include "export/otlp-message.h"

#include <errno.h>
#include <string.h>

#include "lib/base/text.h"

typedef Rsp__Otlp__AnyValue AnyValue;

void rsp_otlp_message_done(struct rsp_otlp_message *m)
{
	rsp_arena_done(&m->arena);
}

void *rsp_otlp_message_new(struct rsp_otlp_message *m, const void *init, size_t size)
{
	void *p = rsp_arena_alloc(&m->arena, size);

	if (!p) {
		m->error = -ENOMEM;
		p = &m->waste;
	}
	return memcpy(p, init, size);
}

void *rsp_otlp_message_list(struct rsp_otlp_message *m, size_t cnt)
{
	void *p = cnt ? rsp_arena_alloc(&m->arena, cnt * sizeof(void *)) : NULL;

	if (cnt && !p)
		m->error = -ENOMEM;
	return p;
}

char *rsp_otlp_message_text(struct rsp_otlp_message *m, const char *s)
{
	char *copy = rsp_arena_alloc(&m->arena, strlen(s) + 1);

	if (!copy) {
		m->error = -ENOMEM;
		return m->waste.bytes;
	}
	strcpy(copy, s);
	rsp_text_clean(copy);
	return copy;
}

/* --- attributes and resources ----------------------------------------------------------------- */

struct rsp_otlp_attributes rsp_otlp_attributes_new(struct rsp_otlp_message *m)
{
	return (struct rsp_otlp_attributes){.m = m,
					    .v = rsp_otlp_message_list(m, RSP_OTLP_ATTRIBUTES_MAX)};
}

static AnyValue *add(struct rsp_otlp_attributes *a, const char *key)
{
	OtlpKeyValue *pair = RSP_OTLP_NEW(a->m, OtlpKeyValue, RSP__OTLP__KEY_VALUE__INIT);
	AnyValue *value = RSP_OTLP_NEW(a->m, AnyValue, RSP__OTLP__ANY_VALUE__INIT);

	if (!a->v || a->m->error)
		return value;
	pair->key = (char *)key;
	pair->value = value;
	a->v[a->cnt++] = pair;
	return value;
}

void rsp_otlp_attributes_text(struct rsp_otlp_attributes *a, const char *key, const char *text)
{
	char *copy = rsp_otlp_message_text(a->m, text);
	AnyValue *value;

	if (!*text || a->cnt == RSP_OTLP_ATTRIBUTES_MAX)
		return;
	value = add(a, key);
	value->value_case = RSP__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	value->string_value = copy;
}

void rsp_otlp_attributes_number(struct rsp_otlp_attributes *a, const char *key, uint64_t n)
{
	AnyValue *value;

	if (a->cnt == RSP_OTLP_ATTRIBUTES_MAX)
		return;
	value = add(a, key);
	value->value_case = RSP__OTLP__ANY_VALUE__VALUE_INT_VALUE;
	value->int_value = (int64_t)n;
}

OtlpResource *rsp_otlp_resource(struct rsp_otlp_message *m, const struct rsp_export_host *host,
				const char *unit, const char *container, const char *cgroup)
{
	OtlpResource *resource = RSP_OTLP_NEW(m, OtlpResource, RSP__OTLP__RESOURCE__INIT);
	struct rsp_otlp_attributes a = rsp_otlp_attributes_new(m);
	const char *name = *unit ? unit : *container ? container : *cgroup ? cgroup : "unknown";

	rsp_otlp_attributes_text(&a, "service.name", name);
	rsp_otlp_attributes_text(&a, "host.name", host->name);
	rsp_otlp_attributes_text(&a, "host.id", host->machine);
	rsp_otlp_attributes_text(&a, "container.id", container);
	rsp_otlp_attributes_text(&a, "rsp.cgroup", cgroup);
	rsp_otlp_attributes_text(&a, "os.type", "linux");
	resource->n_attributes = a.cnt;
	resource->attributes = a.v;
	return resource;
}

OtlpScope *rsp_otlp_scope(struct rsp_otlp_message *m)
{
	OtlpScope *scope = RSP_OTLP_NEW(m, OtlpScope, RSP__OTLP__INSTRUMENTATION_SCOPE__INIT);

	scope->name = (char *)"RSP";
	scope->version = (char *)RSP_VERSION;
	return scope;
}

int rsp_otlp_message_pack(struct rsp_otlp_message *m, const ProtobufCMessage *message,
			  struct rsp_buffer *ret)
{
	size_t len;
	int r;

	if (m->error)
		return m->error;
	len = protobuf_c_message_get_packed_size(message);
	r = rsp_buffer_reserve(ret, len);
	if (r < 0)
		return r;
	protobuf_c_message_pack(message, (uint8_t *)ret->v + ret->len);
	ret->len += len;
	ret->v[ret->len] = '\0';
	return 0;
}

/* --- members of summaries --------------------------------------------------------------------- */

struct json_object *rsp_otlp_member(struct json_object *o, const char *key, enum json_type type)
{
	struct json_object *value = NULL;

	if (!json_object_object_get_ex(o, key, &value) || !json_object_is_type(value, type))
		return NULL;
	return value;
}

uint64_t rsp_otlp_member_number(struct json_object *o, const char *key)
{
	return json_object_get_uint64(rsp_otlp_member(o, key, json_type_int));
}

const char *rsp_otlp_member_text(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_otlp_member(o, key, json_type_string);

	return value ? json_object_get_string(value) : "";
}
