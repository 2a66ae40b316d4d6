# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2086 # variables of tests/recorder/run; words of a command
#
# Tests of rspctl pause and resume.

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "pause" "needs root, to load programs, and kernel types"
	return
fi

export RSP_SOCKET="$tmp/pause.sock"
pause_store=$RSP_STORE
export RSP_STORE="$tmp/pause-store"
mkdir "$RSP_STORE"

# Prints the number of links between programs and events. Iterators are left out, because they run
# only when the recorder reads them.
event_links() {
	grep -h '^link_type:' "/proc/$rspd_pid"/fdinfo/* 2>/dev/null | grep -vc 'iter$'
}

# Returns whether as many programs are attached as before the first pause.
attached() {
	[ "$(event_links)" -eq "$pause_links" ]
}

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

sampled() {
	[ "$("$rspctl" status --json=short | sed 's/.*"sample":\([0-9]*\).*/\1/')" -gt 0 ]
}

paused_metric() {
	"$rspctl" metrics | grep -qx "rsp_paused $1"
}

answers() {
	rspd_answers "$RSP_SOCKET"
}

starts() {
	start_rspd --socket "$RSP_SOCKET"
	await 30 answers
}

starts
pause_links=$(event_links)
check "links to events are found before a pause" [ "$pause_links" -gt 5 ]
check "metrics: not paused" paused_metric 0
as_nobody "$rspctl" pause "no reason" >"$tmp/out" 2>"$tmp/err"
status=$?
judge "another user may not pause" 4 "only root and members of group rsp"
check "the refused pause changed nothing" attached

sleep 1000 &
pause_sleeper=$!
await 10 asleep $pause_sleeper
ctl pause --for 2h "web-3 is slow"
check "pause succeeds and prints nothing" [ "$status" -eq 0 -a ! -s "$tmp/out" -a ! -s "$tmp/err" ]
pause_links_paused=$(event_links)
check "a pause detaches all programs but iterators" [ "$pause_links_paused" -eq 0 ]
check "the request is stored, for its owner only" [ "$(stat -c %a "$RSP_STORE/paused")" = 600 ]
check "the journal says who paused, until when, and why" \
	grep -q "^rspd: user 0 paused recording until 20.*: web-3 is slow$" "$tmp/rspd.err"
ctl status
check "status: paused since when, by whom, until when, and why" \
	grep -q "^  - recording is paused since .* by root until .*: web-3 is slow$" "$tmp/out"
check "metrics: paused" paused_metric 1
ctl list
check "list notes the pause" grep -q "recording is paused since .* by root until .*: web-3 is slow$" "$tmp/err"

for pause_verb in "mark x" "top --once" "util --for 1s" "snapshot --pid $$ --after 1s"; do
	refuses "${pause_verb%% *} while paused" 1 "recording is paused" $pause_verb
done
refuses "run while paused" 1 "recording is paused since .*: web-3 is slow" run -- touch "$tmp/pause-ran"
check "run while paused does not start the command" [ ! -e "$tmp/pause-ran" ]

ctl snapshot --pid $pause_sleeper --last 1min
check "a snapshot of the time before the pause contains the process" [ "$status" -eq 0 ]
check "its report says that the pause was requested" \
	grep -q "was not recorded: recording was paused by request (rspctl pause)" "$tmp/out"
check "its report does not blame the budget" [ "$(grep -c 'within the budget' "$tmp/out")" -eq 0 ]

pause_held() {
	"$rspctl" status --json=short | sed 's/.*"held_events":\([0-9]*\).*/\1/'
}
pause_before=$(pause_held)
for pause_i in 1 2 3 4 5 6 7 8 9 10; do
	"$rspctl" status >/dev/null
done
check "requests for the status add nothing to the window" [ "$(pause_held)" = "$pause_before" ]

end_rspd KILL
starts
check "a recorder that starts paused attaches nothing" [ "$(event_links)" -eq 0 ]
check "it says so in the journal" grep -q "^rspd: recording is still paused, by user 0 until .*: web-3 is slow$" "$tmp/rspd.err"
as_nobody "$rspctl" resume >"$tmp/out" 2>"$tmp/err"
status=$?
judge "another user may not resume" 4 "only root and members of group rsp"
ctl resume
check "resume succeeds" [ "$status" -eq 0 ]
check "resume attaches as many programs as before" attached
check "resume removes the request" [ ! -e "$RSP_STORE/paused" ]
check "the journal says who resumed" grep -q "^rspd: user 0 resumed recording$" "$tmp/rspd.err"
ctl resume
check "resume without a pause is no error" [ "$status" -eq 0 ]
check "samples are taken after a start in a pause" await 20 sampled

# Pauses twice, because attaching a program again may fail even if it worked the first time.
ctl pause
ctl resume
check "a second pause ends with all programs attached" attached
reports "what comes after a pause is explained" "sleep .*sleeping on purpose\|sleeping" run -- sleep 0.2

ctl pause --for 300ms
check "a pause with a length ends by itself" await 20 attached
check "the journal says why it ended" \
	await 5 grep -q "^rspd: recording resumes: the time of its pause is over$" "$tmp/rspd.err"

# A damaged file of a pause still pauses the recorder. A file that another user wrote does not.
end_rspd TERM
printf 'since=x\nreason=\033[31mred\nuid=99999999999\n\0' >"$RSP_STORE/paused"
starts
check "a damaged request still pauses" [ "$(event_links)" -eq 0 ]
end_rspd TERM
printf 'since=1\n' >"$RSP_STORE/paused"
chown 65534 "$RSP_STORE/paused"
starts
check "a request that another user wrote is ignored" attached
check "the log says so" grep -q "paused is ignored" "$tmp/rspd.err"

end_rspd TERM
rm -f "$RSP_STORE/paused"
kill $pause_sleeper
export RSP_STORE="$pause_store"
