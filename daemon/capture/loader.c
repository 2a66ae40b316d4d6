/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See loader.h. */
#include "daemon/capture/loader.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/*
 * Size of the verifier's log, as libbpf itself would allocate it. The kernel provides memory only
 * for the part that is written.
 */
#define LOG_BYTES (16U << 20)

static void btf_freep(struct btf **btf)
{
	btf__free(*btf);
}

/* --- opening ---------------------------------------------------------------------------------- */

/*
 * libbpf searches the kernel's modules for attach targets that the kernel image lacks. Listing
 * modules requires CAP_SYS_ADMIN. libbpf up to version 1.1 treats the first refusal as a failure to
 * load, but not later ones. So this function triggers the first search, for a target that does not
 * exist.
 */
static void search_modules(struct rsp_bpf *bpf)
{
	(void)bpf_program__set_attach_target(bpf->progs.on_switch, 0, "rsp:nowhere");
}

/*
 * Returns NULL for the running kernel's types: libbpf then reads these and the types of modules
 * itself.
 */
static const char *custom_types(const char *btf_path)
{
	return strcmp(btf_path, "/sys/kernel/btf/vmlinux") == 0 ? NULL : btf_path;
}

/* log: buffer of LOG_BYTES for the verifier's log; may be NULL. */
static int open_object(const struct rsp_loading *loading, const struct btf *btf, char *log,
		       struct rsp_ladder *ladder, struct rsp_bpf **ret)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = custom_types(loading->btf_path),
		    .kernel_log_buf = log, .kernel_log_size = log ? LOG_BYTES : 0);
	struct rsp_bpf *bpf = rsp_bpf__open_opts(&opts);
	int r;

	if (!bpf)
		return -errno;
	rsp_ladder_choose(ladder, bpf, btf, loading->net, loading->never_pauses);
	r = loading->prepare(bpf, loading->userdata);
	if (r < 0) {
		rsp_bpf__destroy(bpf);
		return r;
	}
	search_modules(bpf);
	*ret = bpf;
	return 0;
}

/* --- feature by feature ----------------------------------------------------------------------- */

struct trial {
	const struct rsp_loading *loading;
	const struct btf *btf;
	struct rsp_ladder *ladder;
	char *log;
	bool is_accepted[RSP_FEATURE_CNT];
	__u32 parts; /* of the accepted features */
};

static void load_only(struct rsp_bpf *bpf, const struct rsp_feature *feature)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, bpf->obj)
		if (!rsp_feature_has(feature, bpf_program__name(prog)))
			bpf_program__set_autoload(prog, false);
}

/*
 * Tries to load the programs of a feature, with the parts of all features that were accepted
 * before: all parts together may exceed the verifier's limits.
 */
static int try_feature(struct trial *trial, const struct rsp_feature *feature,
		       struct rsp_reason *ret_why)
{
	struct rsp_ladder ladder = *trial->ladder;
	struct rsp_bpf *bpf = NULL;
	int r;

	trial->log[0] = '\0';
	r = open_object(trial->loading, trial->btf, trial->log, &ladder, &bpf);
	if (r == 0) {
		bpf->rodata->rsp_parts = trial->parts | feature->part;
		load_only(bpf, feature);
		r = rsp_bpf__load(bpf);
	}
	rsp_bpf__destroy(bpf);
	if (r == 0)
		trial->parts |= feature->part;
	else
		rsp_load_reason(-r, trial->log, ret_why);
	return r;
}

/* program: the rejected program; NULL: unknown. A part can be in any program. */
static bool may_explain(const struct rsp_feature *feature, const char *program)
{
	return !program || feature->part || rsp_feature_has(feature, program);
}

/*
 * Tries the features that may explain the rejection of the program and were not tried before.
 * Returns the number of rejected features; or -errno and *ret_why if an indispensable feature is
 * rejected.
 */
