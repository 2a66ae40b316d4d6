/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See spool.h. */
#include "export/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "export/spool-state.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot.h"

#define STATE "state"

struct rsp_spool {
	int dir; /* descriptor of the directory; -1: it does not exist */
	struct rsp_spool_state state;
	struct {
		struct rsp_spool_batch *v;
		size_t cnt, cap;
	} batches; /* oldest first; the batches before first have been removed */
	size_t first;
	uint64_t bytes;
};

struct rsp_spool *rsp_spool_free(struct rsp_spool *s)
{
	if (!s)
		return NULL;
	if (s->dir >= 0)
		close(s->dir);
	rsp_spool_state_done(&s->state);
	free(s->batches.v);
	free(s);
	return NULL;
}

const struct rsp_spool_cursor *rsp_spool_cursor(const struct rsp_spool *s)
{
	return &s->state.cursor;
}

struct rsp_spool_day *rsp_spool_day(struct rsp_spool *s)
{
	return &s->state.day;
}

bool rsp_spool_has_snapshot(const struct rsp_spool *s, const char *id)
{
	return rsp_spool_state_has(&s->state, id);
}

void rsp_spool_forget(struct rsp_spool *s, bool (*exists)(const char *id, void *userdata),
		      void *userdata)
{
	rsp_spool_state_forget(&s->state, exists, userdata);
}

/* --- opening ---------------------------------------------------------------------------------- */

/*
 * Appends a NUL to the bytes *ret, which the caller frees. Returns 0; -EBADMSG: the file is not
 * regular or has more than max bytes; another -errno.
 */
static int slurp(int dir, const char *name, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	_cleanup_free_ char *bytes = NULL;
	size_t len = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > max)
		return -EBADMSG;
	bytes = malloc((size_t)st.st_size + 1);
	if (!bytes)
		return -ENOMEM;
	while (len < (size_t)st.st_size) {
		ssize_t n = read(fd, bytes + len, (size_t)st.st_size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		len += (size_t)n;
	}
	bytes[len] = '\0';
	*ret = rsp_take_ptr(bytes);
	*ret_len = len;
	return 0;
}

static int read_state(struct rsp_spool *s)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r = slurp(s->dir, STATE, RSP_SPOOL_STATE_BYTES_MAX, &text, &len);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	return rsp_spool_state_parse(text, &s->state);
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static DIR *reopen_dir(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static int add_batch(struct rsp_spool *s, const char *name, uint64_t bytes)
{
	struct rsp_spool_batch *batch = rsp_array_add(&s->batches);

	if (!batch)
		return -ENOMEM;
	snprintf(batch->name, sizeof(batch->name), "%s", name);
	batch->bytes = bytes;
	s->bytes += bytes;
	return 0;
}

/* If clean is set, removes temporary files that remained after a crash. */
static int find_batches(struct rsp_spool *s, bool clean)
{
	_cleanup_(closedirp) DIR *d = reopen_dir(s->dir);
	struct dirent *entry;
	struct stat st;
	int r = 0;

	if (!d)
		return -errno;
	while (r == 0 && (errno = 0, (entry = readdir(d)))) {
		if (strncmp(entry->d_name, RSP_TEMPORARY_PREFIX, strlen(RSP_TEMPORARY_PREFIX)) ==
		    0) {
			if (clean)
				unlinkat(s->dir, entry->d_name, 0);
		} else if (rsp_spool_name_is_valid(entry->d_name) &&
			   fstatat(s->dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			r = add_batch(s, entry->d_name, (uint64_t)st.st_size);
		}
	}
	return r < 0 ? r : -errno;
}

/* Names begin with a sequence number of fixed length. */
static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct rsp_spool_batch *)a)->name,
		      ((const struct rsp_spool_batch *)b)->name);
}

