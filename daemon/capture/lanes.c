/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See lanes.h. A lane has places. Each place has a worker; the opener sends files to the worker's
 * inlet (daemon/worker/worker-protocol.h).
 */
#include "daemon/capture/lanes.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "daemon/base/clock.h"
#include "daemon/base/journal.h"
#include "lib/files/local.h"

#define S_IN_US 1000000ULL
#define S_IN_NS 1000000000ULL

/* Maximum number of files that are queued or in progress in a lane. */
#define FILES_MAX RSP_WORKER_QUEUE_MAX

/* Time after which opening a file counts as hung. Overloaded disks take tenths of a second. */
#define OPEN_NS (5 * S_IN_NS)

#define LOOK_US (1 * S_IN_US)

/*
 * Size above which files wait until no smaller file waits, because reading a large file takes as
 * long as reading dozens of small files.
 */
#define LARGE_BYTES (16ULL << 20)

#define PLACES_MAX 4

enum state {
	WAITING,
	OPENING,
	HUNG, /* opening takes longer than OPEN_NS */
	READING,
};

struct place {
	struct lane *lane;
	struct rsp_worker *worker;
	unsigned int opening_cnt; /* files that are OPENING or HUNG */
	unsigned int reading_cnt;
	__u32 uid; /* owner of the last file */
};

struct file {
	TAILQ_ENTRY(file) link;
	__u32 number;
	enum state state;
	struct rsp_binary_wanted wanted;
	struct place *place;
	__u32 process; /* number of the worker process that gets the file (rsp_worker_inlet()) */
	__u64 since_ns;
};

struct kind {
	unsigned int place_cnt;
	unsigned int openings_max; /* maximum number of files being opened, per place */
	unsigned int left_max;	   /* maximum number of processes that hang, per worker */
	unsigned int patience_s;   /* time limit for reading a file */
	/* the place takes the next file only when its worker has read the previous file */
	bool alone;
};

/*
 * A worker may use 5 s of CPU time per file. So a worker that takes longer than patience_s for a
 * local file (30 s) must be waiting for a disk or a CPU. A file in the slow lane may hang its
 * worker, so each file in progress there has its own worker.
 */
static const struct kind local_kind = {1, 8, RSP_WORKER_LEFT_MAX, 30, false};
static const struct kind slow_kind = {PLACES_MAX, 1, 1, 5, true};

struct lane {
	struct rsp_lanes *lanes;
	const struct kind *kind;
	struct place places[PLACES_MAX];
	TAILQ_HEAD(file_list, file) files; /* in the order of the requests */
	unsigned int file_cnt;
	bool logged; /* a warning that some files hang was logged */
};

struct rsp_lanes {
	struct rsp_opener *opener;
	struct rsp_lanes_ops ops;
	sd_event_source *timer; /* runs while files are being opened */
	__u32 last_number;
	struct lane local, slow;
};

/* --- choice of the lane ----------------------------------------------------------------------- */

bool rsp_lanes_is_local(const struct rsp_binary_origin *origin)
{
	return !origin->foreign && rsp_file_system_is_local(origin->magic) &&
	       (rsp_file_system_is_local(origin->top_magic) ||
		origin->top_magic == OVERLAYFS_SUPER_MAGIC);
}

/* --- places ----------------------------------------------------------------------------------- */

static bool is_taken(const struct place *place)
{
	const struct kind *kind = place->lane->kind;

	return place->opening_cnt >= kind->openings_max ||
	       (kind->alone && place->opening_cnt + place->reading_cnt);
}

/*
 * Counts the user's files in progress (in the local lane, only files being opened), and the places
 * whose hanging worker last got a file of the user.
 */
static unsigned int taken_by(const struct lane *lane, __u32 uid)
{
	const struct file *file;
	unsigned int cnt = 0;

	TAILQ_FOREACH(file, &lane->files, link)
	cnt += file->wanted.origin.uid == uid && file->state != WAITING &&
	       (lane->kind->alone || file->state != READING);
	for (size_t i = 0; i < lane->kind->place_cnt; i++)
		cnt += lane->places[i].uid == uid && rsp_worker_hangs(lane->places[i].worker);
	return cnt;
}

static bool may_take(const struct lane *lane, __u32 uid)
{
	return uid == 0 ||
	       taken_by(lane, uid) < lane->kind->place_cnt * lane->kind->openings_max / 2;
}

/* Returns whether the place has no worker process, and then requests one. */
static bool is_waiting_for_worker(struct place *place)
{
	__u32 process;

	return rsp_worker_inlet(place->worker, &process) == -EAGAIN;
}

/*
 * Returns a free place; NULL: no place is free, or the worker of the free place is still starting.
 */
static struct place *find_place(struct lane *lane)
{
	struct place *place;

