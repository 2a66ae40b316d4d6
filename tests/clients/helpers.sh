# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# What the cases of tests/clients share, beside tests/e2e/helpers.sh. $rspctl and $tmp come from tests/clients/run.

# begin_rspd ARG…
begin_rspd() {
	start_rspd --socket "$RSP_SOCKET" "$@"
	await 60 rspd_answers "$RSP_SOCKET" || fail "a recorder for clients" "$(tail -n 1 "$tmp/rspd.err")"
}

# end_well NAME: the recorder is alive, and ends as it should.
end_well() {
	end_rspd TERM
	check "$1: the recorder ends as it should" test "$status" -eq 0
}

# ended PID: of a child that nobody has waited for yet.
ended() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status"
}

# as_user UID COMMAND…
as_user() {
	user=$1
	shift
	setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
}

# start_as UID COMMAND…: in the background, as $!, which is the command itself.
start_as() {
	start_user=$1
	shift
	setpriv --reuid "$start_user" --regid "$start_user" --clear-groups "$@" &
	client_pids="$client_pids $!"
}

# end_client PID
end_client() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# number EXPRESSION: of the status s.
number() {
	"$rspctl" status --json=short | python3 -c "import json, sys; s = json.load(sys.stdin); print($1)"
}

# ask METHOD PARAMETERS: as root.
ask() {
	"$tmp/bin/ask" "$RSP_SOCKET" "$@"
}

# CPU time of the recorder itself, in ms.
rspd_cpu_ms() {
	echo $(($(sed 's/.*) //' "/proc/$rspd_pid/stat" | awk '{ print $12 + $13 }') * 1000 / $(getconf CLK_TCK)))
}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# Exit status 3 would say that records which the explanation needs were lost.
snapshot_is_complete() {
	timeout 30 "$rspctl" snapshot --pid $$ -o "$tmp/served.rsp" >"$tmp/out" 2>"$tmp/err"
	served=$?
	cat "$tmp/err"
	return $served
}

# root_is_served NAME: root gets a status within a second, and a complete snapshot of another process than any
# client's.
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
