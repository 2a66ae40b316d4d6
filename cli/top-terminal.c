/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top-terminal.h. */
#include "cli/top-terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "cli/top-cgroups.h"
#include "cli/top-chains.h"
#include "cli/when.h"
#include "lib/live/screen.h"

#define INTERVAL_NS_MIN 500000000ULL
#define INTERVAL_NS_MAX 60000000000ULL
#define ESCAPE		27

/* first: index of the line at the top of the screen. */
struct pager {
	struct rsp_top_text text;
	size_t first;
	bool is_open;
};

struct terminal {
	struct rsp_top_session *session;
	const struct rsp_options *opt;
	struct rsp_screen_how how;
	uint64_t interval_ns; /* interval that the user wants */
	uint64_t next_ns;     /* time of the next refresh */
	struct rsp_top_cgroups *cgroups;
	struct pager pager;
	__u32 selected_tgid;
	unsigned int selected;
	bool is_utf8, has_colours, types_filter, quits;
	char filter[64], notice[256], clock[16];
	int error; /* -errno: the recorder or the reader has ended */
};

static volatile sig_atomic_t got_signal;

static void on_signal(int signal)
{
	got_signal = signal;
}

/* --- terminal --------------------------------------------------------------------------------- */

/* The signal handlers of ncurses would end the process, possibly within a call of the library. */
static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = on_signal};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static bool start_screen(struct terminal *t)
{
	const char *no_colour = getenv("NO_COLOR");

	setlocale(LC_CTYPE, "");
	t->is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!newterm(NULL, stdout, stdin))
		return false;
	catch_signals();
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	set_escdelay(50);
	if (!(no_colour && *no_colour) && has_colors() && start_color() == OK) {
		use_default_colors();
		init_pair(RSP_INK_HEADER, COLOR_CYAN, -1);
		init_pair(RSP_INK_FOCUSED, COLOR_GREEN, -1);
		init_pair(RSP_INK_NOTICE, COLOR_YELLOW, -1);
		t->has_colours = true;
	}
	return true;
}

static attr_t attributes(const struct terminal *t, enum rsp_screen_ink ink)
{
	attr_t colour = t->has_colours ? COLOR_PAIR(ink) : 0;

	switch (ink) {
	case RSP_INK_TITLE:
		return A_BOLD;
	case RSP_INK_HEADER:
		return A_UNDERLINE | colour;
	case RSP_INK_FOCUSED:
		return A_UNDERLINE | A_BOLD | colour;
	case RSP_INK_SELECTED:
		return A_REVERSE;
	case RSP_INK_NOTICE:
		return A_BOLD | colour;
	case RSP_INK_KEYS:
		return A_DIM;
	default:
		return A_NORMAL;
	}
}

static void to_ascii(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		if (!(*p & 0x80)) {
			*to++ = *p;
		} else if ((*p & 0xc0) == 0xc0) {
			*to++ = !strncmp(p, "…", 3)   ? '~'
				: !strncmp(p, "≥", 3) ? '>'
				: !strncmp(p, "←", 3) ? '<'
				: !strncmp(p, "µ", 2) ? 'u'
						      : '?';
		}
	}
	*to = '\0';
}

static void draw_text(const struct terminal *t, int row, const char *text, attr_t attr)
{
	char copy[RSP_SCREEN_COLS_MAX * 4 + 1];

	snprintf(copy, sizeof(copy), "%s", text);
	if (!t->is_utf8)
		to_ascii(copy);
	attrset(attr);
	mvaddstr(row, 0, copy);
	/* Extends reversed and underlined lines to the edge of the terminal. */
	if (attr & (A_REVERSE | A_UNDERLINE))
		for (int x = getcurx(stdscr); x < COLS && getcury(stdscr) == row; x++)
			mvaddch(row, x, ' ');
	attrset(A_NORMAL);
}

static void draw_pager(const struct terminal *t)
{
	const struct rsp_top_text *text = &t->pager.text;

	for (int row = 0; row < LINES - 1; row++) {
		size_t i = t->pager.first + (size_t)row;

		if (i < text->cnt)
			draw_text(t, row, text->v[i], A_NORMAL);
	}
	draw_text(t, LINES - 1, "q back  ↑↓ line  PgUp PgDn page  Home End",
		  attributes(t, RSP_INK_KEYS));
}

static const char *name_cgroup(__u64 id, void *userdata)
{
	struct terminal *t = userdata;

	return rsp_top_cgroups_name(t->cgroups, id);
}