	for (size_t i = 0; i < lane->kind->place_cnt; i++) {
		place = &lane->places[i];
		if (is_taken(place))
			continue;
		if (!is_waiting_for_worker(place))
			return place;
		if (!rsp_worker_hangs(place->worker))
			return NULL;
	}
	return NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

static void forget(struct lane *lane, struct file *file)
{
	TAILQ_REMOVE(&lane->files, file, link);
	lane->file_cnt--;
	free(file);
}

static void finish(struct lane *lane, struct file *file, int error,
		   const struct rsp_worker_answer *answer)
{
	const struct rsp_binary_wanted wanted = file->wanted;

	forget(lane, file);
	lane->lanes->ops.done(&wanted, error, answer, lane->lanes->ops.userdata);
}

static struct file *find(struct lane *lane, __u32 number)
{
	struct file *file;

	TAILQ_FOREACH(file, &lane->files, link)
	if (file->number == number)
		return file;
	return NULL;
}

static int start_timer(struct rsp_lanes *lanes)
{
	int r = sd_event_source_set_time_relative(lanes->timer, LOOK_US);

	return r < 0 ? r : sd_event_source_set_enabled(lanes->timer, SD_EVENT_ONESHOT);
}

static void begin(struct lane *lane, struct file *file, struct place *place)
{
	int inlet = rsp_worker_inlet(place->worker, &file->process);

	if (rsp_opener_submit(lane->lanes->opener, file->number, &file->wanted, inlet,
			      lane->lanes->ops.keeps_files && lane == &lane->lanes->local) < 0)
		return;
	file->place = place;
	file->state = OPENING;
	file->since_ns = rsp_now_ns();
	place->opening_cnt++;
	place->uid = file->wanted.origin.uid;
	if (!sd_event_source_get_enabled(lane->lanes->timer, NULL))
		start_timer(lane->lanes);
}

static struct file *next(struct lane *lane)
{
	struct file *file, *large = NULL;

	TAILQ_FOREACH(file, &lane->files, link)
	{
		if (file->state != WAITING || !may_take(lane, file->wanted.origin.uid))
			continue;
		if (file->wanted.key.size <= LARGE_BYTES)
			return file;
		if (!large)
			large = file;
	}
	return large;
}

static void go_on(struct lane *lane)
{
	struct place *place;
	struct file *file;

	while ((file = next(lane)) && (place = find_place(lane))) {
		begin(lane, file, place);
		if (file->state == WAITING) /* the opener accepts no more files now */
			return;
	}
}

/* --- answers ---------------------------------------------------------------------------------- */

static void read_opened(struct lane *lane, struct file *file, const struct rsp_opened *opened)
{
	struct place *place = file->place;
	int r = rsp_worker_submit(place->worker, file->number, file->process);

	if (r < 0) {
		finish(lane, file, r, NULL);
		return;
	}
	file->state = READING;
	place->reading_cnt++;
	lane->lanes->ops.opened(&file->wanted, opened, lane->lanes->ops.userdata);
}

static void on_opened(const struct rsp_opened *opened, void *userdata)
{
	struct rsp_lanes *lanes = userdata;
	struct lane *lane = &lanes->local;
	struct file *file = find(lane, opened->number);

	if (!file) {
		lane = &lanes->slow;
		file = find(lane, opened->number);
	}
	if (!file)
		return;
	file->place->opening_cnt--;
	if (file->state == HUNG) /* the file system answers again, so a new request may succeed */
		finish(lane, file, -EAGAIN, NULL);
	else if (opened->error < 0)
		finish(lane, file, opened->error, NULL);
	else
		read_opened(lane, file, opened);
	go_on(lane);
}

static void on_answer(uint32_t number, int error, const struct rsp_worker_answer *answer,
		      void *userdata)
{
	struct place *place = userdata;
	struct lane *lane = place->lane;
	struct file *file = find(lane, number);

	if (!file)
		return;
	place->reading_cnt--;
	finish(lane, file, error, error == -EAGAIN ? NULL : answer);
	go_on(lane);
}

static void give_up(struct lane *lane, int error)
{
	struct file *file, *next_file;

	for (file = TAILQ_FIRST(&lane->files); file; file = next_file) {
		next_file = TAILQ_NEXT(file, link);
		if (file->state == WAITING)
			finish(lane, file, error, NULL);
	}
}

static void on_ready(int error, void *userdata)
{
	struct place *place = userdata;

	if (error < 0)
		give_up(place->lane, error);
	else
		go_on(place->lane);
}

/* --- files that hang -------------------------------------------------------------------------- */

static void log_hang(struct lane *lane)
{
	if (!lane->logged)
		rsp_log(LOG_WARNING,
			"a file system does not answer: stacks of its programs are incomplete");
	lane->logged = true;
}

/* Returns whether other files are still being opened. */
static bool look_for_hung(struct lane *lane, __u64 now_ns)
{
	struct file *file;
	bool opening = false;

	TAILQ_FOREACH(file, &lane->files, link)
	{
		if (file->state != OPENING)
			continue;
		if (now_ns - file->since_ns < OPEN_NS) {
			opening = true;
			continue;
		}
		file->state = HUNG;
		log_hang(lane);
	}
	return opening;
}

static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	struct rsp_lanes *lanes = userdata;
	__u64 now_ns = rsp_now_ns();
	bool local = look_for_hung(&lanes->local, now_ns),
	     slow = look_for_hung(&lanes->slow, now_ns);

