/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types and functions that the files of lib/diff share. */
#ifndef RSP_LIB_DIFF_PARTS_H
#define RSP_LIB_DIFF_PARTS_H

#include "lib/base/arena.h"
#include "lib/diff/diff.h"
#include "lib/model/explain/explain.h"
#include "lib/profile/function-list.h"

/* Rows of RSP_DIFF_SUM. */
#define RSP_DIFF_ELAPSED "elapsed time"
#define RSP_DIFF_QUEUE	 "waits for a CPU"
#define RSP_DIFF_OWN	 "time of its threads without waits for a CPU"

struct rsp_diff_unit {
	__u32 recording;
	__u64 clock_ns, span_ns;
	double scale; /* factor that makes a figure of the unit one per run, second or request */
};

/*
 * Context switches show for how long tasks computed, and samples show in which functions. A pool is
 * computing time that samples divide among functions, such as the time of the process of interest.
 */
struct rsp_diff_pool {
	double *known_ns;   /* time with a known function; one value per unit */
	double *unknown_ns; /* time without a known function */
	double *sample_cnt;
};

/* The stacks of all recordings, merged into one tree; see diff-profile.c. */
struct rsp_diff_merge {
	struct {
		struct rsp_diff_node *v;
		size_t cnt, cap;
	} nodes;
	struct rsp_idmap by_key; /* from a parent and a key to an index in nodes */
	struct rsp_intern strings, keys;
	const char *unit;
};

struct rsp_diff {
	struct rsp_diff_options opt;
	size_t recording_cnt[2];
	size_t block_cnt; /* number of blocks per recording; 1: each recording is a unit */
	/* some inputs are parts of recordings, so the default basis cannot be a run of a command */
	bool has_parts;
	enum rsp_diff_basis basis;
	struct rsp_diff_recording recordings[2 * RSP_DIFF_RECORDINGS_MAX];
	size_t added_cnt;
	struct rsp_diff_unit units[RSP_PERMUTE_UNITS_MAX];
	size_t unit_cnt; /* number of units added until now */
	size_t unit_room;
	struct rsp_intern keys, pool_keys;
	struct {
		struct rsp_diff_pool *v; /* pool number n is v[n - 1] */
		size_t cnt, cap;
	} pools;
	struct {
		struct rsp_diff_row *v; /* rsp_diff_compare() sorts them */
		size_t cnt, cap;
	} rows;
	struct rsp_diff_merge merge;
	__u64 ways; /* see struct rsp_permute_result */
	bool all_ways;
};

/* One figure of the current unit. Figures of a unit with the same table and key are added up. */
struct rsp_diff_figure {
	enum rsp_diff_table table;
	int category;
	const char *key; /* identifies the row on both sides */
	const char *name;
	double value;
	int rank;
	bool is_machine, is_rate, is_latency;
	__u32 pool;	 /* number of the pool, if the figure is computing time; 0: none */
	bool is_unknown; /* the figure is the pool's time without a known function */
};

void rsp_diff_row_done(struct rsp_diff_row *row);
/* diff.c: adds a figure to the current unit. Returns 0 or -ENOMEM. */
int rsp_diff_put(struct rsp_diff *d, const struct rsp_diff_figure *figure);

/*
 * diff-pools.c: removes differences that exist only because chance decides which runs on a CPU
 * contain a sample. rsp_diff_pool() sets *ret to the number of the pool with this name, and adds
 * the pool if it does not exist. Returns 0 or -ENOMEM.
 */
int rsp_diff_pool(struct rsp_diff *d, const char *name, __u32 *ret);
void rsp_diff_pool_add(struct rsp_diff *d, __u32 pool, double known_ns, double unknown_ns,
		       double sample_cnt);
/*
 * Distributes each pool's time without a known function over its functions. Call this after all
 * units are added, and before figures are scaled (struct rsp_diff_unit).
 */
void rsp_diff_pools_share(struct rsp_diff *d);
/*
 * Returns the variance of a row's scaled value in a unit that is due to the small number of
 * samples; see rule 2 in diff-pools.c. Returns 0 for a row without a pool.
 */
double rsp_diff_pool_noise(const struct rsp_diff *d, const struct rsp_diff_row *row, size_t unit);
void rsp_diff_pools_done(struct rsp_diff *d);

/*
 * diff-measure.c: adds all figures of the model's span to the current unit. Also makes the model
 * store its requests. Returns 0, -ESRCH or -ENOMEM.
 */
int rsp_diff_measure(struct rsp_diff *d, struct rsp_model *m, struct rsp_diff_recording *recording);
/*
 * Sets *ret to the process with the name comm that used the most CPU time, or to 0 if there is no
 * such process. Returns 0 or -ENOMEM.
 */
int rsp_diff_find_process(const struct rsp_model *m, const char *comm, __u32 *ret);

