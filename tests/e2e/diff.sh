# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of `rspctl diff`: command lines that rspctl refuses, a program with a function that is slower by 5 % of a run,
# and the same program on both sides. About one comparison in fifty of a program with itself raises a false alarm, and
# more on a machine that slows down meanwhile. So a live test that fails is recorded again, and fails only if the second
# attempt fails, too.

golden=$PWD/tests/golden

refuses "diff: one recording alone" 2 "which recordings are before" diff "$golden/tcp.rsp"
refuses "diff: three recordings without sides" 2 "which recordings are before" diff "$golden/tcp.rsp" \
	"$golden/udp.rsp" "$golden/pass.rsp"
refuses "diff: a missing recording" 1 "cannot open .*none.rsp" diff "$golden/tcp.rsp" "$tmp/none.rsp"
refuses "diff: --at with two recordings" 2 "two parts of one recording" diff --at 10ms "$golden/tcp.rsp" "$golden/udp.rsp"
refuses "diff: --at beyond the end" 2 "tcp.rsp@..10s is not within the recording" diff --at 10s "$golden/tcp.rsp"
refuses "diff: a span without an end" 2 "a span has a beginning and an end" diff "$golden/tcp.rsp@5ms" "$golden/tcp.rsp"
refuses "diff: an empty span" 2 "is empty" diff "$golden/tcp.rsp@9ms..9ms" "$golden/tcp.rsp"
refuses "diff: a reversed span" 2 "ends (at 5.00 ms) before it begins (at 9.00 ms)" diff "$golden/tcp.rsp@9ms..5ms" "$golden/tcp.rsp"
refuses "diff: a span beyond the recording" 2 "is not within the recording" diff "$golden/tcp.rsp" "$golden/tcp.rsp@9ms..9h"
refuses "diff: a time of the day beyond the recording" 2 "is not within the recording" diff --at "2001-01-01 10:00" \
	"$golden/tcp.rsp"
refuses "diff: a missing mark" 2 "'deploy' is neither a time" diff "$golden/tcp.rsp@deploy.." "$golden/tcp.rsp"
reports "diff: two spans of a recording" "^After: netpeer .*, [0-9.]* ms in .*tcp.rsp@100ms..-100ms" diff \
	"$golden/tcp.rsp@..+100ms" "$golden/tcp.rsp@100ms..-100ms"
cp "$golden/tcp.rsp" "$tmp/a@b..c.rsp"
reports "diff: a file whose name looks like a span" "^No difference" diff "$tmp/a@b..c.rsp" "$golden/tcp.rsp"
cat >"$tmp/marks.story" <<'STORY'
0 window 0 100
0 target 10
0 alive 10 app
0 run 10
30 mark text deploy_41
40 mark text deploy_42
50 mark text deploy_42x
60 mark text twice
70 mark text twice
100 block 10 sys=35
STORY
check "a story with marks" "$build/tests/story/story" "$tmp/marks.story" "$tmp/marks.rsp"
reports "diff: since a mark" "^After: app .*, 60.0 ms in .*@deploy_42\.\." diff "$tmp/marks.rsp" --at deploy_42
reports "diff: the beginning of a mark's text" "^Before: app .*, 30.0 ms in" diff "$tmp/marks.rsp@..deploy_41" \
	"$tmp/marks.rsp@deploy_42x.."
refuses "diff: several marks" 2 "2 marks are called 'twice'" diff "$tmp/marks.rsp" --at twice
refuses "diff: several marks with that beginning" 2 "3 marks are called 'deploy'" diff "$tmp/marks.rsp" --at deploy
refuses "diff: a process that does not occur" 1 "no process called 'nobody'" diff --comm nobody "$golden/tcp.rsp" \
	"$golden/udp.rsp"
refuses "diff: an unknown basis" 2 "not one of run, second, request" diff --per week "$golden/tcp.rsp" "$golden/udp.rsp"
refuses "diff: a unit" 2 "with --pid, --container or --comm" diff --unit nginx "$golden/tcp.rsp" "$golden/udp.rsp"
echo "no snapshot" >"$tmp/text.rsp"
refuses "diff: a file that is not a snapshot" 1 "text.rsp is not a snapshot" diff "$golden/tcp.rsp" "$tmp/text.rsp"
reports "diff: sides as lists" "^Before: .* 2 recordings" diff "$golden/tcp.rsp,$golden/udp.rsp" "$golden/udp.rsp"
reports "diff: sides around --" "^Before: .* 2 recordings" diff "$golden/tcp.rsp" "$golden/udp.rsp" -- "$golden/udp.rsp"
reports "diff: a recording and itself" "^No difference in what netpeer does" diff "$golden/tcp.rsp" "$golden/tcp.rsp"
reports "diff as JSON" '"differs":false' diff "$golden/tcp.rsp" "$golden/tcp.rsp" --json=short
check "diff as JSON is JSON" is_json "$tmp/out"
reports "diff as folded stacks" "^netpeer;.* [0-9]* [0-9]*$" diff "$golden/tcp.rsp" "$golden/udp.rsp" --format=folded
check "diff as a picture" "$rspctl" diff "$golden/tcp.rsp" "$golden/udp.rsp" -o "$tmp/diff.svg"
check "the picture is XML" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$tmp/diff.svg"
check "diff as a page" "$rspctl" diff "$golden/tcp.rsp" "$golden/udp.rsp" -o "$tmp/diff.html"
check "the page begins with the answer" grep -q '<p class="answer">netpeer spends 71.9 ms ± ' "$tmp/diff.html"
reports "diff as a page to the standard output" '^</html>$' diff "$golden/tcp.rsp" "$golden/udp.rsp" --format html
refuses "diff: a page in a missing directory" 1 "cannot save the page as" diff "$golden/tcp.rsp" "$golden/udp.rsp" \
	-o "$tmp/nowhere/diff.html"
