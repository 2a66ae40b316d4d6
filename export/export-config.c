/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See export-config.h. The keys are in export-keys.c. */
#include "export/export-config.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/export-keys.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/http/http.h"

struct loading {
	struct rsp_export_config *config;
	struct rsp_config_reader reader;
	bool ignored; /* the current section is unknown, which has been reported */
};

static const char *const sections[] = {
	[RSP_SINK_CLICKHOUSE] = "ClickHouse",
	[RSP_SINK_OTLP] = "OTLP",
	[RSP_SINK_S3] = "S3",
};

const char *rsp_sink_section(enum rsp_sink_kind kind)
{
	return sections[kind];
}

/* --- lines ------------------------------------------------------------------------------------ */

static void take_line(const struct rsp_config_line *line, void *userdata)
{
	struct loading *l = userdata;
	const struct rsp_export_key *key;
	const char *credential;

	if (!line->key) {
		l->ignored = !rsp_export_section_exists(line->section);
		if (l->ignored)
			rsp_config_report(&l->reader, line->file, line->number,
					  "there is no section [%s]", line->section);
		return;
	}
	if (l->ignored)
		return;
	credential = rsp_export_secret_key(line->section, line->key);
	key = rsp_export_key_find(line->section, line->key);
	if (credential)
		rsp_config_report(&l->reader, line->file, line->number,
				  "%s= is a secret, and secrets do not belong in this file: remove "
				  "it, and pass it as the credential %s",
				  line->key, credential);
	else if (!key)
		rsp_config_report(&l->reader, line->file, line->number,
				  "there is no key %s= in [%s]", line->key, line->section);
	else if (rsp_export_key_apply(key, line->value, l->config) < 0)
		rsp_config_report(&l->reader, line->file, line->number,
				  "%s=%s is not valid: it takes %s", key->name, line->value,
				  key->wanted);
}

static int read_lines(struct loading *l, const struct rsp_export_sources *sources)
{
	int r;

	if (!sources->file)
		return rsp_config_files_read(sources->dirs, "rsp/export.conf", &l->reader);
	r = rsp_config_file_read(sources->file, &l->reader);
	if (r == -ENOENT)
		rsp_config_report(&l->reader, sources->file, 0, "cannot be read: %s", strerror(-r));
	return r;
}

/* --- credentials ------------------------------------------------------------------------------ */

/*
 * The credential does not include the newline at its end. Returns 0, -ENOENT, -EFBIG, -EBADMSG or
 * another -errno.
 */
static int read_credential(const char *dir, const char *name, char *buf, size_t size)
{
	_cleanup_close_ int fd = -1;
	char path[RSP_EXPORT_STRING_BYTES];
	ssize_t n;

	if (!dir)
		return -ENOENT;
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size);
	if (n < 0)
		return -errno;
	if ((size_t)n == size)
		return -EFBIG;
	buf[n] = '\0';
	if (n > 0 && buf[n - 1] == '\n')
		buf[--n] = '\0';
	return strlen(buf) == (size_t)n && n > 0 && rsp_text_is_clean(buf) ? 0 : -EBADMSG;
}

static const char *credential_fault(int error)
{
	switch (error) {
	case -EFBIG:
		return "it is too long";
	case -EBADMSG:
		return "it must be one line of text";
	default:
		return strerror(-error);
	}
}

/* Returns whether the optional credential can be used. Reports errors. */
static bool take_credential(struct loading *l, const struct rsp_export_sources *sources,
			    const char *name, char *buf, size_t size)
{
	int r = read_credential(sources->credentials_dir, name, buf, size);

	if (r == 0)
		return true;
	buf[0] = '\0';
	if (r != -ENOENT)
		rsp_config_report(&l->reader, NULL, 0, "the credential %s cannot be used: %s", name,
				  credential_fault(r));
	return false;
}

static void take_redact_key(struct loading *l, const struct rsp_export_sources *sources)
{
	struct rsp_redaction *r = &l->config->redaction;
	char key[RSP_REDACT_KEY_MAX];
	bool hashes = r->paths == RSP_REDACT_HASH || r->arguments == RSP_REDACT_HASH ||
		      r->addresses == RSP_REDACT_HASH;

	if (!hashes)
		return;
	if (!take_credential(l, sources, "redact-key", key, sizeof(key))) {
		rsp_config_report(
			&l->reader, NULL, 0,
			"[Redact] has a key with the value hash, which needs the "
			"credential redact-key: a secret that all hosts of the fleet share");
		return;
	}
	r->key_len = strlen(key);
	memcpy(r->key, key, r->key_len);
	if (r->key_len < RSP_REDACT_KEY_MIN)
		rsp_config_report(
			&l->reader, NULL, 0,
			"the credential redact-key is shorter than %d characters: make one "
			"with 'openssl rand -hex 32'",
			RSP_REDACT_KEY_MIN);
}

