# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
#
# Starts a display for the tasks of bench/paper/run, which sources this file. $work is the task's
# directory.

. "$paper/../lib.sh"
bench=paper

# start_display: starts a private X server and a window manager; sets $DISPLAY. Needs the packages
# in $display_packages. Servers that look for a free display at the same time may choose the same
# one, so runs of the bench pass different numbers.
display_packages='xvfb openbox x11-utils'
start_display() {
	DISPLAY=:$((1000 + $$ % 50000))
	: >"$work/display"
	start xvfb sh -c 'exec Xvfb "$1" -displayfd 3 -noreset -screen 0 1280x800x24 -nolisten tcp 3>"$2"' \
		sh $DISPLAY "$work/display"
	await 60 test -s "$work/display" || fail "Xvfb does not start: $(tail -n 3 "$work/xvfb.log")"
	export DISPLAY
	await 20 display_answers || fail "the display does not answer: $(tail -n 3 "$work/xvfb.log")"
	start openbox env HOME="$work" XDG_CONFIG_HOME="$work" XDG_CACHE_HOME="$work" openbox
	await 60 window_manager_answers || fail "openbox does not start: $(tail -n 3 "$work/openbox.log")"
}

display_answers() {
	xprop -root >/dev/null 2>&1
}

window_manager_answers() {
	xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'
}