static int try_features(struct trial *trial, const char *program, struct rsp_reason *ret_why)
{
	int rejected_cnt = 0;

	for (size_t i = 0; i < RSP_FEATURE_CNT; i++) {
		const struct rsp_feature *feature = &rsp_features[i];
		int r;

		if (trial->is_accepted[i] || rsp_ladder_rejects(trial->ladder, i) ||
		    !may_explain(feature, program))
			continue;
		r = try_feature(trial, feature, ret_why);
		trial->is_accepted[i] = r == 0;
		if (r == 0)
			continue;
		if (feature->indispensable)
			return r;
		rsp_ladder_reject(trial->ladder, i, ret_why);
		rejected_cnt++;
	}
	return rejected_cnt;
}

/* --- all together ----------------------------------------------------------------------------- */

#define LOG_PART_BYTES 256

struct program_logs {
	char (*v)[LOG_PART_BYTES];
};

static void program_logs_done(struct program_logs *logs)
{
	free(logs->v);
}

/*
 * Returns the program that the kernel rejected, or NULL. libbpf requests a log only after a
 * rejection.
 */
static const char *program_with_log(const struct rsp_bpf *bpf, const struct program_logs *logs)
{
	for (int i = 0; i < bpf->skeleton->prog_cnt; i++)
		if (logs->v[i][0])
			return bpf->skeleton->progs[i].name;
	return NULL;
}

/*
 * Loads all features that are not rejected. *ret_program: the program that the kernel rejected, or
 * NULL.
 */
static int load_all(const struct trial *trial, struct rsp_bpf **ret, const char **ret_program)
{
	_cleanup_(program_logs_done) struct program_logs logs = {NULL};
	struct rsp_bpf *bpf;
	int r;

	*ret_program = NULL;
	r = open_object(trial->loading, trial->btf, NULL, trial->ladder, &bpf);
	if (r < 0)
		return r;
	logs.v = calloc((size_t)bpf->skeleton->prog_cnt, sizeof(*logs.v));
	r = logs.v ? 0 : -ENOMEM;
	for (int i = 0; i < bpf->skeleton->prog_cnt && r == 0; i++)
		r = bpf_program__set_log_buf(*bpf->skeleton->progs[i].prog, logs.v[i],
					     LOG_PART_BYTES);
	if (r == 0)
		r = rsp_bpf__load(bpf);
	if (r == 0) {
		*ret = bpf;
		return 0;
	}
	if (logs.v)
		*ret_program = program_with_log(bpf, &logs);
	rsp_bpf__destroy(bpf);
	return r;
}

static void explain_failure(int error, const char *program, struct rsp_reason *ret_why)
{
	if (!program) {
		rsp_load_reason(error, "", ret_why);
		return;
	}
	/* The part of the log does not show the reason, and replaces the errno by ENOSPC. */
	snprintf(ret_why->text, sizeof(ret_why->text),
		 "the kernel rejects program %s, but none of its features by itself", program);
}

/*
 * Loads all features that the kernel accepts. If the kernel rejects a program, first tries only the
 * features that can be the reason, then every feature. If the kernel accepts each of these, loads
 * all once more: memory may have been short.
 */
static int load_accepted(struct trial *trial, struct rsp_bpf **ret, struct rsp_reason *ret_why)
{
	const char *program;
	bool is_last = false;
	int r, rejected_cnt;

	while ((r = load_all(trial, ret, &program)) < 0) {
		rejected_cnt = try_features(trial, program, ret_why);
		if (rejected_cnt == 0 && program)
			rejected_cnt = try_features(trial, NULL, ret_why);
		if (rejected_cnt < 0)
			return rejected_cnt;
		if (rejected_cnt == 0 && is_last) {
			explain_failure(-r, program, ret_why);
			return r;
		}
		is_last = rejected_cnt == 0;
	}
	return 0;
}

int rsp_load(const struct rsp_loading *loading, struct rsp_ladder *ladder, struct rsp_bpf **ret,
	     struct rsp_reason *ret_why)
{
	_cleanup_(btf_freep) struct btf *btf = btf__parse(loading->btf_path, NULL);
	struct trial trial = {.loading = loading, .btf = btf, .ladder = ladder};
	struct utsname kernel;
	int r;

