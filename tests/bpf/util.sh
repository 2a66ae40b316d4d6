# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # rspctl, programs, build and tmp are the suite's
#
# A part of tests/bpf/run: utilization, and system calls counted on demand.

counts_calls() {
	"$rspctl" util --syscalls --json -o "$tmp/calls.rsp" -- "$programs/tally-calls" >"$tmp/calls" 2>"$tmp/calls.err"
	calls_status=$?
	[ "$calls_status" -eq 0 ] || [ "$calls_status" -eq 3 ] || { cat "$tmp/calls.err"; return 1; }
	"$here/util-check" "$tmp/calls" "$tmp/calls.err"
}
check "system calls, programs, migrations and times are those of the program" try counts_calls

# syscalls_of FILE: prints "NAME COUNT" for all calls in a report, except those of rspctl before it executes the command.
syscalls_of() {
	python3 -c 'import json, sys
sums = {}
for task in json.load(open(sys.argv[1]))["tasks"]:
    for call in task["syscalls"] if not task["id"].endswith("-0") else []:
        sums[call["name"]] = sums.get(call["name"], 0) + call["count"]
print("\n".join("%s %u" % x for x in sorted(sums.items()) if x[1]))' "$1"
}
same_as_strace() {
	"$rspctl" util --syscalls --json -- "$@" >"$tmp/ours.json" 2>/dev/null || [ $? -eq 3 ] || return 1
	syscalls_of "$tmp/ours.json" >"$tmp/ours"
	strace -f -qq -c -o "$tmp/strace" "$@" >/dev/null 2>&1
	awk '$1 ~ /^[0-9.]+$/ && $NF != "total" { print $NF, $4 }' "$tmp/strace" | sort >"$tmp/theirs"
	[ -s "$tmp/ours" ] && diff "$tmp/theirs" "$tmp/ours"
}
if command -v strace >/dev/null; then
	check "system calls of dd are counted as strace counts them" same_as_strace \
		dd if=/dev/zero of=/dev/null bs=1k count=5000
else
	skip "system calls as strace counts them" "there is no strace"
fi

# call_links PID: lists the links of a recorder to the tracepoints of system calls.
call_links() {
	grep -l 'tp_name:[[:space:]]*sys_e' /proc/"$1"/fdinfo/* 2>/dev/null
}
has_call_links() {
	[ "$(call_links "$1" | wc -l)" -eq 2 ]
}
has_no_call_links() {
	[ "$(call_links "$1" | wc -l)" -eq 0 ]
}

# The programs are attached only while a client has a watch, even if the client is killed. A second client gets an error.
counts_on_demand() {
	has_no_call_links "$counting" || { echo "programs are attached though nobody asked"; return 1; }
	"$rspctl" --socket "$tmp/counting.sock" util --syscalls --for 60s >"$tmp/counting.out" 2>&1 &
	client=$!
	await 20 has_call_links "$counting" || { cat "$tmp/counting.out"; echo "no programs are attached"; return 1; }
	"$rspctl" --socket "$tmp/counting.sock" util --syscalls --for 1s >"$tmp/second.out" 2>&1
	grep -q "for somebody else" "$tmp/second.out" || { cat "$tmp/second.out"; return 1; }
	kill -9 "$client"
	wait "$client" 2>/dev/null
	await 20 has_no_call_links "$counting" || { echo "programs stay attached"; return 1; }
	"$rspctl" --socket "$tmp/counting.sock" util --syscalls --for 500ms --json >"$tmp/third.json" || [ $? -eq 3 ] || return 1
	has_no_call_links "$counting" && python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert any(c["pending_ns"] for t in report["tasks"] for c in t["syscalls"]), "no call is pending"' "$tmp/third.json"
}
"$build/rspd" --foreground --budget=off --socket "$tmp/counting.sock" 2>"$tmp/counting.log" &
counting=$!
if check "a recorder for counts starts" await 20 "$rspctl" --socket "$tmp/counting.sock" status; then
	check "programs that count are attached on demand" counts_on_demand
fi
kill "$counting"
wait "$counting"