static void prepare_how(struct terminal *t)
{
	uint64_t interval_ns = rsp_top_session_interval_ns(t->session, t->interval_ns);
	time_t now = time(NULL);
	struct tm tm;

	strcpy(t->clock, "");
	if (localtime_r(&now, &tm))
		strftime(t->clock, sizeof(t->clock), "%H:%M:%S", &tm);
	t->how.cols = COLS > RSP_SCREEN_COLS_MAX ? RSP_SCREEN_COLS_MAX : (unsigned int)COLS;
	t->how.rows = (unsigned int)LINES;
	t->how.clock = t->clock;
	t->how.filter = t->filter;
	t->how.cost = rsp_top_session_cost(t->session);
	t->how.interval_ns = interval_ns;
	t->how.ignores_budget = rsp_top_session_watches(t->session);
	t->how.notice = t->notice;
	t->how.selected = t->selected;
	t->how.cgroup = name_cgroup;
	t->how.userdata = t;
	if (t->types_filter)
		snprintf(t->notice, sizeof(t->notice), "filter: %s_ (Enter ends, Esc clears)",
			 t->filter);
	else if (interval_ns > t->interval_ns)
		snprintf(
			t->notice, sizeof(t->notice),
			"refreshes are less frequent, because they would cost more than 1 %% of a CPU");
	else
		snprintf(t->notice, sizeof(t->notice), "%s", rsp_top_session_notice(t->session));
}

static void draw(struct terminal *t)
{
	struct rsp_screen screen;

	erase();
	if (t->pager.is_open) {
		draw_pager(t);
	} else {
		prepare_how(t);
		if (rsp_screen_make(rsp_top_session_view(t->session), &t->how, &screen) == 0) {
			for (size_t i = 0; i < screen.cnt; i++)
				draw_text(t, (int)i, screen.v[i].text,
					  attributes(t, screen.v[i].ink));
			t->selected = screen.selected;
			t->selected_tgid = screen.selected_tgid;
			rsp_screen_done(&screen);
		}
	}
	refresh();
}

/* --- keys ------------------------------------------------------------------------------------- */

static void type_filter(struct terminal *t, int key)
{
	size_t len = strlen(t->filter);

	if (key == '\n' || key == KEY_ENTER || key == ESCAPE)
		t->types_filter = false;
	if (key == ESCAPE)
		t->filter[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && len)
		t->filter[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < sizeof(t->filter)) {
		t->filter[len] = (char)key;
		t->filter[len + 1] = '\0';
	}
}

static void move_page(struct pager *pager, long by)
{
	long last = (long)pager->text.cnt - (LINES - 1), first = (long)pager->first + by;

	if (first > last)
		first = last;
	pager->first = first > 0 ? (size_t)first : 0;
}

static void page_key(struct terminal *t, int key)
{
	switch (key) {
	case 'q':
	case ESCAPE:
	case '\n':
	case KEY_ENTER:
		rsp_top_text_done(&t->pager.text);
		t->pager.is_open = false;
		break;
	case KEY_UP:
	case 'k':
		move_page(&t->pager, -1);
		break;
	case KEY_DOWN:
	case 'j':
		move_page(&t->pager, 1);
		break;
	case KEY_PPAGE:
		move_page(&t->pager, -(LINES - 2));
		break;
	case KEY_NPAGE:
	case ' ':
		move_page(&t->pager, LINES - 2);
		break;
	case KEY_HOME:
		t->pager.first = 0;
		break;
	case KEY_END:
		move_page(&t->pager, (long)t->pager.text.cnt);
		break;
	}
}

static void show_chains(struct terminal *t)
{
	char line[128];

	if (!t->selected_tgid)
		return;
	snprintf(line, sizeof(line), "asking for the last seconds of process %u …",
		 t->selected_tgid);
	move(LINES - 1, 0);
	clrtoeol();
	draw_text(t, LINES - 1, line, attributes(t, RSP_INK_NOTICE));
	refresh();
	t->pager.first = 0;
	t->pager.is_open = rsp_top_chains(t->opt, t->selected_tgid, COLS, &got_signal,
					  &t->pager.text) == 0;
}

static void change_interval(struct terminal *t, bool longer)
{
	t->interval_ns = longer ? t->interval_ns * 2 : t->interval_ns / 2;
	if (t->interval_ns < INTERVAL_NS_MIN)
		t->interval_ns = INTERVAL_NS_MIN;
	if (t->interval_ns > INTERVAL_NS_MAX)
		t->interval_ns = INTERVAL_NS_MAX;
	t->next_ns = rsp_when_now_ns() + t->interval_ns;
}

