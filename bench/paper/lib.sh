# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2034,SC2154
#
# What the tasks share: packages, programs in the background, a display. bench/paper/run sources it;
# $work is the task's own directory. Nothing here starts a service of the machine or asks systemd.

fail() {
	echo "bench/paper: $*" >&2
	exit 2
}

say() {
	echo "bench/paper: $*" >&2
}

# await SECONDS COMMAND…: polls until the command succeeds; fails when the time is over.
await() {
	await_left=$(($1 * 20))
	shift
	until "$@"; do
		[ "$await_left" -gt 0 ] || return 1
		await_left=$((await_left - 1))
		sleep 0.05
	done
}

# What systemd would start at the next boot or login: its link, one a line.
enabled_units() {
	find /etc/systemd/system /etc/systemd/user -path '*.wants/*' -type l 2>/dev/null | sort
}

# disable_units FILE: those that are enabled now and are not in FILE. What systemctl disable does, but
# where systemd does not run, too; an upgrade of the package leaves it like that.
disable_units() {
	enabled_units | comm -13 "$1" - | while read -r link; do
		rm -f "$link"
	done
}

# install_packages NAME…: installs those that are missing. No service of theirs starts, now or later.
install_packages() {
	missing=
	for package in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
			missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	say "installing:$missing"
	enabled_units >"$work/enabled"
	(
		# Maintainer scripts ask this one before they start a service; 101: not allowed.
		policy=/usr/sbin/policy-rc.d
		if [ -e $policy ]; then
			cp -p $policy "$work/policy"
			trap 'cp -p "$work/policy" $policy' EXIT
		else
			trap 'rm -f $policy' EXIT
		fi
		trap 'exit 1' HUP INT TERM
		printf '#!/bin/sh\nexit 101\n' >$policy
		chmod 755 $policy
		export DEBIAN_FRONTEND=noninteractive
		# shellcheck disable=SC2086 # a list of names
		{ apt-get -qq update && apt-get -qq install --no-install-recommends $missing; } \
			</dev/null >"$work/apt.log" 2>&1
	) || {
		tail -n 20 "$work/apt.log" >&2
		fail "could not install:$missing"
	}
	disable_units "$work/enabled"
}

# start NAME COMMAND…: in the background until stop_all; what it prints is in $work/NAME.log. Leaves
# $started, its process.
started_all=
start() {
	start_log=$work/$1.log
	shift
	"$@" </dev/null >"$start_log" 2>&1 &
	started=$!
	started_all="$started $started_all" # the last first: clients before their servers
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# stop_all: ends what start started, the last first, and waits for it.
stop_all() {
	for pid in $started_all; do
		kill "$pid" 2>/dev/null
		await 10 gone "$pid" || kill -9 "$pid"
		wait "$pid"
	done 2>/dev/null
	started_all=
}

# start_display: an X server of our own and a window manager. Leaves $DISPLAY. Needs the packages in
# $display_packages. Servers that look for a free display at the same time can end up on one, so it is
# told which: one for each run.
display_packages='xvfb openbox x11-utils'
start_display() {
	DISPLAY=:$((1000 + $$ % 50000))
	: >"$work/display" # written to when the server is ready
	start xvfb sh -c 'exec Xvfb "$1" -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$2"' \
		sh $DISPLAY "$work/display"
	await 20 test -s "$work/display" || fail "Xvfb does not start: $(tail -n 3 "$work/xvfb.log")"
	export DISPLAY
	start openbox env HOME="$work" XDG_CONFIG_HOME="$work" XDG_CACHE_HOME="$work" openbox
	await 20 window_manager_answers || fail "openbox does not start: $(tail -n 3 "$work/openbox.log")"
}

window_manager_answers() {
	xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'
}

# start_recorder: one of our own, for what is measured in the middle of its life. rspctl finds it by
# $RSP_SOCKET.
start_recorder() {
	recorder=${RSPCTL%/*}/rspd
	[ -x "$recorder" ] || recorder=${RSPCTL%/*}/../lib/rsp/rspd
	export RSP_SOCKET="$work/rspd.sock"
	start rspd "$recorder" --foreground --socket="$RSP_SOCKET"
	await 20 recorder_answers || fail "rspd does not start: $(tail -n 3 "$work/rspd.log")"
}

recorder_answers() {
	"$RSPCTL" status >/dev/null 2>&1
}