refuses "diff: an unknown format" 2 "not a format of differences (folded, svg, html)" diff "$golden/tcp.rsp" "$golden/udp.rsp" --format=png
refuses "callgraph: a function that does not occur" 1 "no stack contains a function 'nothing'" callgraph \
	"$golden/lock.rsp" --function nothing
reports "callgraph as JSON" '"callgraph_version":1' callgraph "$golden/lock.rsp" --json=short
check "callgraph as JSON is JSON" is_json "$tmp/out"

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "diff of programs" "needs root and a kernel with BTF"
	return
fi

# One recorder serves all sides, because starting a recorder takes longer than a run. It samples at the lower rate of
# `rspctl run`.
export RSP_SOCKET="$tmp/diff/rspd.sock"
start_rspd --socket "$RSP_SOCKET" --sample-hz 997
if ! await 60 rspd_answers "$RSP_SOCKET"; then
	fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"
	return
fi

# record SIDE NUMBER HASH WAIT: records a run of about 1.4 s: 560 ms in parse(), 280 ms each in hash() and sort(), and a
# sleep of 600 ms in fetch(). (The first three depend on the machine.)
record() {
	record_ns=$(date +%s%N)
	"$build/tests/programs/mix" 150 8000 "$3" 4000 "$4" &
	record_pid=$!
	wait "$record_pid" || return
	record_ms=$((($(date +%s%N) - record_ns) / 1000000))
	"$rspctl" snapshot --pid "$record_pid" --last "${record_ms}ms" -o "$tmp/$1$2.rsp" >/dev/null 2>"$tmp/err" || [ $? -eq 3 ]
}

# Records five runs of each side, in turn, so that a machine that slows down affects all sides. Each of the three cases has
# its own side, and all share the side before.
record_sides() {
	for number in 1 2 3 4 5; do
		record before $number 4000 4000 || return
		record hash $number 5030 4000 || return
		record fetch $number 4000 4480 || return
		record same $number 4000 4000 || return
	done
}

list() {
	echo "$tmp/${1}1.rsp,$tmp/${1}2.rsp,$tmp/${1}3.rsp,$tmp/${1}4.rsp,$tmp/${1}5.rsp"
}

# compared SIDE PATTERN: returns whether the first sentence of the comparison with that side matches.
compared() {
	"$rspctl" diff --per run "$(list before)" "$(list "$1")" >"$tmp/out" 2>"$tmp/err" || [ $? -eq 3 ] || return
	sed -n 1p "$tmp/out" | grep -q -- "$2"
}

# commands_with_descendants: records two commands whose work is done by a child, and checks that functions and graph of the
# comparison are those of the child, too: as much as `rspctl flame` shows.
commands_with_descendants() {
	for command_side in 1 2; do
		"$rspctl" run -o "$tmp/command$command_side.rsp" -- sh -c "$build/tests/programs/mix 5 4000 4000 4000 4000; true" \
			>/dev/null 2>"$tmp/err" || [ $? -eq 3 ] || return
		"$rspctl" flame "$tmp/command$command_side.rsp" --kind=oncpu --format=folded 2>"$tmp/err" |
			awk '{ sum += $NF } END { printf "%d ", sum }'
	done >"$tmp/graphs"
	"$rspctl" diff "$tmp/command1.rsp" "$tmp/command2.rsp" --format=folded 2>"$tmp/err" |
		awk '{ before += $(NF - 1); after += $NF } END { printf "%d %d ", before, after }' >"$tmp/differences"
	cmp "$tmp/graphs" "$tmp/differences" &&
		"$rspctl" diff -n 10 "$tmp/command1.rsp" "$tmp/command2.rsp" >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^Functions on a CPU, .*, of the command and its descendants, for a run' "$tmp/out" &&
		grep -q ' hash (mix)$' "$tmp/out" || { cat "$tmp/graphs" "$tmp/differences" "$tmp/err"; return 1; }
}

# tells NAME SIDE PATTERN: checks the first sentence; if it is wrong, checks once more with new recordings.
tells() {
	if compared "$2" "$3" || { record_sides && compared "$2" "$3"; }; then
		pass "$1"
	else
		fail "$1" "$(sed -n 1p "$tmp/out") $(cat "$tmp/err")"
	fi
}

if record_sides; then
	tells "diff: a function that takes 5 % of a run longer" hash "more computing in hash: "
	tells "diff: a sleep that takes 5 % of a run longer" fetch "more sleeping in fetch: "
	tells "diff: the same program" same "^No difference in what mix does"
	reports "diff of parts of a recording" "^Time of the process, for a second" diff "$tmp/before1.rsp" --at 700ms
else
	fail "diff of programs" "$(cat "$tmp/err")"
fi
check "diff of commands with child processes" commands_with_descendants
end_rspd TERM
export RSP_SOCKET="$tmp/none/rspd.sock"
