/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The styles and the script of the page of a comparison; the first style is that of web/. */
#include "lib/base/embed.h"

embed rsp_diff_web_style "web/style.css"
embed rsp_diff_page_style "lib/diff/diff-page.css"
embed rsp_diff_page_script "lib/diff/diff-page.js"
