/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a comparison as a page for browsers. Names are escaped, so a name cannot add markup. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/diff/diff-parts.h"
#include "lib/diff/diff-profile.h"
#include "lib/flame/flame.h"

extern const char rsp_diff_web_style[], rsp_diff_page_style[], rsp_diff_page_script[];

/* The Content-Security-Policy of web/index.html. */
#define POLICY                                                                                     \
	"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "              \
	"img-src data: blob:"

int rsp_diff_svg(const struct rsp_diff *d, bool embedded, FILE *out)
{
	const struct rsp_profile_words *words = rsp_profile_words(d->opt.kind);
	_cleanup_(rsp_diff_profile_done) struct rsp_diff_profile p = {0};
	char title[200];
	int r = rsp_diff_profile_make(d, &p);

	if (r < 0)
		return r;
	snprintf(title, sizeof(title), "%s, after and before", words->title);
	return rsp_flame_svg(&p.after,
			     &(struct rsp_flame_options){
				     .title = title,
				     .subtitle = "width: time after; color: change since before",
				     .empty = words->empty,
				     .events = words->events,
				     .before = p.before,
				     .min_width = RSP_FLAME_MIN_WIDTH_DEFAULT,
				     .inverted = embedded,
				     .embedded = embedded,
			     },
			     out);
}

/* --- links into the graph --------------------------------------------------------------------- */

static bool is_in_graph(const struct rsp_diff *d, enum rsp_diff_table table)
{
	bool is_on = table == RSP_DIFF_ONCPU_SELF || table == RSP_DIFF_ONCPU_TOTAL;
	bool is_off = table == RSP_DIFF_OFFCPU_SELF || table == RSP_DIFF_OFFCPU_TOTAL;

	switch (d->opt.kind) {
	case RSP_PROFILE_ONCPU:
		return is_on;
	case RSP_PROFILE_HOTCOLD:
		return is_on || is_off;
	case RSP_PROFILE_OFFCPU:
	case RSP_PROFILE_WAKEUP:
	case RSP_PROFILE_CHAIN:
		return is_off;
	default:
		return false;
	}
}

/*
 * Escapes the character so that the regular expression in the URL matches exactly this character.
 */
static void put_url_char(FILE *out, unsigned char c)
{
	if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
		fputc(c, out);
	else
		fprintf(out, strchr(".*+?^${}()|[]\\/", c) ? "%%5C%%%02X" : "%%%02X", c);
}

