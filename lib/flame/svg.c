/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a profile as a picture in SVG. The picture is complete without its script, which zooms and
 * searches. Neither the script nor the style contains names from the profile.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/flame/flame.h"
#include "lib/flame/layout.h"
#include "lib/flame/shades.h"

extern const char rsp_flame_style[], rsp_flame_script[]; /* flame-script.S */

/* Sizes in pixels. flame.js also contains some of them. */
#define LEVEL	 17
#define MARGIN	 10
#define COLUMN	 7.25 /* width of a character in 12px monospace */
#define LABEL	 3
#define GAP	 0.5 /* gap after a box, unless the box is too narrow */
#define TITLE_Y	 24
#define LINE	 18
#define FOOTER	 46 /* room for the legend, and for a line about the box under the pointer */
#define CELL_MAX 1024

/* A shorter label would not be recognizable. */
#define LABEL_COLUMNS_MIN 3

struct picture {
	const struct rsp_profile *p;
	const struct rsp_flame_options *opt;
	const struct rsp_flame_layout *l;
	FILE *out;
	double scale; /* pixels per unit of weight */
	unsigned int top, levels;
	bool has[RSP_SHADE_MAX];
	__u64 *before;	   /* earlier weight of each node, with descendants; NULL: no comparison */
	__u64 most_change; /* largest change of a box */
};

/* --- text ------------------------------------------------------------------------------------- */

/* The text may contain any bytes. */
static void put_untrusted(FILE *out, const char *text)
{
	char clean[CELL_MAX];

	rsp_text_put_markup(out,
			    rsp_format_name(text, (sizeof(clean) / 4) - 1, clean, sizeof(clean)));
}

static void put_amount(const struct picture *pic, __u64 value)
{
	char buf[RSP_FORMAT_MAX];

	fputs(rsp_format_amount(value, pic->p->unit, buf, sizeof(buf)), pic->out);
}

/* --- boxes ------------------------------------------------------------------------------------ */

static double y_of(const struct picture *pic, unsigned int depth)
{
	unsigned int level = pic->opt->inverted ? depth : pic->levels - 1 - depth;

	return pic->top + level * (double)LEVEL;
}

static void put_label(const struct picture *pic, const char *name, double x, double y, double width)
{
	double columns = (width - 2 * LABEL) / COLUMN;
	char buf[RSP_FORMAT_NAME_BYTES(CELL_MAX)];

	if (columns < LABEL_COLUMNS_MIN)
		return;
	rsp_format_name(name, columns < CELL_MAX ? (size_t)columns : CELL_MAX, buf, sizeof(buf));
	fprintf(pic->out, "<text x=\"%.2f\" y=\"%.0f\">", x + LABEL, y + 12);
	rsp_text_put_markup(pic->out, buf);
	fputs("</text>", pic->out);
}

/* Writes text like ", before: 337 ms, +116 ms". */
static void put_change(const struct picture *pic, __u64 before, __u64 after)
{
	fputs(", before: ", pic->out);
	put_amount(pic, before);
	fputs(after < before ? ", -" : ", +", pic->out);
	put_amount(pic, after < before ? before - after : after - before);
}

/* The tooltip has lines for the name, the module, and the weight. */
static void put_tip(const struct picture *pic, const struct rsp_flame_box *box, const char *name,
		    const char *module, bool is_kernel, const __u64 *before)
{
	char buf[RSP_FORMAT_MAX];

	fputs("<title>", pic->out);
	rsp_text_put_markup(pic->out, name);
	fputc('\n', pic->out);
	if (*module) {
		put_untrusted(pic->out, module);
		fputs(is_kernel ? " (kernel)\n" : "\n", pic->out);
	}
	put_amount(pic, box->total);
	fputs(", ", pic->out);
	rsp_text_put_markup(pic->out,
			    rsp_format_share(box->total, pic->p->total, buf, sizeof(buf)));
	if (before)
		put_change(pic, *before, box->total);
	else
		fprintf(pic->out, ", %s: %llu", pic->opt->events, box->cnt);
	fputs("</title>", pic->out);
}

