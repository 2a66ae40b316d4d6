# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # rspctl, programs, shared and tmp are the suite's
#
# Tests utilization, and counting of system calls on demand.

counts_calls() {
	"$rspctl" util --syscalls --json -o "$tmp/calls.rsp" -- "$programs/tally-calls" >"$tmp/calls" 2>"$tmp/calls.err"
	calls_status=$?
	[ "$calls_status" -eq 0 ] || [ "$calls_status" -eq 3 ] || { cat "$tmp/calls.err"; return 1; }
	"$here/util-check" "$tmp/calls" "$tmp/calls.err"
}
check "system calls, programs, migrations and times equal those of the program" try counts_calls

# rspctl and the other tool each run the command once, and the command must make the same calls each time.
# calls_of FILE: prints "NAME COUNT" for each call in a report. The first task in the report is rspctl itself, before
# it executes the command.
calls_of() {
	python3 -c 'import collections, json, sys
tasks = json.load(open(sys.argv[1]))["tasks"]
rspctl = min(tasks, key=lambda t: t["from_ns"])
assert rspctl["id"].endswith("-0"), "the first task is not rspctl"
sums = collections.Counter()
for call in [c for t in tasks if t is not rspctl for c in t["syscalls"]]:
    sums[call["name"]] += call["count"]
print("\n".join("%s %u" % x for x in sorted(sums.items()) if x[1]))' "$1"
}
# perf trace runs on the CPU of the command, because it misses calls if it reads a buffer while another CPU writes to
# it.
same_calls() {
	tool=$1
	shift
	"$rspctl" util --syscalls --json -- "$@" >"$tmp/ours.json" 2>/dev/null </dev/null || [ $? -eq 3 ] || return 1
	calls_of "$tmp/ours.json" >"$tmp/ours"
	case $tool in
	strace)
		strace -f -qq -c -o "$tmp/listed" "$@" >/dev/null 2>&1 </dev/null
		awk '$1 ~ /^[0-9.]+$/ && $NF != "total" { print $NF, $4 }' "$tmp/listed" | sort >"$tmp/theirs"
		;;
	perf)
		taskset -c "$cpu" perf trace -s -o "$tmp/listed" -- "$@" >/dev/null 2>&1 </dev/null
		awk '$1 ~ /^[a-z]/ && $2 ~ /^[0-9]+$/ && NF >= 8 { print $1, $2 }' "$tmp/listed" | sort >"$tmp/theirs"
		;;
	esac
	[ "$(wc -l <"$tmp/ours")" -gt 5 ] && diff "$tmp/theirs" "$tmp/ours"
}
python=$(python3 -c 'import sys; print(sys.executable)')
cpu=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
for tool in strace perf; do
	if ! command -v $tool >/dev/null || { [ $tool = perf ] && ! perf trace -s true >/dev/null 2>&1; }; then
		skip "system calls as $tool counts them" "$tool is missing or does not work here"
		continue
	fi
	check "system calls of dd equal those that $tool counts" try same_calls $tool \
		dd if=/dev/zero of=/dev/null bs=1k count=5000
	check "system calls of ls -lR equal those that $tool counts" try same_calls $tool ls -lR "$here/.."
	# perf trace sometimes misses a brk() of python.
	[ $tool = perf ] ||
		check "system calls of python equal those that $tool counts" try same_calls $tool "$python" -I -c pass
done

# If the kernel skips an update of its clock, it counts the time from a wakeup to the switch as running time of the
# woken thread. The commands below wake up rarely.
as_accounted() {
	"$rspctl" util --json -o "$tmp/times.rsp" -- "$programs/accounted" "$@" >"$tmp/times" 2>"$tmp/times.err"
	times_status=$?
	[ "$times_status" -eq 0 ] || [ "$times_status" -eq 3 ] || { cat "$tmp/times.err"; return 1; }
	"$here/account-check" "$tmp/times" "$tmp/times.err"
}
check "times of dd equal those that the kernel counted" try as_accounted dd if=/dev/zero of=/dev/null bs=1k count=200000
check "times of python equal those that the kernel counted" try as_accounted \
	"$python" -c 'print(sum(i * i for i in range(1000000)))'

