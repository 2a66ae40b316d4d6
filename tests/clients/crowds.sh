# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of a sh of its own
#
# Crowds of users (tests/programs/crowd) who ask for all that may be asked for, stay, or come again and again: root
# has its places, and whoever comes too late hears so at once.

begin_rspd

# crowd HOW COUNT: leaves $crowd.
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
root_is_served "64 users that wait for snapshots"
away=$(sent_away)
echo "# $away of 64 were sent away"
check "64 users that wait for snapshots: the last ones hear that it is busy" test "${away:-0}" -ge 16
end_client $crowd
no_jobs() {
	[ "$(number 's["snapshots"]["in_progress"]')" -eq 0 ]
}
check "… when they have gone their snapshots end" await 20 no_jobs

begin_crowd hold 1000
root_is_served "1000 users that wait for snapshots"
away=$(sent_away)
echo "# $away of 1000 were sent away"
end_client $crowd
await 20 no_jobs

begin_crowd idle 1000
root_is_served "1000 users that are silent"
end_client $crowd

begin_crowd flood 1000
root_is_served "1000 users that come again and again"
check "1000 users that come again and again: they still do" kill -0 $crowd
end_client $crowd
await 20 no_jobs
check "afterwards a user is served" as_user 65534 "$rspctl" status
end_well "crowds"
