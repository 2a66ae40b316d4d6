# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# Helpers of tests/e2e: they run rspctl and check its results, and start and end recorders.
# tests/e2e/run sets $rspctl and $tmp.

# ctl ARG…: sets $status, and writes stdout to $tmp/out and stderr to $tmp/err.
ctl() {
	"$rspctl" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# judge NAME STATUS PATTERN: passes if the last ctl ended with STATUS, printed nothing on stdout,
# and printed exactly one line on stderr, which matches PATTERN.
judge() {
	if [ "$status" -ne "$2" ]; then
		fail "$1" "exit status $status instead of $2: $(cat "$tmp/err")"
	elif [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
		fail "$1" "not one line on stderr: $(head -n 5 "$tmp/err")"
	elif ! grep -q "^rsp\(ctl\|d\): .*$3" "$tmp/err"; then
		fail "$1" "no '$3' in: $(cat "$tmp/err")"
	elif [ -s "$tmp/out" ]; then
		fail "$1" "something on stdout: $(head -n 1 "$tmp/out")"
	else
		pass "$1"
	fi
}

# refuses NAME STATUS PATTERN ARG…: runs rspctl ARG…, which must fail with STATUS and one line that
# matches PATTERN (see judge).
refuses() {
	refuses_name=$1 refuses_status=$2 refuses_pattern=$3
	shift 3
	ctl "$@"
	judge "$refuses_name" "$refuses_status" "$refuses_pattern"
}

prints() {
	ctl "$@"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || return
	grep -q -- "$reports_pattern" "$tmp/out"
}

# reports NAME PATTERN ARG…: passes if rspctl ARG… prints PATTERN on stdout, and succeeds or
# reports lost records (exit status 3).
reports() {
	reports_name=$1 reports_pattern=$2
	shift 2
	if try prints "$@"; then
		pass "$reports_name"
	elif [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
		fail "$reports_name" "exit status $status: $(cat "$tmp/err")"
	else
		fail "$reports_name" "no '$reports_pattern' in: $(head -n 3 "$tmp/out")"
	fi
}

is_json() {
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"
}

asleep() {
	grep -q '(sleep) S' "/proc/$1/stat"
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# Returns whether process $1 has ended. It may still be a zombie.
has_ended() {
	! grep -q "^State:	[^Z]" "/proc/$1/status" 2>/dev/null
}

# logged NAME CALL: passes if the recorder's log, $tmp/err, is one line: the report that its worker
# made the forbidden system call CALL.
logged() {
	if [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
		fail "$1" "not one line in the log: $(cat "$tmp/err")"
	else
		check "$1" grep -q "^rspd: .* the system call '$2', which the sandbox does not allow" "$tmp/err"
	fi
}

file_build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'
}

# start_rspd ARG…: sets $rspd_pid. The recorder's stderr goes to $tmp/rspd.err, which tests may
# truncate. The recorder has no budget, so it leaves nothing out even on a busy machine.
start_rspd() {
	printf '[Budget]\nCPU=off\n' >"$tmp/rspd.conf"
	: >"$tmp/rspd.err"
	"$rspd" --foreground --config "$tmp/rspd.conf" --store "$RSP_STORE" "$@" 2>>"$tmp/rspd.err" &
	rspd_pid=$!
}

rspd_answers() {
	"$rspctl" --socket "$1" status >/dev/null 2>&1
}

end_rspd() {
	kill -s "$1" "$rspd_pid" 2>/dev/null
	wait "$rspd_pid" 2>/dev/null
	status=$?
	rspd_pid=
}

bpf_programs_of() {
	grep -h '^prog_id:' "/proc/$1"/fdinfo/* 2>/dev/null | awk '{ print $2 }' | sort -u
}

bpf_program_exists() {
	"$bpftool" prog show id "$1" >/dev/null 2>&1
}

# good_stacks [PROGRAM]: returns whether the stacks of a program (tests/programs/depths, or a copy)
# are complete: the recorder then has the unwind table of the program.
good_stacks() {
	"${1:-$build/tests/programs/depths}" plain >"$tmp/facts" || return 1
	whole_stacks
}

# whole_stacks: returns whether the stacks of the program whose output is $tmp/facts are complete.
whole_stacks() {
	timeout 60 "$rspctl" snapshot --pid "$(sed -n 's/^pid //p' "$tmp/facts")" --last 10s \
		-o "$tmp/good.rsp" >/dev/null 2>"$tmp/err"
	status=$?
	[ $status -eq 0 ] || [ $status -eq 3 ] || return 1
	"$build/tests/tools/user-stacks" "$tmp/good.rsp" >"$tmp/stacks"
	tests/bpf/stacks-check "$tmp/stacks" "$tmp/facts" task 50 innermost middle outer main
}
