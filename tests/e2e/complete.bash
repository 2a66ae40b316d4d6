# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# complete.bash WORD…: prints what bash would offer for the last word of a command line.
. packaging/completion/rspctl.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_rspctl 2>/dev/null # compopt fails outside of a completion
printf '%s\n' "${COMPREPLY[@]}"
