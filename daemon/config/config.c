/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See config.h. config-file.c reads lines, config-keys.c parses the values of keys. */
#include "daemon/config/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config/config-keys.h"
#include "lib/base/cleanup.h"

/* Defaults of Over=. A quantile needs many events. */
#define PSI_OVER_NS	 1000000000ULL
#define QUANTILE_OVER_NS 10000000000ULL
#define PSI_OVER_MAX_NS	 10000000000ULL

struct draft {
	char *file; /* file of its first section head */
	unsigned int line;
	/*
	 * One bit for each key; the bit's number is the index of the key. given: the key was given.
	 * wrong: the key limits what the SLO measures, and its value is invalid.
	 */
	uint64_t given, wrong;
};

struct loading {
	struct rsp_config *config;
	struct draft drafts[RSP_SLO_MAX]; /* one entry for each of config->slos */
	struct draft *draft; /* SLO of the current section; NULL: the section is not about an SLO */
	bool ignored;	     /* the current section is invalid; this was reported */
	int error;
	struct rsp_config_reader reader;
};

struct rsp_config *rsp_config_free(struct rsp_config *c)
{
	if (c)
		free(c->slos);
	free(c);
	return NULL;
}

struct rsp_config *rsp_config_new(void)
{
	struct rsp_config *c = malloc(sizeof(*c));

	if (!c)
		return NULL;
	*c = rsp_config_defaults;
	c->slos = calloc(RSP_SLO_MAX, sizeof(*c->slos));
	return c->slos ? c : rsp_config_free(c);
}

int rsp_config_set(struct rsp_config *c, const char *section, const char *name, const char *value)
{
	const struct rsp_config_key *key = rsp_config_key_find(section, name);

	if (!key || strcmp(section, "SLO") == 0)
		return -ENOENT;
	return rsp_config_key_apply(key, value, c);
}

const char *rsp_config_wanted(const char *section, const char *name)
{
	const struct rsp_config_key *key = rsp_config_key_find(section, name);

	return key ? key->wanted : NULL;
}

void rsp_config_needs_restart(const struct rsp_config *now, const struct rsp_config *next,
			      void (*differs)(const char *key))
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++)
		if (key->restart && memcmp((const char *)now + key->offset,
					   (const char *)next + key->offset, key->size) != 0)
			differs(key->name);
}

void rsp_config_keep_until_restart(const struct rsp_config *now, struct rsp_config *next)
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++)
		if (key->restart)
			memcpy((char *)next + key->offset, (const char *)now + key->offset,
			       key->size);
}

/* --- sections --------------------------------------------------------------------------------- */

static bool is_slo_section(const char *section)
{
	return strcmp(section, "SLO") == 0 || strncmp(section, "SLO ", 4) == 0 ||
	       strncmp(section, "SLO\"", 4) == 0;
}

static int parse_slo_section(const char *section, char *ret, size_t size)
{
	const char *name = strchr(section, '"');
	size_t len;

	if (!name || strspn(section + 3, " ") != (size_t)(name - section) - 3)
		return -EINVAL;
	name++;
	len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	if (len == 0 || len >= size || strcmp(name + len, "\"") != 0)
		return -EINVAL;
	memcpy(ret, name, len);
	ret[len] = '\0';
	return 0;
}

static struct draft *find_draft(struct loading *l, const char *name)
{
	for (size_t i = 0; i < l->config->slo_cnt; i++)
		if (strcmp(l->config->slos[i].name, name) == 0)
			return &l->drafts[i];
	return NULL;
}

static struct draft *add_draft(struct loading *l, const struct rsp_config_line *line,
			       const char *name)
{
	size_t i = l->config->slo_cnt;
	struct rsp_slo_config *slo = &l->config->slos[i];

	l->drafts[i] = (struct draft){.file = strdup(line->file), .line = line->number};
	if (!l->drafts[i].file) {
		l->error = -ENOMEM;
		return NULL;
	}
	*slo = rsp_slo_config_defaults;
	snprintf(slo->name, sizeof(slo->name), "%s", name);
	l->config->slo_cnt++;
	return &l->drafts[i];
}