static void next_sort(struct rsp_screen_how *how)
{
	if (!*rsp_panel_sort_name(how->focus, ++how->sort[how->focus]))
		how->sort[how->focus] = 0;
}

/* A new setting takes effect at the next refresh. */
static void reader_key(struct rsp_live_how *how, int key)
{
	switch (key) {
	case 'p':
		how->by_process = !how->by_process;
		break;
	case 'u':
		how->by_cgroup = !how->by_cgroup;
		break;
	case 'i':
		how->with_idle = !how->with_idle;
		break;
	}
}

static void list_key(struct terminal *t, int key)
{
	reader_key(rsp_top_session_how(t->session), key);
	switch (key) {
	case 'q':
		t->quits = true;
		break;
	case '\t':
	case KEY_RIGHT:
		t->how.focus = (t->how.focus + 1) % RSP_PANELS;
		t->selected = 0;
		break;
	case KEY_BTAB:
	case KEY_LEFT:
		t->how.focus = (t->how.focus + RSP_PANELS - 1) % RSP_PANELS;
		t->selected = 0;
		break;
	case KEY_UP:
	case 'k':
		t->selected -= t->selected > 0;
		break;
	case KEY_DOWN:
	case 'j':
		t->selected++;
		break;
	case '\n':
	case KEY_ENTER:
		show_chains(t);
		break;
	case 's':
		next_sort(&t->how);
		break;
	case '/':
		t->types_filter = true;
		break;
	case 'b':
		rsp_top_session_watch(t->session, !rsp_top_session_watches(t->session));
		break;
	case 'f':
		t->how.is_frozen = !t->how.is_frozen;
		break;
	case 'z':
		t->how.zoomed = !t->how.zoomed;
		break;
	case 'r':
		rsp_top_session_reset(t->session);
		break;
	case '+':
	case '-':
		change_interval(t, key == '+');
		break;
	}
}

static void take_key(struct terminal *t, int key)
{
	if (key == KEY_RESIZE)
		return;
	if (t->types_filter)
		type_filter(t, key);
	else if (t->pager.is_open)
		page_key(t, key);
	else
		list_key(t, key);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void refresh_view(struct terminal *t)
{
	uint64_t now_ns;

	t->error = rsp_top_session_refresh(t->session, t->how.is_frozen);
	now_ns = rsp_when_now_ns();
	t->next_ns += rsp_top_session_interval_ns(t->session, t->interval_ns);
	if (t->next_ns < now_ns)
		t->next_ns = now_ns + t->interval_ns;
}

static void loop(struct terminal *t)
{
	while (!t->quits && !got_signal && t->error == 0) {
		uint64_t now_ns = rsp_when_now_ns();
		int key;

		if (now_ns >= t->next_ns) {
			refresh_view(t);
			draw(t);
			continue;
		}
		timeout((int)((t->next_ns - now_ns) / 1000000) + 1);
		key = getch();
		if (key == ERR && (errno == EBADF || errno == EIO))
			break; /* the terminal is closed */
		if (key == ERR)
			continue;
		take_key(t, key);
		draw(t);
	}
}

int rsp_top_terminal(struct rsp_top_session *s, const struct rsp_options *opt, uint64_t interval_ns)
{
	struct terminal t = {.session = s, .opt = opt, .interval_ns = interval_ns};
	int signal;

	if (rsp_top_cgroups_new(&t.cgroups) < 0)
		return rsp_fail(-ENOMEM, "cannot show the lists: %m");
	if (!start_screen(&t)) {
		rsp_top_cgroups_free(t.cgroups);
		return rsp_fail(0, "cannot use this terminal (TERM=%s): --once prints text",
				getenv("TERM") ? getenv("TERM") : "");
	}
	t.next_ns = rsp_when_now_ns();
	errno = 0;
	draw(&t);
	loop(&t);
	endwin();
	rsp_top_text_done(&t.pager.text);
	rsp_top_cgroups_free(t.cgroups);
	signal = got_signal;
	if (t.error < 0 && !signal)
		return rsp_fail(t.error, "cannot follow events any more: %s",
				rsp_top_session_error(s, t.error));
	return signal == 0 || signal == SIGINT ? RSP_EXIT_OK : 128 + signal;
}