/* --- the whole configuration ------------------------------------------------------------------ */

static void check_sink(struct loading *l, enum rsp_sink_kind kind)
{
	const struct rsp_sink_settings *s = &l->config->sinks[kind];
	struct rsp_http_auth auth = {.user = s->user, .secret = s->secret};
	char why[RSP_HTTP_WHY_BYTES];

	auth.kind = *s->secret ? RSP_HTTP_AUTH_BASIC : RSP_HTTP_AUTH_NONE;
	if (rsp_http_check_url(s->url, &auth, why) < 0)
		rsp_config_report(&l->reader, NULL, 0, "[%s] URL=: %s", sections[kind], why);
}

static void check_otlp(struct loading *l)
{
	if (l->config->spans && rsp_redact_changes(&l->config->redaction))
		rsp_config_report(&l->reader, NULL, 0,
				  "[OTLP] Spans=yes sends paths and addresses, to which [Redact] "
				  "cannot be applied: remove one of them");
}

static void check_s3(struct loading *l)
{
	const struct rsp_sink_settings *s = &l->config->sinks[RSP_SINK_S3];

	if (!*s->bucket)
		rsp_config_report(&l->reader, NULL, 0, "[S3] lacks Bucket=");
	if (*s->user && !*s->secret)
		rsp_config_report(&l->reader, NULL, 0,
				  "[S3] KeyID= needs the credential s3-secret");
	if (!l->config->unredacted && rsp_redact_changes(&l->config->redaction))
		rsp_config_report(&l->reader, NULL, 0,
				  "[S3] stores whole recordings, to which [Redact] cannot be "
				  "applied: remove [S3], or allow this with Unredacted=yes in it");
}

/* Settings without a URL must be a mistake, because they have no effect. */
static bool has_settings_only(const struct rsp_export_config *c, size_t kind)
{
	return !*c->sinks[kind].url && memcmp(&c->sinks[kind], &rsp_export_defaults.sinks[kind],
					      sizeof(c->sinks[kind])) != 0;
}

static void check(struct loading *l, const struct rsp_export_sources *sources)
{
	bool any = false;

	for (size_t i = 0; i < RSP_SINK_CNT; i++) {
		struct rsp_sink_settings *s = &l->config->sinks[i];

		if (has_settings_only(l->config, i))
			rsp_config_report(&l->reader, NULL, 0, "[%s] lacks URL=", sections[i]);
		if (!*s->url)
			continue;
		any = true;
		take_credential(l, sources, rsp_export_credential((enum rsp_sink_kind)i), s->secret,
				sizeof(s->secret));
		check_sink(l, (enum rsp_sink_kind)i);
	}
	check_otlp(l);
	if (*l->config->sinks[RSP_SINK_S3].url)
		check_s3(l);
	if (!any && l->reader.problem_cnt == 0)
		rsp_config_report(&l->reader, NULL, 0,
				  "there is no server to send to: set URL= in [ClickHouse], [OTLP] "
				  "or [S3] of /etc/rsp/export.conf (export.conf(5))");
	take_redact_key(l, sources);
}

int rsp_export_config_load(const struct rsp_export_sources *sources, rsp_config_problem_fn problem,
			   void *userdata, struct rsp_export_config **ret)
{
	_cleanup_free_ struct rsp_export_config *config = malloc(sizeof(*config));
	struct loading l = {
		.config = config,
		.reader = {.problem = problem, .problem_userdata = userdata, .take = take_line},
	};
	int r;

	if (!config)
		return -ENOMEM;
	*config = rsp_export_defaults;
	l.reader.take_userdata = &l;
	r = read_lines(&l, sources);
	if (r < 0)
		return r;
	check(&l, sources);
	if (l.reader.problem_cnt > 0)
		return -EINVAL;
	*ret = rsp_take_ptr(config);
	return 0;
}

bool rsp_export_selects(const struct rsp_export_config *c, const char *unit)
{
	char globs[sizeof(c->units)];
	bool selected = false;
	char *glob, *next = globs;

	memcpy(globs, c->units, sizeof(globs));
	while ((glob = strsep(&next, " "))) {
		if (*glob == '!' && fnmatch(glob + 1, unit, 0) == 0)
			return false;
		if (*glob && *glob != '!')
			selected |= fnmatch(glob, unit, 0) == 0;
	}
	return selected;
}
