# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# Helpers of tests/clients, in addition to tests/e2e/helpers.sh.

begin_rspd() {
	start_rspd --socket "$RSP_SOCKET" "$@"
	await 60 rspd_answers "$RSP_SOCKET" || fail "a recorder for clients" "$(tail -n 1 "$tmp/rspd.err")"
}

end_well() {
	end_rspd TERM
	check "$1: the recorder ends with status 0" test "$status" -eq 0
}

# ended PID: returns whether a child process has ended. It may still be a zombie.
ended() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status"
}

as_user() {
	user=$1
	shift
	setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
}

# start_as UID COMMAND…: $! is the PID of the command itself.
start_as() {
	start_user=$1
	shift
	setpriv --reuid "$start_user" --regid "$start_user" --clear-groups "$@" &
	client_pids="$client_pids $!"
}

end_client() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# number EXPRESSION: prints a number from the recorder's status. EXPRESSION is Python, in which s is the status.
number() {
	"$rspctl" status --json=short | python3 -c "import json, sys; s = json.load(sys.stdin); print($1)"
}

ask() {
	"$tmp/bin/ask" "$RSP_SOCKET" "$@"
}

rspd_cpu_ms() {
	echo $(($(sed 's/.*) //' "/proc/$rspd_pid/stat" | awk '{ print $12 + $13 }') * 1000 / $(getconf CLK_TCK)))
}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# Returns 0 if the snapshot of this shell is complete: `rspctl snapshot` exits with 3 if it needs lost records.
snapshot_is_complete() {
	timeout 30 "$rspctl" snapshot --pid $$ -o "$tmp/served.rsp" >"$tmp/out" 2>"$tmp/err"
	served=$?
	cat "$tmp/err"
	return $served
}

# root_is_served NAME: checks that root gets a status within a second, and a complete snapshot of this shell, which is
# not one of the clients.
root_is_served() {
	served_ms=$(now_ms)
	timeout 20 "$rspctl" status >"$tmp/out" 2>&1
	served=$?
	served_ms=$(($(now_ms) - served_ms))
	echo "# $1: root's status took $served_ms ms"
	check "$1: root gets a status" test "$served" -eq 0
	check "$1: … within a second" test "$served_ms" -lt 1000
	check "$1: root gets a complete snapshot of another process" try snapshot_is_complete
}
