# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC1091 # variables: from the environment
#
# Startup file of an interactive bash: the key ^G saves the current line to the file $line.
PS1='ready>'
unset HISTFILE
. "$completion/rspctl.bash"
save_line() {
	printf '%s' "$READLINE_LINE" >"$line.part"
	mv "$line.part" "$line"
}
bind -x '"\C-g": save_line'
