/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What web/fold makes of web/. */
#include "lib/base/embed.h"

embed rsp_viewer_template "viewer.html"