static void open_slo(struct loading *l, const struct rsp_config_line *line)
{
	char name[RSP_SLO_NAME_MAX];

	if (parse_slo_section(line->section, name, sizeof(name)) < 0) {
		rsp_config_report(&l->reader, line->file, line->number,
				  "[%s] is ignored: write [SLO \"NAME\"], NAME being up to %d "
				  "letters, digits, '_' and '-'",
				  line->section, RSP_SLO_NAME_MAX - 1);
		return;
	}
	l->draft = find_draft(l, name);
	if (l->draft)
		return;
	if (l->config->slo_cnt < RSP_SLO_MAX)
		l->draft = add_draft(l, line, name);
	else
		rsp_config_report(&l->reader, line->file, line->number,
				  "[%s] is ignored: there can be %d SLOs at most", line->section,
				  RSP_SLO_MAX);
}

static bool is_known_section(const char *section)
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++)
		if (strcmp(key->section, section) == 0)
			return true;
	return false;
}

static void take_head(struct loading *l, const struct rsp_config_line *line)
{
	l->draft = NULL;
	l->ignored = false;
	if (is_slo_section(line->section)) {
		open_slo(l, line);
		l->ignored = !l->draft;
	} else if (!is_known_section(line->section)) {
		rsp_config_report(&l->reader, line->file, line->number,
				  "[%s] is ignored: there is no such section", line->section);
		l->ignored = true;
	}
}

static struct rsp_slo_config *slo_of(struct loading *l, const struct draft *draft)
{
	return &l->config->slos[draft - l->drafts];
}

static uint64_t key_bit(const struct rsp_config_key *key)
{
	return 1ULL << (key - rsp_config_keys);
}

/*
 * If the value of a key that limits the SLO (narrows) is wrong, the whole SLO is dropped, unless a
 * later assignment is valid. Without its wrong Unit=, for example, the SLO would apply to every
 * unit.
 */
static void note_slo_key(struct draft *draft, const struct rsp_config_key *key, const char *value,
			 int error)
{
	uint64_t bit = key_bit(key);

	if (error < 0) {
		if (key->narrows)
			draft->wrong |= bit;
		return;
	}
	draft->wrong &= ~bit;
	draft->given = *value ? draft->given | bit : draft->given & ~bit;
}

static void take_line(const struct rsp_config_line *line, void *userdata)
{
	struct loading *l = userdata;
	const struct rsp_config_key *key;
	const char *section;
	int r;

	if (!line->key) {
		take_head(l, line);
		return;
	}
	if (l->ignored)
		return;
	section = l->draft ? "SLO" : line->section;
	key = rsp_config_key_find(section, line->key);
	if (!key) {
		rsp_config_report(&l->reader, line->file, line->number,
				  "%s= is ignored: there is no such key in [%s]", line->key,
				  line->section);
		return;
	}
	r = rsp_config_key_apply(key, line->value,
				 l->draft ? (void *)slo_of(l, l->draft) : l->config);
	if (r < 0)
		rsp_config_report(&l->reader, line->file, line->number,
				  "%s=%s is ignored: it takes %s", key->name, line->value,
				  key->wanted);
	if (l->draft)
		note_slo_key(l->draft, key, line->value, r);
}

/* --- complete SLOs ---------------------------------------------------------------------------- */

static bool is_given(const struct draft *draft, const char *name)
{
	return draft->given & key_bit(rsp_config_key_find("SLO", name));
}

static int check_keys(const struct draft *draft, const struct rsp_slo_config *slo, char *why,
		      size_t size)
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++) {
		uint64_t bit = key_bit(key);

		if (strcmp(key->section, "SLO") != 0)
			continue;
		if (draft->wrong & bit) {
			snprintf(why, size, "its %s= is not valid; it takes %s", key->name,
				 key->wanted);
			return -EINVAL;
		}
		if (draft->given & bit && slo->measure && key->measures &&
		    !(key->measures & 1U << slo->measure)) {
			snprintf(why, size, "%s= has no meaning with Measure=%s", key->name,
				 rsp_slo_measure_name(slo->measure));
			return -EINVAL;
		}
	}
	return 0;
}

