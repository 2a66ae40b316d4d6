/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style sheet and the script, which each picture contains. */
#include "lib/base/embed.h"

embed rsp_flame_style "lib/flame/flame.css"
embed rsp_flame_script "lib/flame/flame.js"