/* A row calls the function "name (module)", and a box calls it "name". */
static void put_search(FILE *out, const char *name)
{
	const char *module = strrchr(name, '(');
	size_t len = strlen(name);

	if (module && module - name > 1 && module[-1] == ' ' && name[len - 1] == ')' &&
	    strcmp(module, "(no symbols)"))
		len = (size_t)(module - name) - 1;
	fputs("#search=%5E", out);
	for (size_t i = 0; i < len; i++)
		put_url_char(out, (unsigned char)name[i]);
	fputs("%24", out);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A time also has the attribute data-ns, in nanoseconds. */
static void put_cell(const struct rsp_diff_row *row, size_t i, const char *text, FILE *out)
{
	const double values[] = {row->mean[0], row->mean[1], rsp_diff_growth(row), row->margin};

	fprintf(out, "<td class=\"number%s\"", i == 3 ? " margin" : "");
	if (i < 4 && !row->is_rate)
		fprintf(out, " data-ns=\"%lld\"", llround(values[i]));
	fputc('>', out);
	rsp_text_put_markup(out, text);
	fputs("</td>", out);
}

static void put_name(const struct rsp_diff *d, const struct rsp_diff_row *row, FILE *out)
{
	_cleanup_free_ char *name = strdup(row->name);
	bool is_link = row->mean[1] > 0 && is_in_graph(d, row->table);

	if (!name)
		return;
	rsp_text_clean(name);
	fputs("<td>", out);
	if (is_link) {
		fputs("<a class=\"frame\" title=\"Show it in the flame graph\" href=\"", out);
		put_search(out, name);
		fputs("\">", out);
	}
	rsp_text_put_markup(out, name);
	fputs(is_link ? "</a></td>" : "</td>", out);
}

static void put_row(const struct rsp_diff *d, const struct rsp_diff_row *row, FILE *out)
{
	struct rsp_diff_cells cells;

	rsp_diff_cells(row, &cells);
	fprintf(out, "<tr%s>", row->is_significant ? " class=\"significant\"" : "");
	for (size_t i = 0; i < RSP_DIFF_CELLS; i++)
		put_cell(row, i, cells.text[i], out);
	fputs(row->is_significant ? "<td title=\"significant\">*</td>" : "<td></td>", out);
	put_name(d, row, out);
	fputs("</tr>\n", out);
}

static int put_table(const struct rsp_diff *d, const struct rsp_diff_table_words *words, FILE *out)
{
	static const char *const heads[] = {"before", "after", "change", "margin", "in %"};
	_cleanup_free_ const struct rsp_diff_row **rows = NULL;
	size_t limit = rsp_diff_row_limit(words->table), cnt;
	int r = rsp_diff_shown_rows(d, words->table, &rows, &cnt);

	if (r < 0 || cnt == 0)
		return r;
	fprintf(out, "<section data-table=\"%s\"><h2>", rsp_diff_table_key(words->table));
	rsp_diff_put_title(d, words, out);
	fputs("</h2>\n<table><thead><tr>", out);
	for (size_t i = 0; i < RSP_DIFF_CELLS; i++)
		fprintf(out, "<th scope=\"col\" class=\"number\">%s</th>", heads[i]);
	fprintf(out, "<th></th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n", words->head);
	for (size_t i = 0; i < cnt; i++) {
		if (i == limit)
			fputs("</tbody><tbody class=\"rest\">\n", out);
		put_row(d, rows[i], out);
	}
	fputs("</tbody></table></section>\n", out);
	return 0;
}

static int put_tables(const struct rsp_diff *d, bool of_functions, FILE *out)
{
	int r = 0;

	for (const struct rsp_diff_table_words *t = rsp_diff_tables; t->title && r == 0; t++)
		if (rsp_diff_is_of_functions(t->table) == of_functions)
			r = put_table(d, t, out);
	return r;
}

/* --- the page --------------------------------------------------------------------------------- */

static void put_untrusted(const char *text, FILE *out)
{
	_cleanup_free_ char *copy = strdup(text);

	if (!copy)
		return;
	rsp_text_clean(copy);
	rsp_text_put_markup(out, copy);
}

static int put_side(const struct rsp_diff *d, int side, FILE *out)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	rsp_diff_put_side(d, side, f);
	if (fclose(f) != 0)
		return -ENOMEM;
	text[strcspn(text, "\n")] = '\0';
	fputs("<p class=\"sides\">", out);
	put_untrusted(text, out);
	fputs("</p>\n", out);
	return 0;
}

static void put_head(const struct rsp_diff *d, FILE *out)
{
	const char *comm = d->recordings[0].comm;

	fputs("<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n<title>",
	      out);
	put_untrusted(comm, out);
	fprintf(out,
		": before and after \u2013 RSP</title>\n<style>\n%s%s</style>\n<script>\n%s"
		"</script>\n</head>\n<body>\n<header><h1>",
		rsp_diff_web_style, rsp_diff_page_style, rsp_diff_page_script);
	put_untrusted(comm, out);
	fputs(": before and after</h1><span class=\"about\"></span><nav aria-label=\"Page\">"
	      "<button id=\"theme\" type=\"button\" title=\"Light or dark\">Theme</button>"
	      "</nav></header>\n",
	      out);
}

int rsp_diff_page(const struct rsp_diff *d, FILE *out)
{
	_cleanup_free_ char *answer = rsp_diff_answer(d), *method = rsp_diff_method(d);
	int r = answer && method ? 0 : -ENOMEM;

	if (r < 0)
		return r;
	put_head(d, out);
	fputs("<section class=\"panel findings\" aria-label=\"Answer\"><p class=\"answer\">", out);
	put_untrusted(answer, out);
	fputs("</p>\n", out);
	for (int side = 0; side < 2 && r == 0; side++)
		r = put_side(d, side, out);
	fputs("</section>\n<main><div class=\"comparison\">\n", out);
	if (r == 0)
		r = put_tables(d, false, out);
	fputs("<div class=\"graph\">\n", out);
	if (r == 0)
		r = rsp_diff_svg(d, true, out);
	fputs("</div>\n", out);
	if (r == 0)
		r = put_tables(d, true, out);
	fputs("<p class=\"method\">", out);
	put_untrusted(method, out);
	fputs("</p>\n</div></main>\n</body>\n</html>\n", out);
	return r;
}
