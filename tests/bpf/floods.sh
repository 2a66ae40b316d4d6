# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Events that any user can cause in large numbers must not hide the events of others.

lives_pass() {
	"$build/tests/tools/records" "$tmp/renames.rsp" >"$tmp/renames.records"
	"$here/lives-check" "$tmp/renames.records" "$tmp/renames.err"
}
check "a flood of renames hides no births, deaths and last names" try recorded renames lives_pass "$programs/rename-flood"

# Births are lost while the recorder is stopped.
listed() {
	"$rspctl" --socket "$tmp/flood.sock" snapshot --pid "$flooder" -o "$tmp/flood.rsp" >/dev/null \
		2>"$tmp/flood.err"
	"$build/tests/tools/records" "$tmp/flood.rsp" >"$tmp/flood.records" &&
		grep "^task $thread $flooder seed survivor$" "$tmp/flood.records"
}
relisted() {
	"$build/rspd" --foreground --budget=off --socket "$tmp/flood.sock" 2>"$tmp/flood.log" &
	recorder=$!
	if ! await 10 "$rspctl" --socket "$tmp/flood.sock" status >"$tmp/flood.status" 2>&1; then
		kill "$recorder"
		return 1
	fi
	kill -STOP "$recorder"
	"$programs/thread-flood" 15000 >"$tmp/flood.out" &
	flooder=$!
	await 30 grep -q "^thread" "$tmp/flood.out"
	kill -CONT "$recorder"
	thread=$(sed -n 's/^thread //p' "$tmp/flood.out")
	await 2 listed
	relisted_status=$?
	kill "$flooder" "$recorder"
	wait "$flooder" "$recorder"
	return $relisted_status
}
check "threads whose births were lost are listed again" relisted

# A process that never leaves the CPU makes more records than the ring holds, so the records of packets must wake the
# recorder before the ring is full.
packets_are_kept() {
	"$build/rspd" --foreground --budget=off --ring-size=1M --socket "$tmp/packets.sock" 2>"$tmp/packets.log" &
	recorder=$!
	if await 10 "$rspctl" --socket "$tmp/packets.sock" status >"$tmp/packets.status" 2>&1; then
		taskset -c 0 "$here/packets" 100000
		"$rspctl" --socket "$tmp/packets.sock" status --json >"$tmp/packets.status"
	fi
	kill "$recorder"
	wait "$recorder"
	python3 -c 'import json, sys
lost = json.load(open(sys.argv[1]))["lost"]
sys.exit("%d records lost" % lost if lost else 0)' "$tmp/packets.status"
}
check "a flood of packets is recorded completely" packets_are_kept
