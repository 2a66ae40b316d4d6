/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See redact.h. The recorder makes the texts, but users choose the names and paths that they
 * contain.
 */
#include "export/redact.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

/*
 * Among a million paths, the probability that any two have the same hash of 6 bytes is about 1 in
 * 560.
 */
#define HASH_BYTES 6

struct scan {
	const struct rsp_redaction *r;
	const char *text; /* the whole sentence or frame */
	const char *end;
	bool is_frame;
	FILE *out;
};

static bool is_space(const struct scan *s, char c)
{
	return c == ' ' || (s->is_frame && c == '_');
}

/* --- where names end ------------------------------------------------------------------------ */

static bool begins(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* An amount with a unit is a text like "2.10 s" or "92 %". */
static bool is_amount(const char *at, const char *end)
{
	static const char *const units[] = {" ns", " µs", " ms",  " s",	  " min", " h",
					    " %",  " B",  " KiB", " MiB", " GiB", NULL};
	const char *unit = at;

	while (unit < end && (isdigit((unsigned char)*unit) || strchr(".,", *unit)))
		unit++;
	for (size_t i = 0; unit > at && units[i]; i++)
		if (begins(unit, end, units[i]) && !isalnum((unsigned char)unit[strlen(units[i])]))
			return true;
	return false;
}

/* A word that follows names in RSP's sentences ends a name. */
static bool is_joint(const char *at, const char *end)
{
	static const char *const words[] = {" for ", " on ", " in ",   " by ",	 " at ",
					    " and ", " to ", " from ", " which", " was ",
					    " were", " of ", " with ", " that ", " took ",
					    " ←",    " (",   " [",     " until", NULL};

	for (size_t i = 0; words[i]; i++)
		if (begins(at, end, words[i]))
			return true;
	return *at == ' ' && is_amount(at + 1, end);
}

static bool is_punctuation(const char *at, const char *end)
{
	return strchr(",.;:)]", *at) && (at + 1 == end || at[1] == ' ');
}

/*
 * Returns the end of a name that may contain spaces. In a frame, the name ends with the frame, or
 * before the suffix of kernel functions ("_[k]").
 */
static const char *name_end(const struct scan *s, const char *at)
{
	static const char mark[] = "_[k]";
	size_t len = strlen(mark);

	if (s->is_frame) {
		if ((size_t)(s->end - at) > len && memcmp(s->end - len, mark, len) == 0)
			return s->end - len;
		return s->end;
	}
	for (; at < s->end; at++) {
		if (*at == '"' || is_joint(at, s->end))
			return at;
		if (is_punctuation(at, s->end))
			return at;
	}
	return at;
}

/* --- finding names to redact ---------------------------------------------------------------- */

/* The character before a name must not be part of a word. */
static bool is_boundary(const struct scan *s, const char *at)
{
	unsigned char before;

	if (at == s->text)
		return true;
	before = (unsigned char)at[-1];
	return before >= 0x80 || strchr(" _:;([{<\"'=,@|~.!", before);
}

/* Relative paths are not recognized, because names of Go functions contain '/', too. */
static const char *find_path(const struct scan *s, const char *at)
{
	bool follows_option = at - s->text >= 2 && at[-2] == '-'; /* -I/usr/include */

	/* "/" alone reveals nothing, so it is kept. */
	if (*at != '/' || at + 1 == s->end || is_space(s, at[1]) || is_punctuation(at + 1, s->end))
		return NULL;
	if (!is_boundary(s, at) && !follows_option)
		return NULL;
	return name_end(s, at);
}

static bool is_option(const struct scan *s, const char *at)
{
	if (*at != '-' || (at > s->text && !is_space(s, at[-1])))
		return false;
	at += begins(at, s->end, "--") ? 2 : 1;
	return at < s->end && isalpha((unsigned char)*at);
}

/* The '=' must belong to NAME=VALUE, not to an operator of C++. */
static bool is_assigned(const struct scan *s, const char *at)
{
	if (at < s->text + 2 || at[-1] != '=' || is_space(s, *at))
		return false;
	return isalnum((unsigned char)at[-2]) && !strchr("=(<>", *at);
}

static const char *find_argument(const struct scan *s, const char *at)
{
	const char *quote;

	if (is_option(s, at) || is_assigned(s, at))
		return name_end(s, at);
	if (at == s->text || at[-1] != '"')
		return NULL;
	quote = memchr(at, '"', (size_t)(s->end - at));
	return quote && quote > at ? quote : NULL;
}

/* An address is an IPv4, IPv6 or MAC address. */
static bool is_address(const char *at, size_t len)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr address;
	unsigned int colons = 0;

	if (len < 3 || len >= sizeof(text))
		return false;
	memcpy(text, at, len);
	text[len] = '\0';
	if (inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1)
		return true;
	for (size_t i = 0; i < len; i++) {
		if ((i % 3 == 2) != (text[i] == ':'))
			return false;
		colons += text[i] == ':';
	}
	return len == 17 && colons == 5;
}