static const char *find_fault(const struct draft *draft, const struct rsp_slo_config *slo)
{
	bool psi = slo->measure == RSP_SLO_PSI;

	if (!slo->measure)
		return "it lacks Measure=";
	if (!slo->threshold_ns)
		return "it lacks Threshold=";
	if (slo->measure == RSP_SLO_FUNCTION && !slo->function_name[0])
		return "Measure=function needs Function=";
	if (psi && !slo->resource)
		return "Measure=psi needs Resource=";
	if (is_given(draft, "Over") && !psi && !slo->quantile_ppm)
		return "Over= needs Quantile=, or Measure=psi";
	if (psi && slo->over_ns > PSI_OVER_MAX_NS)
		return "Measure=psi takes an Over= of at most 10s";
	if (psi && slo->threshold_ns > slo->over_ns)
		return "Threshold= is longer than Over=, the span that the stall is part of";
	if (slo->resource == RSP_SLO_CPU && slo->full && !slo->unit[0] && !slo->cgroup[0])
		return "Stall=full of Resource=cpu exists in a Unit= or Cgroup= only";
	return NULL;
}

static void complete_over(const struct draft *draft, struct rsp_slo_config *slo)
{
	if (is_given(draft, "Over"))
		return;
	if (slo->measure == RSP_SLO_PSI)
		slo->over_ns = PSI_OVER_NS;
	else if (slo->quantile_ppm)
		slo->over_ns = QUANTILE_OVER_NS;
}

static void finish_slos(struct loading *l)
{
	struct rsp_config *c = l->config;
	size_t kept = 0;

	for (size_t i = 0; i < c->slo_cnt; i++) {
		struct rsp_slo_config *slo = &c->slos[i];
		const struct draft *draft = &l->drafts[i];
		const char *fault = NULL;
		char why[256];

		complete_over(draft, slo);
		fault = check_keys(draft, slo, why, sizeof(why)) < 0 ? why : find_fault(draft, slo);
		if (fault)
			rsp_config_report(&l->reader, draft->file, draft->line,
					  "SLO \"%s\" is left out: %s", slo->name, fault);
		else
			c->slos[kept++] = *slo;
	}
	c->slo_cnt = kept;
}

/* --- loading ---------------------------------------------------------------------------------- */

static void loading_done(struct loading *l)
{
	for (size_t i = 0; i < RSP_SLO_MAX; i++)
		free(l->drafts[i].file);
	rsp_config_free(l->config);
}

struct source {
	const char *const *dirs; /* NULL: read only path */
	const char *path;
};

static int read_source(const struct source *source, struct rsp_config_reader *reader)
{
	int r;

	if (source->dirs)
		return rsp_config_files_read(source->dirs, "rsp/rspd.conf", reader);
	r = rsp_config_file_read(source->path, reader);
	if (r == -ENOENT)
		rsp_config_report(reader, source->path, 0, "cannot be read: %s", strerror(-r));
	return r;
}

static int load(const struct source *source, rsp_config_problem_fn problem, void *userdata,
		struct rsp_config **ret, unsigned int *ret_problem_cnt)
{
	_cleanup_(loading_done) struct loading l = {
		.reader = {.problem = problem, .problem_userdata = userdata, .take = take_line},
	};
	int r;

	l.reader.take_userdata = &l;
	l.config = rsp_config_new();
	if (!l.config)
		return -ENOMEM;
	r = read_source(source, &l.reader);
	if (r == 0)
		r = l.error;
	if (r < 0)
		return r;
	finish_slos(&l);
	*ret = rsp_take_ptr(l.config);
	*ret_problem_cnt = l.reader.problem_cnt;
	return 0;
}

int rsp_config_load(const char *const *dirs, rsp_config_problem_fn problem, void *userdata,
		    struct rsp_config **ret, unsigned int *ret_problem_cnt)
{
	struct source source = {.dirs = dirs};

	return load(&source, problem, userdata, ret, ret_problem_cnt);
}

int rsp_config_load_file(const char *path, rsp_config_problem_fn problem, void *userdata,
			 struct rsp_config **ret, unsigned int *ret_problem_cnt)
{
	struct source source = {.path = path};

	return load(&source, problem, userdata, ret, ret_problem_cnt);
}
