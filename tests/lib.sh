# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # build and tmp are the suite's
#
# Helpers for suites that are shell scripts. A suite sources this file and reports each test with
# pass, fail or skip. The printed lines are the protocol of tests/run.
#
#	. "$(dirname "$0")/../lib.sh"
#	check "the answer is 42" test "$(answer)" -eq 42

one_line() {
	printf '%s' "$*" | tr -s '[:space:]' ' '
}

pass() {
	printf 'ok %s\n' "$(one_line "$1")"
}

fail() {
	printf 'not ok %s: %s\n' "$(one_line "$1")" "$(one_line "${2:-it did not hold}")"
}

skip() {
	printf 'skip %s: %s\n' "$(one_line "$1")" "$(one_line "${2:?a skip says why}")"
}

# check NAME COMMAND…: passes if the command succeeds. If it fails, the last line of its output becomes the reason.
# Lines that begin with # are always shown.
check() {
	check_name=$1
	shift
	check_output=$("$@" 2>&1)
	check_status=$?
	if [ "$check_status" -eq 0 ]; then
		printf '%s\n' "$check_output" | grep '^#'
		pass "$check_name"
		return 0
	fi
	printf '%s\n' "$check_output" >&2
	fail "$check_name" "$(printf '%s\n' "$check_output" | tail -n 1) (exit status $check_status)"
	return 1
}

# await SECONDS COMMAND…: polls until the command succeeds. Fails after SECONDS seconds.
await() {
	await_left=$(($1 * 20))
	shift
	until "$@"; do
		[ "$await_left" -gt 0 ] || return 1
		await_left=$((await_left - 1))
		sleep 0.05
	done
}

# Prints the threads that the kernel hides from tracers, or fails if there are none. On some virtual machines, the
# kernel calls no tracepoint while the machine's agent runs, so a report cannot name the waker of a task.
hidden_threads() {
	if [ ! -e "$tmp/hidden" ]; then
		"$build/rspctl" run -o "$tmp/hidden.rsp" -- sleep 2 >/dev/null 2>&1
		"$build/tests/tools/hidden" "$tmp/hidden.rsp" >"$tmp/hidden"
	fi
	[ -s "$tmp/hidden" ] && cat "$tmp/hidden"
}

# try COMMAND…: runs a command that records something and checks the records. If the command fails and the kernel
# hides threads, try() runs it again, up to three times in total. After exit status 77 (the machine lacks something),
# it does not.
try() {
	"$@" && return
	try_status=$?
	for _ in 2 3; do
		[ "$try_status" -ne 77 ] && try_hidden=$(hidden_threads) || return "$try_status"
		echo "# tried again, as this kernel hides threads: $(one_line "$try_hidden")" >&2
		"$@" && return
		try_status=$?
	done
	return "$try_status"
}
