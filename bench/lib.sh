# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2034,SC2154
#
# Functions that benches share: packages, programs in the background, a private recorder,
# measurements and figures. A bench sources this file, and begins with:
#
#  . "${0%/*}/lib.sh"
#  begin PACKAGE…
#
# After that, $work is the directory of the bench. When the bench ends, lib.sh stops all programs
# that were started with start(), and removes $work. These functions neither start services of the
# machine nor use systemd.

bench=${0##*/}

fail() {
	echo "bench/$bench: $*" >&2
	exit 2
}

say() {
	echo "bench/$bench: $*" >&2
}

# begin PACKAGE…: fails if the bench cannot run. Sets $work, $top, $RSPCTL and $missed.
begin() {
	[ "$(id -u)" -eq 0 ] || fail "recording needs root"
	top=$(cd "${0%/*}/.." && pwd) || exit 2
	RSPCTL=$(realpath -m "${RSPCTL:-$top/build/rspctl}")
	if ! [ -x "$RSPCTL" ] || ! [ -x "$(recorder_path)" ]; then
		fail "there is no $RSPCTL, or no rspd beside it: run make first"
	fi
	# Not in /tmp, which may be a tmpfs: databases must write to a disk.
	work=$(mktemp -d "${TMPDIR:-/var/tmp}/rsp-bench.XXXXXX") || exit 2
	trap end EXIT
	trap 'exit 2' HUP INT PIPE TERM
	chmod 755 "$work" # daemons without root's rights read their configuration here
	missed=0
	install_packages "$@"
}

# at_end COMMAND…: runs the command at the end of the bench, before programs are stopped, in reverse
# order.
ends=
at_end() {
	ends="$* ; $ends"
}

end() {
	end_status=$?
	trap '' HUP INT PIPE TERM
	[ "$end_status" -ne 2 ] || show_logs
	eval "$ends"
	stop_all
	rm -rf "$work"
	exit "$end_status"
}

show_logs() {
	for log in "$work"/*.log; do
		[ -s "$log" ] || continue
		echo "--- ${log##*/}"
		tail -n 10 "$log"
	done >&2
}

# --- packages --------------------------------------------------------------------------------------

enabled_units() {
	find /etc/systemd/system /etc/systemd/user -path '*.wants/*' -type l 2>/dev/null | sort
}

# disable_units FILE: disables the enabled units that are not in FILE. Unlike systemctl disable,
# this also works if systemd does not run. An upgrade of the package does not enable these units
# again.
disable_units() {
	enabled_units | comm -13 "$1" - | while read -r link; do
		rm -f "$link"
	done
}

# install_packages NAME…: installs the missing packages. Their services start neither now nor at a
# boot.
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
		# Maintainer scripts run policy-rc.d before they start a service. Exit status 101
		# forbids the start.
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

# build_tool NAME: sets $tool to the path of the program bench/NAME of this tree.
build_tool() {
	tool=$top/build/bench/$1
	make -s -C "$top" "build/bench/$1" >"$work/make.log" 2>&1 || fail "cannot build build/bench/$1"
}

# --- programs in the background --------------------------------------------------------------------

# await SECONDS COMMAND…: repeats the command until it succeeds; fails after SECONDS.
await() {
	await_left=$(($1 * 20))
	shift
	until "$@"; do
		[ "$await_left" -gt 0 ] || return 1
		await_left=$((await_left - 1))
		sleep 0.05
	done
}

