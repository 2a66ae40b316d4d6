/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page that web/fold makes from the files of web/. */
#include "lib/base/embed.h"

embed rsp_viewer_template "viewer.html"
