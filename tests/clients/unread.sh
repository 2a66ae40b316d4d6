# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# Users who keep snapshots and do not read them (hoard): they use little memory of the recorder.

install -m 755 $here/hoard "$tmp/bin/"
begin_rspd
start_as 65534 "$tmp/bin/sleeper" 100000 5 >"$tmp/sleeper"
sleeper=$!
own_snapshot() {
	as_user 65534 "$rspctl" snapshot --pid "$sleeper" --last 5s -o /dev/null >"$tmp/out" 2>"$tmp/err"
	cat "$tmp/err"
	grep -q "sleeper \[$sleeper\]" "$tmp/out"
}
check "a user's snapshot is read through a pipe" await 5 own_snapshot

mkfifo "$tmp/hold"
exec 9<>"$tmp/hold"
hoarders=
for uid in 200000 200001 200002 200003 200004 200005; do
	start_as $uid "$tmp/bin/hoard" "$RSP_SOCKET" 5 <"$tmp/hold" >"$tmp/hoard.$uid" 2>&1
	hoarders="$hoarders $!"
done
all_keep() {
	[ "$(cat "$tmp"/hoard.* | grep -c kept)" -eq 6 ]
}
check "users keep their snapshots" await 60 all_keep
cat "$tmp"/hoard.* >"$tmp/hoards"
echo "# of 30 snapshots users got $(grep -c pipe "$tmp/hoards") as pipes, $(grep -c memory "$tmp/hoards") as memory; others: $(grep -c Busy "$tmp/hoards") Busy"
check "users get some snapshots" grep -q pipe "$tmp/hoards"
check "… none as memory of the recorder" sh -c '! grep memory "$1"' - "$tmp/hoards"
check "… no more than a few at once" test "$(grep -c pipe "$tmp/hoards")" -le 8
check "… and Busy for the rest" test "$(grep -c Busy "$tmp/hoards")" -ge 18
root_is_served "snapshots that are not read"
for pid in $hoarders; do
	end_client "$pid"
done
no_dumps() {
	! pgrep -P "$rspd_pid" -x rspd-dump >/dev/null
}
check "snapshots without a reader end" await 20 no_dumps
check "a user gets snapshots again afterwards" await 10 own_snapshot
exec 9>&-
end_client "$sleeper"
end_well "unread"