	if (!btf) {
		r = -errno;
		snprintf(ret_why->text, sizeof(ret_why->text),
			 "%s holds no kernel types (BTF): the kernel needs CONFIG_DEBUG_INFO_BTF=y",
			 loading->btf_path);
		return r;
	}
	trial.log = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
	if (trial.log == MAP_FAILED) {
		rsp_load_reason(ENOMEM, "", ret_why);
		return -ENOMEM;
	}
	r = load_accepted(&trial, ret, ret_why);
	munmap(trial.log, LOG_BYTES);
	if (r < 0 && uname(&kernel) == 0)
		rsp_load_add_version(kernel.release, ret_why);
	return r;
}

/* --- attaching -------------------------------------------------------------------------------- */

static struct bpf_prog_skeleton *skeleton_of(struct rsp_bpf *bpf, const char *program)
{
	for (int i = 0; i < bpf->skeleton->prog_cnt; i++)
		if (strcmp(bpf->skeleton->progs[i].name, program) == 0)
			return &bpf->skeleton->progs[i];
	return NULL;
}

void rsp_detach_program(struct rsp_bpf *bpf, const char *name)
{
	struct bpf_prog_skeleton *s = skeleton_of(bpf, name);

	bpf_link__destroy(*s->link);
	*s->link = NULL;
}

static void detach_feature(struct rsp_bpf *bpf, const struct rsp_feature *feature)
{
	for (size_t i = 0; feature->programs[i]; i++)
		rsp_detach_program(bpf, feature->programs[i]);
}

bool rsp_is_loaded(struct rsp_bpf *bpf, const char *name)
{
	return bpf_program__fd(*skeleton_of(bpf, name)->prog) >= 0;
}

/*
 * EOPNOTSUPP is no error: another module attaches the program (samples, functions), or the program
 * runs without being attached.
 */
int rsp_attach_program(struct rsp_bpf *bpf, const char *name)
{
	struct bpf_prog_skeleton *s = skeleton_of(bpf, name);

	if (*s->link || bpf_program__fd(*s->prog) < 0)
		return 0;
	*s->link = bpf_program__attach(*s->prog);
	return *s->link || errno == EOPNOTSUPP ? 0 : -errno;
}

/* An iterator runs only while rspd reads from it, so it may stay attached at no cost. */
static bool is_iterator(const struct bpf_prog_skeleton *s)
{
	return bpf_program__expected_attach_type(*s->prog) == BPF_TRACE_ITER;
}

void rsp_detach_events(struct rsp_bpf *bpf)
{
	for (int i = 0; i < bpf->skeleton->prog_cnt; i++)
		if (!is_iterator(&bpf->skeleton->progs[i]))
			rsp_detach_program(bpf, bpf->skeleton->progs[i].name);
}

static int attach_feature(struct rsp_bpf *bpf, const struct rsp_feature *feature, bool halted)
{
	int r = 0;

	for (size_t i = 0; feature->programs[i] && r == 0; i++)
		if (!halted || is_iterator(skeleton_of(bpf, feature->programs[i])))
			r = rsp_attach_program(bpf, feature->programs[i]);
	if (r < 0)
		detach_feature(bpf, feature);
	return r;
}

int rsp_attach(struct rsp_bpf *bpf, struct rsp_ladder *ladder, bool halted,
	       struct rsp_reason *ret_why)
{
	for (size_t i = 0; i < RSP_FEATURE_CNT; i++) {
		const struct rsp_feature *feature = &rsp_features[i];
		bool skip = feature->part || feature->on_demand;
		int r = skip ? 0 : attach_feature(bpf, feature, halted);

		if (r == 0)
			continue;
		snprintf(ret_why->text, sizeof(ret_why->text),
			 "its programs cannot be attached: %s", strerror(-r));
		if (feature->indispensable)
			return r;
		rsp_ladder_reject(ladder, i, ret_why);
	}
	return 0;
}