# start NAME COMMAND…: starts a program in the background, until stop or stop_all. Its output is in
# $work/NAME.log. Sets $started to its PID.
started_all=
start() {
	start_log=$work/$1.log
	shift
	setsid "$@" </dev/null >"$start_log" 2>&1 &
	started=$!
	started_all="$started $started_all" # clients end before their servers
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

stop() {
	{
		kill -s "${2:-TERM}" -- "-$1" "$1"
		await 10 gone "$1" || kill -s KILL -- "-$1" "$1"
		wait "$1"
	} 2>/dev/null
	stop_others=
	for pid in $started_all; do
		[ "$pid" = "$1" ] || stop_others="$stop_others $pid"
	done
	started_all=$stop_others
}

stop_all() {
	for pid in $started_all; do
		stop "$pid"
	done
}

# --- a private recorder ----------------------------------------------------------------------------

# recorder_path: prints the path of rspd. In a build directory it is beside rspctl, otherwise in
# lib/rsp of the same prefix.
recorder_path() {
	if [ -x "${RSPCTL%/*}/rspd" ]; then
		echo "${RSPCTL%/*}/rspd"
	else
		realpath "${RSPCTL%/*}/../lib/rsp/rspd" 2>/dev/null
	fi
}

# start_recorder [OPTION…]: starts a recorder with the socket $RSP_SOCKET. Sets $recorder to its
# PID. Like the service, the recorder has real-time priority, if the machine permits it.
start_recorder() {
	export RSP_SOCKET="$work/rspd.sock"
	first="chrt --fifo --reset-on-fork 1"
	$first true 2>/dev/null || first=
	start rspd $first "$(recorder_path)" --foreground --budget=off --socket="$RSP_SOCKET" "$@"
	recorder=$started
	await 20 recorder_answers || fail "rspd does not start: $(tail -n 3 "$work/rspd.log")"
}

recorder_answers() {
	"$RSPCTL" status >/dev/null 2>&1
}

status_of() {
	"$RSPCTL" status --json >"$work/status" || fail "rspd does not answer"
	for key in "$@"; do
		grep -o "\"$key\":[0-9]*" "$work/status" | head -n 1 | cut -d : -f 2
	done | awk '{ sum += $1 } END { printf "%d\n", sum }'
}

cpu_ns() {
	for pid in "$1" $(pgrep -P "$1"); do
		cat "/proc/$pid"/task/*/schedstat
	done 2>/dev/null | awk '{ sum += $1 } END { printf "%d\n", sum }'
}

bpf_ns() {
	cat "/proc/$1"/fdinfo/* 2>/dev/null | awk '/^prog_id:/ { print $2 }' | sort -u >"$work/programs"
	bpftool prog show | awk '
		FNR == NR { ours[$1] = 1; next }
		/^[0-9]+:/ { sub(":", "", $1); if ($1 in ours)
			for (i = 2; i < NF; i++) if ($i == "run_time_ns") sum += $(i + 1) }
		END { printf "%d\n", sum }' "$work/programs" -
}

# --- the machine -----------------------------------------------------------------------------------

now_ns() {
	date +%s%N
}

# switches: prints the number of switches since the boot of the machine, by the scheduler's count.
switches() {
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}

calc() {
	awk "BEGIN { printf \"%.9g\\n\", ($1) }"
}

# --- measurements and figures ----------------------------------------------------------------------

# interleave ROUNDS FUNCTION STATE…: calls FUNCTION for each STATE in turn, ROUNDS times, so other
# activity of the machine affects all states equally.
interleave() {
	interleave_left=$1 interleave_function=$2
	shift 2
	while [ "$interleave_left" -gt 0 ]; do
		interleave_left=$((interleave_left - 1))
		for state in "$@"; do
			"$interleave_function" "$state"
		done
	done
}

sample() {
	echo "$2" >>"$work/$1.samples"
}

# derive NAME EXPRESSION A [B [C]]: sets the samples of NAME: for each round, the value of
# EXPRESSION with the samples a, b and c of A, B and C.
derive() {
	derive_name=$1 derive_expression=$2
	shift 2
	for input in "$@"; do
		echo "$work/$input.samples"
	done | xargs paste | awk "{ a = \$1; b = \$2; c = \$3; printf \"%.6g\\n\", $derive_expression }" \
		>"$work/$derive_name.samples"
}

median() {
	sort -g "$work/$1.samples" | awk '{ v[NR] = $1 }
		END { printf "%.6g\n", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# figure NAME VALUE UNIT WHAT [GOAL]: prints a figure. GOAL is the condition for VALUE, such as '<=
# 2'.
figure() {
	figure_goal=
	if [ -n "${5:-}" ]; then
		if [ "$(calc "$2 $5")" = 1 ]; then
			figure_goal="; goal $5: met"
		else
			figure_goal="; goal $5: MISSED"
			missed=1
		fi
	fi
	printf '%s: %.4g %s (%s%s)\n' "$bench $1" "$2" "$3" "$4" "$figure_goal"
}
