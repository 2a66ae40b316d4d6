# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests the governor. Tasks that switch as fast as they can on all CPUs exceed a small budget, so the recorder records
# only slices of the time.

governor_out=$tmp/governor.out

# last_step: prints the governor's current step (0: it leaves nothing out).
last_step() {
	sed -n 's/^step \([0-9]*\),.*/\1/p' "$governor_out" | tail -n 1
}

step_is() {
	[ "$(last_step)" = "$1" ]
}

# Steps 1 and 2 leave out some stacks, but no time (enum rsp_shed). The test does not wait for step 0, because each
# step back takes ten seconds.
records_all_time() {
	[ "$(last_step)" -le 2 ]
}

# governor_figure PATTERN FIELD: prints a number from the final output of the governor.
governor_figure() {
	awk -v pattern="$1" -v field="$2" '$0 ~ pattern { print $field }' "$governor_out"
}

begin_load() {
	loads=
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		timeout 100 taskset -c "$cpu" "$programs/pass" 1000000000 1 >/dev/null &
		loads="$loads $!"
	done
}

end_load() {
	# shellcheck disable=SC2086 # pids
	kill $loads
	# shellcheck disable=SC2086
	wait $loads
}

sheds() {
	await 60 step_is 5 && await 60 grep -q "^pause 2" "$governor_out" || { cat "$governor_out" && return 1; }
}

recovers() {
	await 240 records_all_time || { cat "$governor_out" && return 1; }
}

"$build/tests/tools/governor" 20000 >"$governor_out" 2>&1 &
governor=$!
governor_sheds=
if check "a recorder with a governor starts" await 20 grep -q ready "$governor_out"; then
	begin_load
	check "above its budget the recorder records slices of the time" sheds && governor_sheds=yes
	end_load
fi

# The recorder needs time without load before it records all of the time again. Meanwhile, rejected.sh runs its tests.
. "$here/rejected.sh"

[ -z "$governor_sheds" ] || check "within its budget the recorder records all of the time again" recovers
kill "$governor"
wait "$governor"
governor=
if [ "$governor_sheds" ]; then
	check "records contain the lengths of pauses" test "$(governor_figure ^sheds 3)" -gt 1000000000
	check "records of pauses have no gaps" test "$(governor_figure ^pauses 5)" = 0
	check "after a pause, records contain the states of all threads" test "$(governor_figure ^seeds 2)" -gt 0
	check "these records mark threads that slept throughout a pause" test "$(governor_figure ^seeds 5)" -gt 0
	check "switches have stacks while nothing is left out" \
		test "$(governor_figure '^stacks at step 0' 5)" -gt 0
fi
