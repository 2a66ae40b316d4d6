# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Snapshots of several hosts are merged, or refused with one line.

# tell NAME LINE…: makes the snapshot $tmp/NAME.rsp from a story with these lines.
tell() {
	tell_name=$1
	shift
	printf '%s\n' "$@" >"$tmp/$tell_name.story"
	"$build/tests/story/story" "$tmp/$tell_name.story" "$tmp/$tell_name.rsp"
}

# The clock of db is 3 s ahead. A message takes 0.1 ms.
web_begins='0 host web;0 window 0 30;0 alive 10 curl;0 socket 70 77 10.0.0.1:40000 10.0.0.2:80 connected;0 run 10'
db_begins='3000 host db;3000 window 3000 3030;3000 alive 10 postgres;3000 socket 70 77 10.0.0.2:80 10.0.0.1:40000 accepted;3000 run 10'
asks='1 send 10 77 70 bytes=100 seq=1000'
gets_answer='20 ready 77 70 seq=5300'
is_asked='3001.1 ready 77 70 seq=1100'
answers='3019.9 send 10 77 70 bytes=300 seq=5000'
tell web "$web_begins" "$asks" "$gets_answer"
tell db "$db_begins" "$is_asked" "$answers"
merge_both() {
	"$rspctl" merge "$1" "$2" -o "$tmp/both.rsp" >"$tmp/merged" 2>&1 || { cat "$tmp/merged"; return 1; }
}
check "merge: two hosts" merge_both "$tmp/web.rsp" "$tmp/db.rsp"
check "merge: the offset of the clocks" grep -q '^clocks of web and db: offset -\(3.0000\|2.9999\)[0-9]* s ± [0-9.]* µs' "$tmp/merged"
check "merge: the number of messages" grep -q '(1 messages from db, 1 to it)' "$tmp/merged"
reports "merge: the report names the hosts" '^Clocks of web and db: offset -\(3.0000\|2.9999\)' report "$tmp/both.rsp" --view table
hosts_are_json() {
	"$rspctl" report "$tmp/both.rsp" --json=short | python3 -c '
import json, sys
web, db = json.load(sys.stdin)["snapshot"]["hosts"]
assert (web["name"], web["offset_ns"], web["uncertainty_ns"], db["name"], db["first_cpu"]) == ("web", 0, 0, "db", 4)
assert abs(db["offset_ns"] + 3000000000) <= db["uncertainty_ns"] < 200000, db'
}
check "merge: hosts in JSON" hosts_are_json
reports "merge: info names the hosts" "^Merged from: *db, snapshot db" info "$tmp/both.rsp"
process_of_db() {
	"$rspctl" report "$tmp/both.rsp" --pid $((8388608 + 10)) --view table | grep -q 'postgres \[10\]'
}
check "merge: a process of the other host" process_of_db
check "merge: the other order" merge_both "$tmp/db.rsp" "$tmp/web.rsp"
check "merge: the offset in the other order" grep -q '^clocks of db and web: offset [23].[09]' "$tmp/merged"

refuses "merge: one snapshot" 2 "merge" merge "$tmp/web.rsp" -o "$tmp/x.rsp"
refuses "merge: no file for the result" 2 "merge needs -o FILE" merge "$tmp/web.rsp" "$tmp/db.rsp"
refuses "merge: the same host twice" 1 "are both recordings of host web" merge "$tmp/web.rsp" "$tmp/web.rsp" -o "$tmp/x.rsp"
refuses "merge: a foreign file" 1 "/bin/sh is not a snapshot" merge "$tmp/web.rsp" /bin/sh -o "$tmp/x.rsp"
refuses "merge: a merged snapshot" 1 "is merged already" merge "$tmp/both.rsp" "$tmp/db.rsp" -o "$tmp/x.rsp"
head -c -24 "$tmp/db.rsp" >"$tmp/cut.rsp"
refuses "merge: a truncated snapshot" 1 "cut.rsp is truncated or damaged" merge "$tmp/web.rsp" "$tmp/cut.rsp" -o "$tmp/x.rsp"
{ head -c 8 "$tmp/db.rsp" && printf '\002' && tail -c +10 "$tmp/db.rsp"; } >"$tmp/newer.rsp"
refuses "merge: a later version" 1 "newer.rsp was written by a later version" merge "$tmp/web.rsp" "$tmp/newer.rsp" -o "$tmp/x.rsp"
"$build/tests/tools/redact" "$tmp/db.rsp" 0 "$tmp/redacted.rsp"
refuses "merge: a redacted snapshot" 4 "redacted.rsp is redacted" merge "$tmp/web.rsp" "$tmp/redacted.rsp" -o "$tmp/x.rsp"

# refuses_pair NAME PATTERN "LINES of web" "LINES of db": checks that rspctl refuses to merge the snapshots of these
# stories.
refuses_pair() {
	tell here "$web_begins" "$3" && tell there "$db_begins" "$4" &&
		refuses "merge: $1" 1 "$2" merge "$tmp/here.rsp" "$tmp/there.rsp" -o "$tmp/x.rsp"
}
refuses_pair "no message" "no message between .*there.rsp and .*here.rsp is in both" "$asks" "$answers"
refuses_pair "messages to db only" "all messages .* go from .*here.rsp to .*there.rsp" "$asks" "$is_asked"
refuses_pair "messages to web only" "all messages .* go from .*there.rsp to .*here.rsp" "$gets_answer" "$answers"
refuses_pair "an answer before the request" "did not run at steady rates" "$asks;$gets_answer" \
	"$is_asked;3029.9 send 10 77 70 bytes=300 seq=5000"
tell late "$web_begins" '1000 window 1000 1010' "$asks" "$gets_answer"
refuses "merge: recordings of different times" 1 "no time is in all recordings: .*late.rsp begins when" merge "$tmp/late.rsp" "$tmp/db.rsp" -o "$tmp/x.rsp"
# All hosts have the same loopback addresses, so these do not identify a host.
tell here "$(echo "$web_begins;$asks;$gets_answer" | sed 's/10\.0\.0\.[12]/127.0.0.1/g')"
tell there "$(echo "$db_begins;$is_asked;$answers" | sed 's/10\.0\.0\.[12]/127.0.0.1/g')"
refuses "merge: loopback only" 1 "no message between" merge "$tmp/here.rsp" "$tmp/there.rsp" -o "$tmp/x.rsp"
check "merge: nothing is saved after a failure" test ! -e "$tmp/x.rsp"
