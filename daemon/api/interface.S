/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embeds the text of io.rsp.Recorder.varlink into the program. */
#include "lib/base/embed.h"

embed rsp_interface_text "rsp/io.rsp.Recorder.varlink"
