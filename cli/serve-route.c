/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See serve.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/serve.h"

/* Compares in constant time, because the duration could otherwise reveal the token. */
static bool has_token(const char *path, const char *token)
{
	unsigned char difference = 0;

	if (strnlen(path, RSP_SERVE_TOKEN_LEN + 2) < RSP_SERVE_TOKEN_LEN + 2)
		return false;
	for (size_t i = 0; i < RSP_SERVE_TOKEN_LEN; i++)
		difference |= (unsigned char)(path[1 + i] ^ token[i]);
	return path[0] == '/' && difference == 0 && path[RSP_SERVE_TOKEN_LEN + 1] == '/';
}

/* Accepts only hexadecimal digits, which cannot name a file outside of the store. */
static const char *take_id(const char *path, char *ret)
{
	size_t len = strspn(path, "0123456789abcdef");

	if (!len || len > RSP_SERVE_ID_MAX || path[len] != '/')
		return NULL;
	memcpy(ret, path, len);
	ret[len] = '\0';
	return path + len + 1;
}

static bool take_pid(const char *text, pid_t *ret)
{
	unsigned long pid;
	char *end;

	if (*text < '1' || *text > '9')
		return false;
	pid = strtoul(text, &end, 10);
	if (*end || pid > INT_MAX)
		return false;
	*ret = (pid_t)pid;
	return true;
}

#define WITH "with/"

static enum rsp_serve_what take_other(const char *path, char *ret)
{
	if (!*path)
		return RSP_SERVE_OTHERS;
	path = take_id(path, ret);
	return path && !*path ? RSP_SERVE_DIFF : RSP_SERVE_NOTHING;
}

struct rsp_serve_route rsp_serve_route(const char *path, const char *token)
{
	struct rsp_serve_route ret = {0};

	if (!has_token(path, token))
		return ret;
	path += RSP_SERVE_TOKEN_LEN + 2;
	if (!*path) {
		ret.what = RSP_SERVE_INDEX;
		return ret;
	}
	path = take_id(path, ret.id);
	if (!path)
		return ret;
	if (!*path)
		ret.what = RSP_SERVE_PROCESSES;
	else if (!strcmp(path, "page") || take_pid(path, &ret.pid))
		ret.what = RSP_SERVE_PAGE;
	else if (!strncmp(path, WITH, strlen(WITH)))
		ret.what = take_other(path + strlen(WITH), ret.after);
	return ret;
}

bool rsp_serve_host_ok(const char *host, uint16_t port)
{
	static const char *const names[] = {"127.0.0.1", "[::1]", "localhost"};
	char *end;

	for (size_t i = 0; host && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);

		if (strncasecmp(host, names[i], len) != 0)
			continue;
		if (!host[len])
			return port == 80;
		if (host[len] == ':' && host[len + 1] >= '0' && host[len + 1] <= '9' &&
		    strtoul(host + len + 1, &end, 10) == port && !*end)
			return true;
	}
	return false;
}
