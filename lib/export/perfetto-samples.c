/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes samples with their stacks. A frame, mapping or stack is written before its first use. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/export/perfetto.h"

/* Keys of tables are compared byte by byte, so they must not contain padding. */
struct mapping_key {
	__u32 path, build_id; /* ids from 1; 0: none */
};

struct frame_key {
	__u64 place;
	__u32 function, mapping;
};

/* Returns 1 + the id of the key. */
static uint64_t put(struct rsp_perfetto *p, struct rsp_intern *table, const void *key, size_t len,
		    bool *is_new)
{
	size_t known = table->cnt;
	__u32 id = 0;

	if (rsp_intern_put(table, key, len, &id) < 0)
		p->error = -ENOMEM;
	*is_new = id == known;
	return id + 1ULL;
}

static void write_interned(struct rsp_perfetto *p, PB(InternedData) * data)
{
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	packet.interned_data = data;
	rsp_perfetto_put(p, &packet);
}

enum string_kind { FUNCTION_NAME, MAPPING_PATH, BUILD_ID /* raw bytes */ };

static uint64_t put_string(struct rsp_perfetto *p, enum string_kind kind, const void *s, size_t len)
{
	struct rsp_intern *const tables[] = {&p->functions, &p->paths, &p->build_ids};
	PB(InternedString) string = PB_INIT(INTERNED_STRING), *one = &string;
	PB(InternedData) data = PB_INIT(INTERNED_DATA);
	bool is_new;
	uint64_t id = put(p, tables[kind], s, len, &is_new);

	if (!is_new)
		return id;
	PB_SET(&string, iid, id);
	string.has_str = true;
	string.str = (ProtobufCBinaryData){len, (uint8_t *)s};
	if (kind == FUNCTION_NAME) {
		data.n_function_names = 1;
		data.function_names = &one;
	} else if (kind == MAPPING_PATH) {
		data.n_mapping_paths = 1;
		data.mapping_paths = &one;
	} else {
		data.n_build_ids = 1;
		data.build_ids = &one;
	}
	write_interned(p, &data);
	return id;
}

static uint64_t write_mapping(struct rsp_perfetto *p, const struct rsp_export_frame *f)
{
	const struct rsp_ev_binary *binary = f->binary ? rsp_trace_binary(p->x->trace, f->binary)
						       : NULL;
	PB(Mapping) mapping = PB_INIT(MAPPING), *one = &mapping;
	PB(InternedData) data = PB_INIT(INTERNED_DATA);
	const char *file = rsp_export_path(p->x, f);
	struct mapping_key key;
	uint64_t id, path;
	bool is_new;

	path = put_string(p, MAPPING_PATH, file, strlen(file));
	key.path = (__u32)path;
	key.build_id = (__u32)put_string(p, BUILD_ID, binary ? binary->build_id : NULL,
					 binary ? rsp_export_build_id_len(binary) : 0);
	id = put(p, &p->mappings, &key, sizeof(key), &is_new);
	if (!is_new)
		return id;
	PB_SET(&mapping, iid, id);
	PB_SET(&mapping, build_id, key.build_id);
	mapping.n_path_string_ids = 1;
	mapping.path_string_ids = &path;
	data.n_mappings = 1;
	data.mappings = &one;
	write_interned(p, &data);
	return id;
}

static uint64_t put_mapping(struct rsp_perfetto *p, const struct rsp_export_frame *f)
{
	uint64_t known;

	if (!f->binary)
		return write_mapping(p, f);
	if (rsp_idmap_get(&p->mapping_of, f->binary, &known))
		return known;
	known = write_mapping(p, f);
	if (rsp_idmap_put(&p->mapping_of, f->binary, known) < 0)
		p->error = -ENOMEM;
	return known;
}

static uint64_t put_frame(struct rsp_perfetto *p, const struct rsp_export_frame *f)
{
	PB(Frame) frame = PB_INIT(FRAME), *one = &frame;
	PB(InternedData) data = PB_INIT(INTERNED_DATA);
	struct frame_key key = {.place = f->has_place ? f->place : 0};
	uint64_t id;
	bool is_new;

	key.function = (__u32)put_string(p, FUNCTION_NAME, f->symbol, strlen(f->symbol));
	key.mapping = (__u32)put_mapping(p, f);
	id = put(p, &p->frames, &key, sizeof(key), &is_new);
	if (!is_new)
		return id;
	PB_SET(&frame, iid, id);
	PB_SET(&frame, function_name_id, key.function);
	PB_SET(&frame, mapping_id, key.mapping);
	PB_SET(&frame, rel_pc, key.place);
	data.n_frames = 1;
	data.frames = &one;
	write_interned(p, &data);
	return id;
}

/* A callstack of Perfetto begins with the outermost frame. */
static uint64_t put_callstack(struct rsp_perfetto *p, __u64 kstack, __u64 ustack)
{
	size_t cnt = rsp_export_frames(p->x, kstack, ustack, p->scratch);
	_cleanup_free_ uint64_t *ids = calloc(cnt + 1, sizeof(*ids));
	PB(Callstack) callstack = PB_INIT(CALLSTACK), *one = &callstack;
	PB(InternedData) data = PB_INIT(INTERNED_DATA);
	uint64_t id;
	bool is_new;

	if (!ids) {
		p->error = -ENOMEM;
		return 0;
	}
	for (size_t i = 0; i < cnt; i++)
		ids[cnt - 1 - i] = put_frame(p, &p->scratch[i]);
	id = put(p, &p->callstacks, ids, cnt * sizeof(*ids), &is_new);
	if (!is_new || !cnt)
		return cnt ? id : 0;
	PB_SET(&callstack, iid, id);
	callstack.n_frame_ids = cnt;
	callstack.frame_ids = ids;
	data.n_callstacks = 1;
	data.callstacks = &one;
	write_interned(p, &data);
	return id;
}

/* Finds the frames of each stack only once. */
static uint64_t callstack_of(struct rsp_perfetto *p, __u64 kstack, __u64 ustack)
{
	__u64 key = rsp_names_stack_key(kstack, ustack);
	uint64_t id;

	if (rsp_idmap_get(&p->callstack_of, key, &id))
		return id;
	id = put_callstack(p, kstack, ustack);
	if (rsp_idmap_put(&p->callstack_of, key, id) < 0)
		p->error = -ENOMEM;
	return id;
}

static void put_sample(struct rsp_perfetto *p, const struct rsp_export_thread *who,
		       const struct rsp_ev_sample *ev)
{
	uint64_t callstack = callstack_of(p, ev->kstack, ev->ustack);
	PB(PerfSample) sample = PB_INIT(PERF_SAMPLE);
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	PB_SET(&sample, cpu, ev->hdr.cpu);
	PB_SET(&sample, pid, who->tgid);
	PB_SET(&sample, tid, ev->tid);
	if (callstack)
		PB_SET(&sample, callstack_iid, callstack);
	PB_SET(&packet, timestamp, ev->hdr.ts_ns);
	packet.perf_sample = &sample;
	rsp_perfetto_put(p, &packet);
}

void rsp_perfetto_put_samples(struct rsp_perfetto *p)
{
	const struct rsp_model *m = p->x->model;
	struct rsp_export_span s;

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];

		if (!rsp_export_has_thread(p->x, i))
			continue;
		for (size_t k = 0; rsp_export_next_span(p->x, t, &k, &s) && !p->error;)
			for (__u32 n = 0;
			     s.span && s.span->kind == RSP_SPAN_RUN && n < s.sample_cnt; n++)
				put_sample(p, &p->x->threads[i], t->samples.v[s.sample_first + n]);
	}
}