	return local || slow ? start_timer(lanes) : 0;
}

static unsigned int hung_cnt(const struct lane *lane)
{
	const struct file *file;
	unsigned int cnt = 0;

	TAILQ_FOREACH(file, &lane->files, link)
	cnt += file->state == HUNG;
	for (size_t i = 0; i < lane->kind->place_cnt; i++)
		cnt += rsp_worker_hangs(lane->places[i].worker);
	return cnt;
}

unsigned int rsp_lanes_busy_cnt(const struct rsp_lanes *lanes)
{
	return lanes->local.file_cnt + lanes->slow.file_cnt - rsp_lanes_hung_cnt(lanes);
}

unsigned int rsp_lanes_hung_cnt(const struct rsp_lanes *lanes)
{
	return hung_cnt(&lanes->local) + hung_cnt(&lanes->slow);
}

/* --- interface -------------------------------------------------------------------------------- */

static bool has_room(const struct lane *lane, __u32 uid)
{
	const struct file *file;
	unsigned int cnt = 0;

	if (lane->file_cnt >= FILES_MAX)
		return false;
	TAILQ_FOREACH(file, &lane->files, link)
	cnt += file->wanted.origin.uid == uid;
	return uid == 0 || cnt < FILES_MAX / 2;
}

int rsp_lanes_submit(struct rsp_lanes *lanes, const struct rsp_binary_wanted *wanted)
{
	struct lane *lane = rsp_lanes_is_local(&wanted->origin) ? &lanes->local : &lanes->slow;
	struct file *file;

	if (!has_room(lane, wanted->origin.uid))
		return hung_cnt(lane) ? -ETIME : -EBUSY;
	file = calloc(1, sizeof(*file));
	if (!file)
		return -EBUSY;
	file->number = ++lanes->last_number;
	file->wanted = *wanted;
	TAILQ_INSERT_TAIL(&lane->files, file, link);
	lane->file_cnt++;
	go_on(lane);
	return 0;
}

static int init_lane(sd_event *event, struct lane *lane, bool copies_symbols)
{
	struct rsp_worker_options options = {
		.patience_us = lane->kind->patience_s * S_IN_US,
		.left_max = lane->kind->left_max,
		.copies_symbols = copies_symbols,
		.ready = on_ready,
		.done = on_answer,
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < lane->kind->place_cnt; i++) {
		lane->places[i].lane = lane;
		options.userdata = &lane->places[i];
		r = rsp_worker_new(event, &options, &lane->places[i].worker);
	}
	return r;
}

static void done_lane(struct lane *lane)
{
	for (size_t i = 0; i < PLACES_MAX; i++)
		rsp_worker_free(lane->places[i].worker);
	while (!TAILQ_EMPTY(&lane->files))
		forget(lane, TAILQ_FIRST(&lane->files));
}

int rsp_lanes_new(sd_event *event, struct rsp_opener *opener, const struct rsp_lanes_ops *ops,
		  struct rsp_lanes **ret)
{
	struct rsp_lanes *lanes = calloc(1, sizeof(*lanes));
	int r;

	if (!lanes)
		return -ENOMEM;
	lanes->opener = opener;
	lanes->ops = *ops;
	lanes->local.lanes = lanes->slow.lanes = lanes;
	lanes->local.kind = &local_kind;
	lanes->slow.kind = &slow_kind;
	TAILQ_INIT(&lanes->local.files);
	TAILQ_INIT(&lanes->slow.files);
	rsp_opener_set_receiver(opener, on_opened, lanes);
	r = sd_event_add_time_relative(event, &lanes->timer, CLOCK_MONOTONIC, LOOK_US, 0, on_timer,
				       lanes);
	if (r >= 0)
		r = init_lane(event, &lanes->local, !ops->keeps_files);
	if (r >= 0)
		r = init_lane(event, &lanes->slow, true);
	if (r < 0) {
		rsp_lanes_free(lanes);
		return r;
	}
	*ret = lanes;
	return 0;
}

struct rsp_lanes *rsp_lanes_free(struct rsp_lanes *lanes)
{
	if (!lanes)
		return NULL;
	done_lane(&lanes->local);
	done_lane(&lanes->slow);
	sd_event_source_disable_unref(lanes->timer);
	free(lanes);
	return NULL;
}
