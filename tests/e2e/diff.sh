# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of `rspctl diff`: command lines that rspctl refuses, and comparisons of golden recordings.

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
check "diff: a note if the processes have different names" \
	sh -c "'$rspctl' diff '$golden/tcp.rsp' '$golden/pass.rsp' 2>&1 >/dev/null | grep -q 'processes with different names: choose one'"
check "diff: no note if the names are equal" sh -c "! '$rspctl' diff '$golden/tcp.rsp' '$golden/udp.rsp' 2>&1 >/dev/null | grep ."
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
