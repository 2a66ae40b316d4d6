# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# Crowds of users (tests/programs/crowd) make requests, stay connected, or connect again and again.

begin_rspd

# begin_crowd HOW COUNT: sets $crowd to the PID of tests/programs/crowd.
begin_crowd() {
	: >"$tmp/crowd"
	"$tmp/bin/crowd" "$1" "$RSP_SOCKET" "$2" >"$tmp/crowd" 2>"$tmp/crowd.err" &
	crowd=$!
	client_pids="$client_pids $crowd"
	await 20 grep -qs there "$tmp/crowd"
}
sent_away() {
	await 20 grep -q busy "$tmp/crowd"
	sed -n 's/busy //p' "$tmp/crowd"
}

begin_crowd hold 64
root_is_served "64 users who wait for snapshots"
away=$(sent_away)
echo "# $away of 64 were refused"
check "64 users who wait for snapshots: the last ones get Busy" test "${away:-0}" -ge 16
end_client $crowd
no_jobs() {
	[ "$(number 's["snapshots"]["in_progress"]')" -eq 0 ]
}
check "… their snapshots end when they disconnect" await 20 no_jobs

begin_crowd hold 1000
root_is_served "1000 users who wait for snapshots"
away=$(sent_away)
echo "# $away of 1000 were refused"
end_client $crowd
await 20 no_jobs

begin_crowd idle 1000
root_is_served "1000 users who send nothing"
end_client $crowd

begin_crowd flood 1000
root_is_served "1000 users who reconnect all the time"
check "1000 users who reconnect all the time: they still do" kill -0 $crowd
end_client $crowd
await 20 no_jobs
check "a user is served afterwards" as_user 65534 "$rspctl" status
end_well "crowds"
