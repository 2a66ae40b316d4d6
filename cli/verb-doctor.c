/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl doctor: reports which records this machine can make, whether the service runs, and the
 * steps that the user should take. `rspd --check` probes the kernel. Exit status 0 means that this
 * machine can record.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/abilities.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/rspd.h"
#include "lib/base/cleanup.h"
#include "lib/base/wrap.h"
#include "lib/client/client.h"
#include "lib/files/program.h"

#define PING_TIMEOUT_MS 5000

static void put_object(struct json_object **o)
{
	json_object_put(*o);
}

/*
 * ret_words receives the last error message of rspd. Returns 0, or -errno if rspd could not run or
 * failed.
 */
static int run_check(int output_fd, char *ret_words, size_t len)
{
	_cleanup_close_ int log_fd = memfd_create("rspd-log", MFD_CLOEXEC);
	struct rsp_rspd_fds fds = {.output = output_fd, .error = log_fd, .private = -1};
	char *argv[] = {"rspd", "--check", NULL};
	_cleanup_free_ char *path = NULL;
	int r, status;
	pid_t pid;

	if (log_fd < 0)
		return -errno;
	r = rsp_program_find("rspd", &path);
	if (r < 0)
		return r;
	r = rsp_rspd_spawn(path, argv, &fds, &pid);
	if (r < 0)
		return r;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	rsp_rspd_exit_message(log_fd, status, ret_words, len);
	return rsp_rspd_status_to_errno(status);
}

static struct json_object *read_abilities(int fd)
{
	struct json_object *check, *abilities = NULL;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return NULL;
	check = json_object_from_fd(fd);
	if (json_object_object_get_ex(check, "abilities", &abilities) &&
	    json_object_is_type(abilities, json_type_array))
		json_object_get(abilities);
	else
		abilities = NULL;
	json_object_put(check);
	return abilities;
}

static bool service_answers(const char *socket)
{
	struct rsp_client *client;
	bool yes;

	if (rsp_client_connect(socket, &client) < 0)
		return false;
	yes = rsp_client_ping(client, PING_TIMEOUT_MS) == 0;
	rsp_client_free(client);
	return yes;
}

static int print_json(const struct rsp_options *opt, struct json_object *abilities, bool service)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "service", json_object_new_boolean(service));
	json_object_object_add(o, "socket", json_object_new_string(opt->socket));
	json_object_object_add(o, "abilities", json_object_get(abilities));
	return rsp_output_json(o, opt->json);
}

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_wrap(stdout, text, 0, 2, rsp_output_width());
	putchar('\n');
}

static int print_text(const struct rsp_options *opt, struct json_object *abilities, bool service)
{
	int missing = rsp_abilities_missing(abilities), r;

	if (missing > 0)
		say("%d of %zu abilities are missing: reports contain less, but nothing in them is wrong.",
		    missing, json_object_array_length(abilities));
	else
		say("This kernel lets RSP record everything.");
	if (service)
		say("The service records and answers at %s.", opt->socket);
	else
		say("No service answers at %s: start it with 'systemctl start rspd', or record one "
		    "command with 'rspctl run -- CMD'.",
		    opt->socket);
	puts("");
	r = rsp_abilities_print(abilities, opt->legend);
	return r ? r : rsp_output_flush();
}

int rsp_verb_doctor(const struct rsp_options *opt)
{
	_cleanup_(put_object) struct json_object *abilities = NULL;
	_cleanup_close_ int fd = memfd_create("rspd-check", MFD_CLOEXEC);
	char words[512] = "";
	int checked, r = 0;

	if (fd < 0)
		return rsp_fail(-errno, "cannot check: %m");
	checked = run_check(fd, words, sizeof(words));
	abilities = read_abilities(fd);
	if (abilities) {
		bool service = service_answers(opt->socket);

		rsp_pager_begin(opt);
		r = rsp_pager_end(opt->json != RSP_JSON_OFF ? print_json(opt, abilities, service)
							    : print_text(opt, abilities, service));
	}
	if (r)
		return r;
	if (checked == -ENOENT)
		return rsp_fail(checked, "there is no rspd beside rspctl nor in PATH: install it");
	if (checked == -EPERM || checked == -EACCES)
		return rsp_fail(checked,
				"cannot check what RSP can record here: %s; 'rspctl status' shows "
				"whether a recorder runs",
				words[0] ? words : "rspd lacks a privilege");
	if (checked < 0)
		return rsp_fail(checked, "nothing can be recorded here: %s",
				words[0] ? words : "rspd failed without an error message");
	if (!abilities)
		return rsp_fail(
			0,
			"cannot read the output of rspd --check: rspd may be of another version");
	return RSP_EXIT_OK;
}