/* The day of the batch is the day on which its file was modified. */
static int take_over(struct rsp_spool *s, const struct rsp_spool_batch *batch)
{
	struct stat st;

	if (fstatat(s->dir, batch->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return rsp_spool_state_take(&s->state, batch->name, batch->bytes,
				    rsp_spool_date_of(st.st_mtim.tv_sec));
}

static int load(struct rsp_spool *s, bool clean)
{
	int r = read_state(s);

	if (r == 0)
		r = find_batches(s, clean);
	if (r == 0 && s->batches.cnt > 0)
		qsort(s->batches.v, s->batches.cnt, sizeof(*s->batches.v), by_name);
	for (size_t i = 0; r == 0 && i < s->batches.cnt; i++)
		r = take_over(s, &s->batches.v[i]);
	return r;
}

static int open_spool(const char *dir, bool writes, struct rsp_spool **ret)
{
	struct rsp_spool *s = calloc(1, sizeof(*s));
	int r = 0;

	if (!s)
		return -ENOMEM;
	if (writes && mkdir(dir, 0700) < 0 && errno != EEXIST)
		r = -errno;
	s->dir = r < 0 ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r == 0 && s->dir < 0)
		r = -errno;
	/* Two processes that use the same spool would send all batches twice. */
	if (r == 0 && writes && flock(s->dir, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (r == 0)
		r = load(s, writes);
	else if (r == -ENOENT && !writes)
		r = 0;
	if (r < 0) {
		rsp_spool_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

int rsp_spool_open(const char *dir, struct rsp_spool **ret)
{
	return open_spool(dir, true, ret);
}

int rsp_spool_peek(const char *dir, struct rsp_spool **ret)
{
	return open_spool(dir, false, ret);
}

/* --- adding ----------------------------------------------------------------------------------- */

static int put_file(struct rsp_spool *s, const char *name, const void *bytes, size_t len)
{
	int r = rsp_snapshot_save_at(s->dir, name, bytes, len, (gid_t)-1);

	/*
	 * rsp_snapshot_save_at() may fail after it has renamed the file. Then the batch is in the
	 * spool, and another attempt would add it twice.
	 */
	return r < 0 && faccessat(s->dir, name, F_OK, 0) == 0 ? 0 : r;
}

static int save_state(struct rsp_spool *s, const struct rsp_spool_state *state)
{
	_cleanup_free_ char *text = NULL;
	int r = rsp_spool_state_format(state, &text);

	/*
	 * If saving fails, the old state remains valid: it describes the same batches together with
	 * the files of the batches.
	 */
	return r < 0 ? r : rsp_snapshot_save_at(s->dir, STATE, text, strlen(text), (gid_t)-1);
}

static void make_name(const struct rsp_spool *s, const struct rsp_spool_content *c,
		      char name[static RSP_SPOOL_NAME_BYTES])
{
	uint64_t seq = s->state.seq + 1;

	if (c->boot)
		snprintf(name, RSP_SPOOL_NAME_BYTES, "%016" PRIx64 "-%s-%" PRIu64 "-%" PRIu64, seq,
			 c->boot, c->first, c->last);
	else
		snprintf(name, RSP_SPOOL_NAME_BYTES, "%016" PRIx64 "-snapshot-%s", seq, c->id);
}

int rsp_spool_put(struct rsp_spool *s, const struct rsp_spool_content *content, const void *bytes,
		  size_t len)
{
	char name[RSP_SPOOL_NAME_BYTES];
	int r;

	make_name(s, content, name);
	if (!rsp_spool_name_is_valid(name))
		return -EINVAL;
	if (len > RSP_SPOOL_BATCH_BYTES_MAX)
		return -EFBIG;
	/* A batch on disk must also be in memory, so memory is reserved first. */
	r = content->boot ? 0 : rsp_spool_state_reserve(&s->state);
	if (r == 0)
		r = add_batch(s, name, len);
	if (r < 0)
		return r;
	r = put_file(s, name, bytes, len);
	if (r < 0) {
		s->batches.cnt--;
		s->bytes -= len;
		return r;
	}
	return rsp_spool_state_take(&s->state, name, len, rsp_spool_date_of(time(NULL)));
}

int rsp_spool_pass(struct rsp_spool *s, const struct rsp_spool_content *content)
{
	char name[RSP_SPOOL_NAME_BYTES];
	int r;

	make_name(s, content, name);
	if (!rsp_spool_name_is_valid(name))
		return -EINVAL;
	r = rsp_spool_state_take(&s->state, name, 0, rsp_spool_date_of(time(NULL)));
	return r < 0 ? r : save_state(s, &s->state);
}

/* --- the batches ------------------------------------------------------------------------------ */

size_t rsp_spool_cnt(const struct rsp_spool *s)
{
	return s->batches.cnt - s->first;
}

uint64_t rsp_spool_bytes(const struct rsp_spool *s)
{
	return s->bytes;
}

const struct rsp_spool_batch *rsp_spool_at(const struct rsp_spool *s, size_t i)
{
	return &s->batches.v[s->first + i];
}

const struct rsp_spool_batch *rsp_spool_oldest(const struct rsp_spool *s)
{
	return rsp_spool_cnt(s) > 0 ? rsp_spool_at(s, 0) : NULL;
}

int rsp_spool_read(const struct rsp_spool *s, const struct rsp_spool_batch *batch, char **ret_bytes)
{
	_cleanup_free_ char *bytes = NULL;
	size_t len;
	int r = slurp(s->dir, batch->name, RSP_SPOOL_BATCH_BYTES_MAX, &bytes, &len);

	if (r < 0)
		return r;
	if (len != batch->bytes)
		return -EBADMSG;
	*ret_bytes = rsp_take_ptr(bytes);
	return 0;
}

/* The array may have many thousands of entries, so they move only when half of them are unused. */
static void shift(struct rsp_spool *s)
{
	s->first++;
	if (s->first * 2 < s->batches.cnt)
		return;
	memmove(s->batches.v, s->batches.v + s->first,
		(s->batches.cnt - s->first) * sizeof(*s->batches.v));
	s->batches.cnt -= s->first;
	s->first = 0;
}

/*
 * No other batch contains the ID of a removed snapshot, and the name of the last batch contains the
 * cursor. So the state is saved first. The state may describe batches that still exist.
 */
int rsp_spool_remove_oldest(struct rsp_spool *s)
{
	const struct rsp_spool_batch *batch = rsp_spool_oldest(s);
	int r = 0;

	if (!batch)
		return -ENOENT;
	if (rsp_spool_cnt(s) == 1 || rsp_spool_name_is_snapshot(batch->name))
		r = save_state(s, &s->state);
	if (r == 0 && unlinkat(s->dir, batch->name, 0) < 0 && errno != ENOENT)
		r = -errno;
	if (r < 0)
		return r;
	s->bytes -= batch->bytes;
	shift(s);
	return 0;
}