static void put_box(const struct picture *pic, const struct rsp_flame_box *box, unsigned int depth,
		    const char *name, const char *module, bool is_kernel, enum rsp_shade shade,
		    const __u64 *before)
{
	double x = MARGIN + (double)box->begin * pic->scale, y = y_of(pic, depth);
	double width = (double)box->total * pic->scale;
	char fill[RSP_SHADE_FILL_MAX] = "";

	if (before)
		rsp_shade_growth(box->total, *before, pic->most_change, fill);
	else if (pic->opt->colours == RSP_FLAME_BY_NAME)
		rsp_shade_fill(shade, name, fill);
	fprintf(pic->out, "<g class=\"f %s\" data-b=\"%llu\" data-w=\"%llu\" data-d=\"%u\">",
		rsp_shade_class(shade), box->begin, box->total, depth);
	put_tip(pic, box, name, module, is_kernel, before);
	fprintf(pic->out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"%s/>", x, y,
		width > 6 * GAP ? width - GAP : width, LEVEL - 1, fill);
	put_label(pic, name, x, y, width);
	fputs("</g>\n", pic->out);
}

static bool is_drawn(const struct picture *pic, const struct rsp_flame_box *box)
{
	return (double)box->total * pic->scale >= pic->opt->min_width;
}

static int put_boxes(struct picture *pic)
{
	const struct rsp_profile *p = pic->p;
	struct rsp_flame_box all = {.total = p->total};
	__u64 before = 0;

	for (size_t i = 0; i < p->nodes.cnt; i++)
		all.cnt += p->nodes.v[i].cnt;
	for (size_t i = 0; i < p->nodes.cnt && pic->opt->before; i++)
		before += pic->opt->before[i];
	put_box(pic, &all, 0, "all", "", false, RSP_SHADE_NAME, pic->before ? &before : NULL);
	for (size_t i = 0; i < pic->l->cnt; i++) {
		const struct rsp_profile_node *node = &p->nodes.v[pic->l->order[i]];
		const struct rsp_flame_box *box = &pic->l->boxes[pic->l->order[i]];
		_cleanup_free_ char *name = NULL;
		enum rsp_shade shade = rsp_shade_of(node->ink, box->off, box->total);

		if (!is_drawn(pic, box))
			continue;
		name = rsp_flame_name(p, node);
		if (!name)
			return -ENOMEM;
		pic->has[shade] = true;
		put_box(pic, box, box->depth + 1, name, rsp_profile_text(p, node->module),
			rsp_profile_is_kernel(node), shade,
			pic->before ? &pic->before[pic->l->order[i]] : NULL);
	}
	return 0;
}

/* --- around them ------------------------------------------------------------------------------ */

static void put_line(const struct picture *pic, const char *class, unsigned int y, const char *text)
{
	fprintf(pic->out, "<text class=\"%s\" x=\"%d\" y=\"%u\">", class, RSP_FLAME_WIDTH / 2, y);
	put_untrusted(pic->out, text);
	fputs("</text>\n", pic->out);
}

/* The legend shows the strongest color for growth and for shrinkage. */
static void put_legend_of_sides(const struct picture *pic, unsigned int y)
{
	char fill[RSP_SHADE_FILL_MAX];

	for (unsigned int i = 0; i < 2; i++) {
		double x = MARGIN + i * 24 * COLUMN;

		rsp_shade_growth(!i, i, 1, fill);
		fprintf(pic->out,
			"<g><rect x=\"%.1f\" y=\"%u\" width=\"12\" height=\"12\"%s/>"
			"<text x=\"%.1f\" y=\"%u\">%s than before</text></g>\n",
			x, y - 10, fill, x + 16, y, i ? "less" : "more");
	}
}

/* Only graphs of time show whether a function runs or waits. */
static const char *legend_words(const struct picture *pic, enum rsp_shade shade)
{
	if (shade == RSP_SHADE_USER && strcmp(pic->p->unit, "ns") != 0)
		return "function";
	if (shade == RSP_SHADE_KERNEL && strcmp(pic->p->unit, "ns") != 0)
		return "function of the kernel";
	return rsp_shade_words(shade);
}

