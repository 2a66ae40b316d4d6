# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests `rspctl diff` of variants of a program, and of the same program on both sides. A comparison may raise a false
# alarm, so a test fails only if the second attempt fails, too.

# record_side SIDE NUMBER HASH WAIT: records a run of mix with 150 rounds; HASH and WAIT are arguments of mix.
record_side() {
	record_ns=$(date +%s%N)
	"$programs/mix" 150 8000 "$3" 4000 "$4" &
	record_pid=$!
	wait "$record_pid" || return
	record_ms=$((($(date +%s%N) - record_ns) / 1000000))
	"$rspctl" snapshot --pid "$record_pid" --last "${record_ms}ms" -o "$tmp/$1$2.rsp" >/dev/null 2>"$tmp/diff.err" || [ $? -eq 3 ]
}

# Records five runs of each side in turn, so that a machine that slows down affects all sides.
record_sides() {
	for number in 1 2 3 4 5; do
		record_side before $number 4000 4000 || return
		record_side hash $number 5030 4000 || return
		record_side fetch $number 4000 4480 || return
		record_side same $number 4000 4000 || return
	done
}

list() {
	echo "$tmp/${1}1.rsp,$tmp/${1}2.rsp,$tmp/${1}3.rsp,$tmp/${1}4.rsp,$tmp/${1}5.rsp"
}

# compared SIDE PATTERN: compares SIDE with the side "before". Returns whether the first sentence of the comparison
# matches PATTERN.
compared() {
	"$rspctl" diff --per run "$(list before)" "$(list "$1")" >"$tmp/diff.out" 2>"$tmp/diff.err" || [ $? -eq 3 ] || return
	sed -n 1p "$tmp/diff.out" | grep -q -- "$2"
}

# Records two commands that leave all work to a child. The comparison must contain the functions and the call graph of
# the child, with the same time as `rspctl flame`.
commands_with_descendants() {
	for command_side in 1 2; do
		"$rspctl" run -o "$tmp/command$command_side.rsp" -- sh -c "$programs/mix 5 4000 4000 4000 4000; true" \
			>/dev/null 2>"$tmp/diff.err" || [ $? -eq 3 ] || return
		"$rspctl" flame "$tmp/command$command_side.rsp" --kind=oncpu --format=folded 2>"$tmp/diff.err" |
			awk '{ sum += $NF } END { printf "%d ", sum }'
	done >"$tmp/graphs"
	"$rspctl" diff "$tmp/command1.rsp" "$tmp/command2.rsp" --format=folded 2>"$tmp/diff.err" |
		awk '{ before += $(NF - 1); after += $NF } END { printf "%d %d ", before, after }' >"$tmp/differences"
	cmp "$tmp/graphs" "$tmp/differences" &&
		"$rspctl" diff -n 10 "$tmp/command1.rsp" "$tmp/command2.rsp" >"$tmp/diff.out" 2>"$tmp/diff.err" &&
		grep -q '^Functions on a CPU, .*, of the command and its descendants, for a run' "$tmp/diff.out" &&
		grep -q ' hash (mix)$' "$tmp/diff.out" || { cat "$tmp/graphs" "$tmp/differences" "$tmp/diff.err"; return 1; }
}

# tells NAME SIDE PATTERN: checks that the first sentence of the comparison matches PATTERN. If it does not, records all
# sides again and checks once more.
tells() {
	if compared "$2" "$3" || { record_sides && compared "$2" "$3"; }; then
		pass "$1"
	else
		fail "$1" "$(sed -n 1p "$tmp/diff.out") $(cat "$tmp/diff.err")"
	fi
}

# Takes 997 samples per second, as `rspctl run` does for tasks that run for long. All sides share this recorder.
export RSP_SOCKET="$tmp/diff.sock"
"$build/rspd" --foreground --budget=off --sample-hz 997 --socket "$RSP_SOCKET" --store "$tmp/store" 2>"$tmp/diff.log" &
diffing=$!
if ! check "a recorder with fewer samples starts" await 60 "$rspctl" status; then
	unset RSP_SOCKET
	return
fi

if record_sides; then
	tells "diff: a function that takes 5 % of a run longer" hash "more computing in hash: "
	tells "diff: a sleep that takes 5 % of a run longer" fetch "more sleeping in fetch: "
	tells "diff: the same program" same "^No difference in what mix does"
	check "diff of parts of a recording" sh -c '"$1" diff "$2" --at 700ms | grep -q "^Time of the process, for a second"' - \
		"$rspctl" "$tmp/before1.rsp"
else
	fail "diff of programs" "$(cat "$tmp/diff.err")"
fi
check "diff of commands with child processes" commands_with_descendants
unset RSP_SOCKET
kill "$diffing"
wait "$diffing" 2>/dev/null
