/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface file itself. */
#include "lib/base/embed.h"

embed rsp_interface_text "rsp/io.rsp.Recorder.varlink"
