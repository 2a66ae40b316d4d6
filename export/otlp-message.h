/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds messages of OTLP (lib/export/proto/otlp.proto) in an arena. After an error, all functions
 * can still be called, and rsp_otlp_message_pack() returns the error.
 */
#ifndef RSP_EXPORT_OTLP_MESSAGE_H
#define RSP_EXPORT_OTLP_MESSAGE_H

#include <json-c/json.h>
#include <stdint.h>

#include "export/sink.h"
#include "lib/base/arena.h"
#include "lib/base/buffer.h"
#include "lib/export/proto/otlp.pb-c.h"

typedef Rsp__Otlp__KeyValue OtlpKeyValue;
typedef Rsp__Otlp__Resource OtlpResource;
typedef Rsp__Otlp__InstrumentationScope OtlpScope;

struct rsp_otlp_message {
	struct rsp_arena arena;
	int error; /* sticky: -ENOMEM */
	/*
	 * If memory runs out, functions return this memory, so that callers can write to the
	 * result.
	 */
	union {
		char bytes[256];
		void *align;
	} waste;
};

void rsp_otlp_message_done(struct rsp_otlp_message *m);

/* The caller fills in the copy of the initialized message init. Never returns NULL. */
void *rsp_otlp_message_new(struct rsp_otlp_message *m, const void *init, size_t size);
#define RSP_OTLP_NEW(m, type, init)                                                                \
	({                                                                                         \
		type init_ = init;                                                                 \
		_Static_assert(sizeof(init_) <= sizeof((m)->waste), "room after an error");        \
		(type *)rsp_otlp_message_new(m, &init_, sizeof(init_));                            \
	})

/* Returns an array of cnt pointers; NULL: cnt is 0, or memory ran out. */
void *rsp_otlp_message_list(struct rsp_otlp_message *m, size_t cnt);
/* Returns a copy of s, cleaned by rsp_text_clean(). */
char *rsp_otlp_message_text(struct rsp_otlp_message *m, const char *s);

/* Attributes whose text is empty are not added. */
#define RSP_OTLP_ATTRIBUTES_MAX 16
struct rsp_otlp_attributes {
	struct rsp_otlp_message *m;
	OtlpKeyValue **v;
	size_t cnt;
};
struct rsp_otlp_attributes rsp_otlp_attributes_new(struct rsp_otlp_message *m);
void rsp_otlp_attributes_text(struct rsp_otlp_attributes *a, const char *key, const char *text);
void rsp_otlp_attributes_number(struct rsp_otlp_attributes *a, const char *key, uint64_t n);

/* The name of the resource is the unit or, without a unit, the container or the cgroup. */
OtlpResource *rsp_otlp_resource(struct rsp_otlp_message *m, const struct rsp_export_host *host,
				const char *unit, const char *container, const char *cgroup);
OtlpScope *rsp_otlp_scope(struct rsp_otlp_message *m);

/* Appends the packed message to ret. Returns 0 or -ENOMEM. */
int rsp_otlp_message_pack(struct rsp_otlp_message *m, const ProtobufCMessage *message,
			  struct rsp_buffer *ret);

/* If the member is missing or has another type, these functions return 0, "" or NULL. */
uint64_t rsp_otlp_member_number(struct json_object *o, const char *key);
const char *rsp_otlp_member_text(struct json_object *o, const char *key);
struct json_object *rsp_otlp_member(struct json_object *o, const char *key, enum json_type type);

/*
 * Both functions append a packed request to ret, unless the batch contains no metrics or logs. Both
 * return 0 or -ENOMEM.
 */
int rsp_otlp_put_metrics(const struct rsp_batch *batch, struct rsp_buffer *ret);
int rsp_otlp_put_logs(const struct rsp_batch *batch, struct rsp_buffer *ret);

#endif
