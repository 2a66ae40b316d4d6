# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests a recorder whose budget is far too small for the load, so that it pauses for seconds.

budget_sock=$tmp/budget.sock
is_in_slices() {
	"$rspctl" --socket "$budget_sock" status --json >"$tmp/budget.status" && grep -q '"in_slices":true' "$tmp/budget.status"
}

sleeps_through_a_pause() {
	"$rspctl" --socket "$budget_sock" snapshot --pid "$sleeping" --last 500ms --json -o "$tmp/budget.rsp" >"$tmp/budget" 2>/dev/null ||
		[ $? -eq 3 ] || return 1
	"$here/waits-check" "$tmp/budget" sleep 95 comm=sleep syscall=nanosleep
}

# All CPUs are busy, so each is sampled 99 times in a second.
has_all_samples() {
	is_in_slices && "$rspctl" --socket "$budget_sock" snapshot --pid "$budgeting" --last 1s -o "$tmp/samples.rsp" \
		>"$tmp/samples" 2>&1 || [ $? -eq 3 ] || { cat "$tmp/samples"; return 1; }
	samples=$("$build/tests/tools/records" "$tmp/samples.rsp" | grep -c ^sample)
	[ "$samples" -gt $((60 * $(nproc))) ] || { echo "$samples samples"; return 1; }
}

records_now() {
	"$rspctl" --socket "$budget_sock" util --for 1s --json >"$tmp/budget.util" 2>"$tmp/budget.err" || { cat "$tmp/budget.err"; return 1; }
	has_no_pauses
}

records_a_command() {
	"$rspctl" --socket "$budget_sock" run -o "$tmp/command.rsp" -- sleep 1 >"$tmp/command" 2>&1 || [ $? -eq 3 ] || { cat "$tmp/command"; return 1; }
	"$rspctl" util "$tmp/command.rsp" --json >"$tmp/budget.util" && has_no_pauses
}

# Checks that at most a 20th of the time is missing from $tmp/budget.util.
has_no_pauses() {
	python3 -c 'import json, sys
unknown, all_ns = 0, 0
for cpu in json.load(open(sys.argv[1]))["cpus"]:
    unknown += cpu["unknown_ns"]
    all_ns += cpu["user_ns"] + cpu["system_ns"] + cpu["idle_ns"]
assert unknown * 20 < all_ns, "%u of %u ns are unknown" % (unknown, all_ns)' "$tmp/budget.util"
}

sleep 1000 &
sleeping=$!
"$build/rspd" --foreground --budget=0.01% --socket "$budget_sock" 2>"$tmp/budget.log" &
budgeting=$!
loads=
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c "$cpu" "$programs/pass" 1000000000 1 >/dev/null &
	loads="$loads $!"
done
if check "a recorder with a small budget records slices" await 60 is_in_slices; then
	check "a recording from now on has no pauses" try records_now
	check "afterwards the recorder keeps its budget again" await 20 is_in_slices
	check "a recording of a command has no pauses" try records_a_command
	check "a thread that sleeps through a pause is explained" await 20 sleeps_through_a_pause
	check "slices and pauses have all samples" await 20 has_all_samples
fi
# shellcheck disable=SC2086 # pids
kill $loads "$budgeting" "$sleeping"
# shellcheck disable=SC2086
wait $loads "$budgeting" "$sleeping" 2>/dev/null