static void put_legend(const struct picture *pic, unsigned int y)
{
	double x = MARGIN;

	if (pic->before) {
		put_legend_of_sides(pic, y);
		return;
	}
	for (unsigned int i = 0; i < RSP_SHADE_MAX; i++) {
		const char *words = legend_words(pic, i);

		if (!pic->has[i] || !*words)
			continue;
		fprintf(pic->out,
			"<g class=\"%s\"><rect x=\"%.1f\" y=\"%u\" width=\"12\" height=\"12\"/>"
			"<text x=\"%.1f\" y=\"%u\">%s</text></g>\n",
			rsp_shade_class(i), x, y - 10, x + 16, y, words);
		x += 16 + (double)(strlen(words) + 3) * COLUMN;
	}
}

static unsigned int count_levels(const struct picture *pic)
{
	unsigned int depth = 0;

	for (size_t i = 0; i < pic->l->cnt; i++) {
		const struct rsp_flame_box *box = &pic->l->boxes[pic->l->order[i]];

		if (is_drawn(pic, box) && box->depth + 1 > depth)
			depth = box->depth + 1;
	}
	return depth + 1;
}

static void put_head(struct picture *pic, unsigned int height)
{
	const struct rsp_flame_options *opt = pic->opt;

	if (!opt->embedded)
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", pic->out);
	fprintf(pic->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\" data-unit=\"%s\" data-top=\"%u\" data-levels=\"%u\" "
		"data-inverted=\"%d\">\n<style>\n%s</style>\n",
		RSP_FLAME_WIDTH, height, RSP_FLAME_WIDTH, height, pic->p->unit, pic->top,
		pic->levels, opt->inverted, rsp_flame_style);
	fputs("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", pic->out);
	put_line(pic, "title", TITLE_Y, opt->title);
	if (opt->subtitle)
		put_line(pic, "subtitle", TITLE_Y + LINE, opt->subtitle);
	if (opt->warning)
		put_line(pic, "warning", TITLE_Y + 2 * LINE, opt->warning);
}

static int put_picture(struct picture *pic)
{
	unsigned int height = pic->top + pic->levels * LEVEL + FOOTER;
	int r = 0;

	put_head(pic, height);
	if (pic->p->total)
		r = put_boxes(pic);
	else
		put_line(pic, "subtitle", pic->top + LEVEL, pic->opt->empty);
	if (r < 0)
		return r;
	put_legend(pic, height - FOOTER + LINE);
	fprintf(pic->out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", rsp_flame_script);
	return 0;
}

/* Adds up the earlier weights, and finds the largest change. */
static int measure_before(struct picture *pic)
{
	const struct rsp_profile *p = pic->p;

	if (!pic->opt->before)
		return 0;
	pic->before = calloc(p->nodes.cnt + 1, sizeof(*pic->before));
	if (!pic->before)
		return -ENOMEM;
	for (size_t i = p->nodes.cnt; i-- > 0;) {
		__u64 after = pic->l->boxes[i].total, change;

		pic->before[i] += pic->opt->before[i];
		change = after > pic->before[i] ? after - pic->before[i] : pic->before[i] - after;
		pic->most_change = change > pic->most_change ? change : pic->most_change;
		if (p->nodes.v[i].parent != RSP_PROFILE_ROOT)
			pic->before[p->nodes.v[i].parent] += pic->before[i];
	}
	return 0;
}

int rsp_flame_svg(const struct rsp_profile *p, const struct rsp_flame_options *opt, FILE *out)
{
	_cleanup_(rsp_flame_layout_done) struct rsp_flame_layout l = {0};
	struct picture pic = {.p = p, .opt = opt, .l = &l, .out = out};
	int r = rsp_flame_layout_make(p, &l);

	if (r == 0)
		r = measure_before(&pic);
	if (r < 0)
		return r;
	pic.scale = p->total ? (RSP_FLAME_WIDTH - 2 * MARGIN) / (double)p->total : 0;
	pic.top = TITLE_Y + (opt->warning ? 3 : 2) * LINE;
	pic.levels = count_levels(&pic);
	errno = 0;
	r = put_picture(&pic);
	free(pic.before);
	if (r == 0 && (fflush(out) != 0 || ferror(out)))
		r = errno ? -errno : -EIO;
	return r;
}