/*
 * Finds an IP or MAC address, or the name of an abstract unix socket ("@name"). A port after an
 * IPv4 address is not part of the result.
 */
static const char *find_address(const struct scan *s, const char *at)
{
	size_t len, digits;

	if (!is_boundary(s, at) || (at > s->text && at[-1] == '.'))
		return NULL;
	digits = strspn(at, "0123456789.");
	len = strspn(at, "0123456789abcdefABCDEF:.");
	for (size_t i = 0; i < 2; i++, len = digits) {
		while (len > 0 && at[len - 1] == '.')
			len--;
		if (at + len <= s->end && is_address(at, len) && !isalnum((unsigned char)at[len]))
			return at + len;
	}
	if (*at == '@' && (at == s->text || is_space(s, at[-1])) && at + 1 < s->end)
		return name_end(s, at);
	return NULL;
}

/* --- replacing -------------------------------------------------------------------------------- */

static void put_hash(const struct scan *s, const char *kind, const char *at, size_t len)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct hmac_sha256_ctx ctx;

	hmac_sha256_set_key(&ctx, s->r->key_len, s->r->key);
	hmac_sha256_update(&ctx, strlen(kind) + 1, (const uint8_t *)kind);
	hmac_sha256_update(&ctx, len, (const uint8_t *)at);
	hmac_sha256_digest(&ctx, sizeof(digest), digest);
	for (size_t i = 0; i < HASH_BYTES; i++)
		fprintf(s->out, "%02x", digest[i]);
}

/* Writes a text such as "[path 3f2a…]". In a frame, '_' is used instead of the space. */
static void put_replaced(const struct scan *s, enum rsp_redact_how how, const char *kind,
			 const char *at, size_t len)
{
	fprintf(s->out, "[%s", kind);
	if (how == RSP_REDACT_HASH) {
		fputc(s->is_frame ? '_' : ' ', s->out);
		put_hash(s, kind, at, len);
	}
	fputc(']', s->out);
}

static void redact(struct scan *s)
{
	const struct {
		enum rsp_redact_how how;
		const char *kind;
		const char *(*find)(const struct scan *s, const char *at);
	} rules[] = {
		/* An argument may contain a path or an address. */
		{s->r->arguments, "argument", find_argument},
		{s->r->paths, "path", find_path},
		{s->r->addresses, "address", find_address},
	};
	const char *at = s->text;

	while (at < s->end) {
		const char *next = NULL;

		for (size_t i = 0; !next && i < sizeof(rules) / sizeof(rules[0]); i++) {
			if (rules[i].how == RSP_REDACT_KEEP)
				continue;
			next = rules[i].find(s, at);
			if (next)
				put_replaced(s, rules[i].how, rules[i].kind, at,
					     (size_t)(next - at));
		}
		if (!next) {
			fputc(*at, s->out);
			next = at + 1;
		}
		at = next;
	}
}

bool rsp_redact_changes(const struct rsp_redaction *r)
{
	return r->paths || r->arguments || r->addresses;
}

static int finish(FILE *out, char **text, char **ret)
{
	bool failed = ferror(out);

	if (fclose(out) != 0 || failed) {
		free(*text);
		return -ENOMEM;
	}
	*ret = *text;
	return 0;
}

int rsp_redact_text(const struct rsp_redaction *r, const char *text, char **ret)
{
	char *redacted = NULL;
	size_t len;
	struct scan s = {.r = r, .text = text, .end = text + strlen(text)};

	s.out = open_memstream(&redacted, &len);
	if (!s.out)
		return -ENOMEM;
	redact(&s);
	return finish(s.out, &redacted, ret);
}

int rsp_redact_folded(const struct rsp_redaction *r, const char *folded, char **ret)
{
	char *redacted = NULL;
	size_t len;
	struct scan s = {.r = r, .text = folded, .is_frame = true};

	s.out = open_memstream(&redacted, &len);
	if (!s.out)
		return -ENOMEM;
	for (;;) {
		s.end = s.text + strcspn(s.text, ";");
		redact(&s);
		if (!*s.end)
			break;
		fputc(';', s.out);
		s.text = s.end + 1;
	}
	return finish(s.out, &redacted, ret);
}
