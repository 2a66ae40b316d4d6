/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See serve.h. libmicrohttpd parses requests. The server has one thread. Children make the pages,
 * and a connection is suspended until its page is made.
 */
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/serve.h"
#include "cli/store.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

#define CONNECTIONS_MAX	 32
#define CONNECTION_BYTES 32768
#define TIMEOUT_S	 60

/* Interval in which the server looks for jobs that have ended. */
#define LOOK_MS 20

struct rsp_serve_http {
	const struct rsp_options *opt;
	const char *only; /* path of the only snapshot to serve; NULL: all snapshots of the store */
	char token[RSP_SERVE_TOKEN_LEN + 1];
	char url[64 + RSP_SERVE_TOKEN_LEN];
	uint16_t port;
	struct MHD_Daemon *daemons[2];
	struct rsp_serve_jobs jobs;
};

/* The request of one client. */
struct request {
	struct rsp_serve_http *http;
	struct MHD_Connection *connection;
	struct rsp_serve_job *job;
	bool is_done; /* the job has ended, with a page or an error message */
};

/* --- answers ---------------------------------------------------------------------------------- */

/*
 * This Content-Security-Policy forbids pages to load files, because pages contain all their scripts
 * and styles.
 */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "              \
	"img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status,
			      struct MHD_Response *response)
{
	static const struct {
		const char *name, *value;
	} headers[] = {
		{"Content-Type", "text/html; charset=utf-8"},
		{"Content-Security-Policy", POLICY},
		{"Cache-Control", "no-store"},
		{"Referrer-Policy", "no-referrer"},
		{"X-Content-Type-Options", "nosniff"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
	};
	enum MHD_Result r;

	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (MHD_add_response_header(response, headers[i].name, headers[i].value) != MHD_YES)
			status = MHD_HTTP_INTERNAL_SERVER_ERROR;
	r = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return r;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned int status,
				   char *text, size_t len)
{
	return answer(connection, status,
		      MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result say(struct MHD_Connection *connection, unsigned int status,
			   const char *message)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return MHD_NO;
	rsp_serve_put_message(message, f);
	if (fclose(f) != 0) {
		free(text);
		return MHD_NO;
	}
	return answer_text(connection, status, text, len);
}

/* The caller frees *ret. */
static int find_snapshot(const struct rsp_serve_http *http, const char *id, char **ret)
{
	if (!http->only)
		return rsp_store_find(http->opt->store, id, false, ret);
	if (strcmp(id, RSP_SERVE_ONLY_ID) != 0)
		return -ENOENT;
	*ret = strdup(http->only);
	return *ret ? 0 : -ENOMEM;
}

static enum MHD_Result answer_list(struct request *request, const struct rsp_serve_route *route)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	char *text = NULL;
	size_t len = 0;
	const struct rsp_serve_http *http = request->http;
	int r = http->only ? 0 : rsp_store_list(http->opt->store, &list);
	FILE *f = r < 0 ? NULL : open_memstream(&text, &len);

	if (f && http->only)
		rsp_serve_put_only(http->only, f);
	else if (f && route->what == RSP_SERVE_OTHERS)
		rsp_serve_put_others(&list, route->id, f);
	else if (f)
		rsp_serve_put_index(&list, f);
	if (r == 0 && (!f || fclose(f) != 0))
		r = -ENOMEM;
	if (r < 0) {
		free(text);
		return say(request->connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
			   "The snapshots cannot be read.");
	}
	return answer_text(request->connection, MHD_HTTP_OK, text, len);
}

/* fd: the stderr of the child that failed to make the page. */
static enum MHD_Result answer_error(struct request *request, int fd)
{
	char text[1024];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return say(request->connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
			   "The page cannot be made.");
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	rsp_text_clean(text);
	return say(request->connection, MHD_HTTP_NOT_FOUND, text);
}

static enum MHD_Result answer_page(struct request *request)
{
	_cleanup_close_ int fd = -1;
	struct MHD_Response *response;
	uint64_t size;
	bool ok;

	rsp_serve_job_take(request->job, &ok, &fd, &size);
	if (!ok)
		return answer_error(request, fd);
	response = MHD_create_response_from_fd64(size, fd);
	if (response)
		rsp_take_fd(&fd); /* the response owns it now */
	return answer(request->connection, MHD_HTTP_OK, response);
}

/* --- requests --------------------------------------------------------------------------------- */

static void on_page(void *userdata)
{
	struct request *request = userdata;

	request->is_done = true;
	MHD_resume_connection(request->connection);
}

static enum MHD_Result begin_page(struct request *request, const struct rsp_serve_route *route)
{
	struct rsp_serve_http *http = request->http;
	_cleanup_free_ char *path = NULL, *after = NULL;
	int r = find_snapshot(http, route->id, &path);

	if (r == 0 && route->what == RSP_SERVE_DIFF)
		r = find_snapshot(http, route->after, &after);
	if (r == 0)
		r = rsp_serve_job_begin(&http->jobs, route, http->opt, path, after, on_page,
					request, &request->job);
	if (r == -EBUSY)
		return say(request->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			   "Too many pages are being made: try again.");
	if (r < 0)
		return say(request->connection, MHD_HTTP_NOT_FOUND, "There is no such snapshot.");
	MHD_suspend_connection(request->connection);
	return MHD_YES;
}

static enum MHD_Result route(struct request *request, const char *url)
{
	struct rsp_serve_route route = rsp_serve_route(url, request->http->token);