# call_links PID: lists the recorder's links to the tracepoints of system calls.
call_links() {
	grep -l 'tp_name:[[:space:]]*sys_e' /proc/"$1"/fdinfo/* 2>/dev/null
}
has_call_links() {
	[ "$(call_links "$1" | wc -l)" -eq 2 ]
}
has_no_call_links() {
	[ "$(call_links "$1" | wc -l)" -eq 0 ]
}

# If the client is killed, the recorder detaches the programs. Only one client can count at a time. A client that does
# not count can record meanwhile.
counts_on_demand() {
	has_no_call_links "$shared" || { echo "programs are attached without a watch"; return 1; }
	"$rspctl" util --syscalls --for 60s >"$tmp/counting.out" 2>&1 &
	client=$!
	await 20 has_call_links "$shared" || { cat "$tmp/counting.out"; echo "no programs are attached"; return 1; }
	"$rspctl" util --syscalls --for 1s >"$tmp/second.out" 2>&1
	grep -q "another client is counting system calls" "$tmp/second.out" || { cat "$tmp/second.out"; return 1; }
	"$rspctl" util --for 100ms >"$tmp/beside.out" 2>&1 || [ $? -eq 3 ] ||
		{ cat "$tmp/beside.out"; return 1; }
	has_call_links "$shared" || { echo "the end of another watch detaches the programs"; return 1; }
	kill -9 "$client"
	wait "$client" 2>/dev/null
	await 20 has_no_call_links "$shared" || { echo "programs stay attached"; return 1; }
	"$rspctl" util --syscalls --for 500ms --json >"$tmp/third.json" || [ $? -eq 3 ] || return 1
	has_no_call_links "$shared" && python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert any(c["pending_ns"] for t in report["tasks"] for c in t["syscalls"]), "no call is pending"' "$tmp/third.json"
}

# cat already waits in read() when the span begins. A line then wakes cat, which writes the line and calls read()
# again. sleep stays asleep throughout.
counts_a_span() {
	mkfifo "$tmp/fifo" && exec 8<>"$tmp/fifo" || return 1
	cat <&8 >/dev/null &
	reader=$!
	sleep 1000 8<&- &
	sleeper=$!
	await 20 grep -q "^0 " "/proc/$reader/syscall" && await 20 grep -q "^230 " "/proc/$sleeper/syscall" || return 1
	"$rspctl" util --syscalls --for 1s --json >"$tmp/span.json" &
	client=$!
	await 20 grep -q "^271 0x[0-9a-f]* 0x2 " "/proc/$client/syscall" || return 1 # rspctl waits in ppoll() for the end of the span
	echo line >&8
	wait "$client" || [ $? -eq 3 ] || return 1
	kill "$reader" "$sleeper"
	exec 8>&-
	rm "$tmp/fifo"
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
tasks = {t["tid"]: t for t in report["tasks"]}
reader, sleeper = tasks[int(sys.argv[2])], tasks[int(sys.argv[3])]
span_ns = report["until_ns"] - report["syscalls_since_ns"]
def call(task, name):
    return next(c for c in task["syscalls"] if c["name"] == name)
assert call(reader, "write")["count"] == 1, "cat: %r" % reader
assert call(reader, "read")["count"] == 0 and call(reader, "read")["pending_ns"] >= reader["idle_ns"] > 0, "cat: %r" % reader
assert [c["name"] for c in sleeper["syscalls"]] == ["clock_nanosleep"], "sleep: %r" % sleeper
assert call(sleeper, "clock_nanosleep")["count"] == 0 and call(sleeper, "clock_nanosleep")["pending_ns"] >= 0.9 * span_ns
assert sleeper["idle_ns"] == sleeper["to_ns"] - sleeper["from_ns"] == report["until_ns"] - report["since_ns"], "sleep: %r" % sleeper
assert sleeper["migrations"] == 0 and not sleeper["cpus"]' "$tmp/span.json" "$reader" "$sleeper"
}
check "programs that count are attached on demand" counts_on_demand
check "a span that begins and ends within calls" counts_a_span