/* diff-profile.c */
int rsp_diff_merge_add(struct rsp_diff_merge *m, const struct rsp_profile *p, size_t recording);
void rsp_diff_merge_done(struct rsp_diff_merge *m);

/*
 * diff-names.c: these functions return the name of a cause or a chain. If key is set, they return a
 * key that is equal for the same cause or chain in other recordings: it contains no process IDs,
 * and no numbers in names of tasks and objects. The caller frees the string. NULL: out of memory.
 */
char *rsp_diff_cause_name(const struct rsp_chain *chain, bool key);
char *rsp_diff_chain_name(const struct rsp_chain *chain, bool key);
/*
 * Returns the name or key of the pool to which the chain's computing belongs: the cause without its
 * function.
 */
char *rsp_diff_pool_name(const struct rsp_chain *chain, bool key);
bool rsp_diff_is_computing(const struct rsp_chain *chain);
bool rsp_diff_has_function(const struct rsp_chain *chain);
char *rsp_diff_key_of(const char *name);
/*
 * Returns the category under which a time is compared. Running with and without samples is one
 * category, because chance decides which runs the sampler hits.
 */
int rsp_diff_category(enum rsp_category cat);
bool rsp_diff_is_idle_or_unknown(int category);
/* Returns whether the chain ends in a wait for a CPU on which another program ran. */
bool rsp_diff_is_machine(const struct rsp_chain *chain);

/*
 * diff-answer.c: these functions return the first paragraph of the text (the answer) and the last
 * one (the method). The caller frees the string. NULL: out of memory.
 */
char *rsp_diff_answer(const struct rsp_diff *d);
char *rsp_diff_method(const struct rsp_diff *d);
/* Returns the row that the answer describes, or NULL if there is no difference. */
const struct rsp_diff_row *rsp_diff_first(const struct rsp_diff *d);
/*
 * Returns the recording with the longest pauses, if pauses make the sides incomparable, or else
 * NULL.
 */
const struct rsp_diff_recording *rsp_diff_most_paused(const struct rsp_diff *d);
/* Returns the row RSP_DIFF_ELAPSED, or NULL if there is none. */
const struct rsp_diff_row *rsp_diff_clock(const struct rsp_diff *d);
/* Returns the row RSP_DIFF_QUEUE if it changed significantly, or else NULL. */
const struct rsp_diff_row *rsp_diff_machine(const struct rsp_diff *d);
/* Formats a value of the row like "102 ms", "+102 ms" or "1200/s". */
char *rsp_diff_figure_text(const struct rsp_diff_row *row, double value, bool sign, char *buf,
			   size_t len);
/* Returns "a run", "a second" or "a request". */
const char *rsp_diff_basis_text(enum rsp_diff_basis basis);
const char *rsp_diff_basis_key(enum rsp_diff_basis basis);
static inline double rsp_diff_growth(const struct rsp_diff_row *row)
{
	return row->mean[1] - row->mean[0];
}
const char *rsp_diff_table_key(enum rsp_diff_table table);

/*
 * diff-tables.c: the tables of the text and the page, in the order of output. The last entry has no
 * title.
 */
struct rsp_diff_table_words {
	enum rsp_diff_table table;
	const char *title, *head; /* head: heading of the column with the names */
};
extern const struct rsp_diff_table_words rsp_diff_tables[];
bool rsp_diff_is_of_functions(enum rsp_diff_table table);
/* Writes the title of a table and the basis of its figures, like "Chains of waits, for a run". */
void rsp_diff_put_title(const struct rsp_diff *d, const struct rsp_diff_table_words *words,
			FILE *out);
/* Returns how many rows of a table the text shows by default. The page folds all further rows. */
size_t rsp_diff_row_limit(enum rsp_diff_table table);
/*
 * Lists the rows of a table in order, without rows that repeat another one. The caller frees *ret.
 * Returns 0 or -ENOMEM.
 */
int rsp_diff_shown_rows(const struct rsp_diff *d, enum rsp_diff_table table,
			const struct rsp_diff_row ***ret, size_t *ret_cnt);
/* The figures of a row as text: before, after, change, margin, change in percent. */
#define RSP_DIFF_CELLS 5
struct rsp_diff_cells {
	char text[RSP_DIFF_CELLS][48];
};
void rsp_diff_cells(const struct rsp_diff_row *row, struct rsp_diff_cells *ret);
/* Writes text like "Before: make [120], 5 recordings, 2.00 s each; the first is a.rsp". */
void rsp_diff_put_side(const struct rsp_diff *d, int side, FILE *out);

/* diff-json.c, diff-text.c */
int rsp_diff_json(const struct rsp_diff *d, FILE *out);
int rsp_diff_text(const struct rsp_diff *d, FILE *out);

#endif