	switch (route.what) {
	case RSP_SERVE_INDEX:
		return answer_list(request, &route);
	case RSP_SERVE_OTHERS:
		if (request->http->only)
			break;
		return answer_list(request, &route);
	case RSP_SERVE_PROCESSES:
	case RSP_SERVE_PAGE:
	case RSP_SERVE_DIFF:
		return begin_page(request, &route);
	default:
		break;
	}
	return say(request->connection, MHD_HTTP_NOT_FOUND, "There is no such page.");
}

/*
 * libmicrohttpd calls this function several times per request: after the head, for the body, and
 * after each suspension.
 */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_len, void **con_cls)
{
	struct rsp_serve_http *http = cls;
	struct request *request = *con_cls;
	const char *host;

	(void)version;
	(void)upload;
	if (!request) {
		*con_cls = request = calloc(1, sizeof(*request));
		if (request)
			*request = (struct request){.http = http, .connection = connection};
		return request ? MHD_YES : MHD_NO;
	}
	if (*upload_len) {
		*upload_len = 0; /* the body is ignored */
		return MHD_YES;
	}
	if (request->is_done)
		return answer_page(request);
	host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
	if (!rsp_serve_host_ok(host, http->port))
		return say(connection, MHD_HTTP_FORBIDDEN, "This is not the host you asked for.");
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return say(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET.");
	return route(request, url);
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
			 enum MHD_RequestTerminationCode code)
{
	struct rsp_serve_http *http = cls;
	struct request *request = *con_cls;

	(void)connection;
	(void)code;
	if (!request)
		return;
	if (request->job)
		rsp_serve_job_end(&http->jobs, request->job);
	free(request);
	*con_cls = NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static int listen_at(int family, uint16_t *port)
{
	_cleanup_close_ int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_in v4 = {.sin_family = AF_INET,
				 .sin_port = htons(*port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6,
				  .sin6_port = htons(*port),
				  .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr *address = family == AF_INET ? (void *)&v4 : (void *)&v6;
	socklen_t len = family == AF_INET ? sizeof(v4) : sizeof(v6);
	int one = 1;

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (bind(fd, address, len) < 0 || listen(fd, CONNECTIONS_MAX) < 0 ||
	    getsockname(fd, address, &len) < 0)
		return -errno;
	*port = ntohs(family == AF_INET ? v4.sin_port : v6.sin6_port);
	return rsp_take_fd(&fd);
}

static struct MHD_Daemon *start_daemon(struct rsp_serve_http *http, int fd)
{
	struct MHD_Daemon *daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, http,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
		MHD_OPTION_END);

	if (!daemon)
		close(fd);
	return daemon;
}

static int make_token(struct rsp_serve_http *http)
{
	unsigned char bytes[RSP_SERVE_TOKEN_LEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return -EIO;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(http->token + 2 * i, 3, "%02x", bytes[i]);
	snprintf(http->url, sizeof(http->url), "http://127.0.0.1:%u/%s/", http->port, http->token);
	return 0;
}

int rsp_serve_http_new(const struct rsp_options *opt, const char *only, uint16_t port,
		       struct rsp_serve_http **ret)
{
	struct rsp_serve_http *http = calloc(1, sizeof(*http));
	int fd, r = 0;

	if (!http)
		return -ENOMEM;
	http->opt = opt;
	http->only = only;
	http->port = port;
	fd = listen_at(AF_INET, &http->port);
	if (fd < 0)
		r = fd;
	else if (!(http->daemons[0] = start_daemon(http, fd)))
		r = -EIO;
	/* Ignores errors of ::1: another program may use the port there, or IPv6 may be off. */
	fd = r < 0 ? -1 : listen_at(AF_INET6, &http->port);
	if (fd >= 0)
		http->daemons[1] = start_daemon(http, fd);
	if (r == 0)
		r = make_token(http);
	if (r < 0) {
		rsp_serve_http_free(http);
		return r;
	}
	*ret = http;
	return 0;
}

/* Stops the jobs first: libmicrohttpd cannot stop a daemon that has suspended connections. */
struct rsp_serve_http *rsp_serve_http_free(struct rsp_serve_http *http)
{
	if (!http)
		return NULL;
	rsp_serve_jobs_stop(&http->jobs);
	for (size_t i = 0; i < 2; i++) {
		if (!http->daemons[i])
			continue;
		MHD_run(http->daemons[i]);
		MHD_stop_daemon(http->daemons[i]);
	}
	free(http);
	return NULL;
}

const char *rsp_serve_http_url(const struct rsp_serve_http *http)
{
	return http->url;
}

static int timeout_ms(const struct rsp_serve_http *http, bool busy)
{
	MHD_UNSIGNED_LONG_LONG left;
	int ret = busy ? LOOK_MS : -1;

	for (size_t i = 0; i < 2; i++) {
		if (!http->daemons[i] || MHD_get_timeout(http->daemons[i], &left) != MHD_YES)
			continue;
		if (ret < 0 || left < (MHD_UNSIGNED_LONG_LONG)ret)
			ret = left > 60000 ? 60000 : (int)left;
	}
	return ret;
}

int rsp_serve_http_run(struct rsp_serve_http *http, const volatile int *stop)
{
	struct pollfd p[2] = {{.fd = -1, .events = POLLIN}, {.fd = -1, .events = POLLIN}};

	for (size_t i = 0; i < 2; i++)
		if (http->daemons[i])
			p[i].fd = MHD_get_daemon_info(http->daemons[i], MHD_DAEMON_INFO_EPOLL_FD)
					  ->epoll_fd;
	while (!*stop) {
		bool busy = rsp_serve_jobs_poll(&http->jobs);

		if (poll(p, 2, timeout_ms(http, busy || http->jobs.cnt)) < 0 && errno != EINTR)
			return -errno;
		for (size_t i = 0; i < 2; i++)
			if (http->daemons[i] && MHD_run(http->daemons[i]) != MHD_YES)
				return -EIO;
	}
	return 0;
}
