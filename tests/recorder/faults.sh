# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154,SC2034 # variables of tests/recorder/run and of an inner sh
#
# Tests of faults: the recorder is killed, its disk is full, its configuration is invalid, clients flood it or
# misbehave, its workers die. The recorder must continue, log its failures, and leave no partial files.

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "faults" "needs root and kernel types"
	return
fi
if ! command -v python3 >/dev/null; then
	skip "faults" "needs python3"
	return
fi

faults=$tmp/faults
mkdir "$faults"
export RSP_SOCKET="$faults/s"

# begin_rspd: starts a recorder with the configuration $faults/conf.
begin_rspd() {
	start_rspd --socket "$RSP_SOCKET" --config "$faults/conf"
	await 60 rspd_answers "$RSP_SOCKET" || fail "a recorder for faults" "$(tail -n 1 "$tmp/rspd.err")"
}

# end_well NAME: checks that the recorder is alive, and ends with status 0 after SIGTERM.
end_well() {
	end_rspd TERM
	check "$1: the recorder ends with status 0" test "$status" -eq 0
}

told() {
	grep -q -- "$1" "$tmp/rspd.err"
}

# says NAME PATTERN: checks that the recorder logs a line that matches PATTERN within 20 s.
says() {
	if await 20 told "$2"; then
		pass "$1"
	else
		fail "$1" "no '$2' in: $(tail -n 4 "$tmp/rspd.err")"
	fi
}

rss_kib() {
	awk '/^VmRSS:/ { print $2 }' "/proc/$rspd_pid/status"
}

# number EXPRESSION: prints a number from the status. EXPRESSION is Python; s is the status.
number() {
	"$rspctl" status --json=short | python3 -c "import json, sys; s = json.load(sys.stdin); print($1)"
}

has_newer() {
	[ "$(number 's["window"]["newest_ns"]')" -gt "$1" ]
}

is_older() {
	[ "$(number 's["uptime_ns"]')" -gt "$1" ]
}

# goes_on NAME: checks that the recorder still records new events.
goes_on() {
	check "$1: recording goes on" await 20 has_newer "$(number 's["window"]["newest_ns"]')"
}

# --- the disk ---------------------------------------------------------------------------------

# begin_on_disk SIZE SETTINGS: starts a recorder in a mount namespace. Its store is a file system of that size, which
# vanishes with the recorder. $disk is the path of the store for other processes.
begin_on_disk() {
	: >"$tmp/rspd.err"
	printf '[Budget]\nCPU=off\n[Store]\n%s\n' "$2" >"$faults/conf"
	mkdir -p "$faults/disk"
	unshare -m sh -c 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"' - "$1" "$faults/disk" \
		"$rspd" --foreground --socket "$RSP_SOCKET" --config "$faults/conf" --store "$faults/disk" \
		2>>"$tmp/rspd.err" &
	rspd_pid=$!
	await 60 rspd_answers "$RSP_SOCKET"
	disk=/proc/$rspd_pid/root$faults/disk
}

# put_old KIB…: makes files of these sizes that look like old snapshots. Each is a day newer than the one before.
put_old() {
	old_day=1
	for old_kib; do
		old_day=$((old_day + 1))
		old_file=$disk/$(printf '%032d' "$old_day").rsp
		head -c "${old_kib}K" /dev/zero >"$old_file"
		touch -d "2001-01-0$old_day" "$old_file"
	done
}

snapshots_in() {
	find "$1/" -name '*.rsp' | wc -l
}

if ! unshare -m true 2>/dev/null; then
	skip "full disk and others" "no mount namespaces"
else
	begin_on_disk 32m KeepFree=0
	head -c 33M /dev/zero >"$disk/filler" 2>/dev/null
	ctl snapshot --pid "$rspd_pid"
	check "full disk: the explanation is printed" grep -q "^Where the time of rspd" "$tmp/out"
	check "full disk: the client gets a message" grep -q "could not store the snapshot: No space left" "$tmp/err"
	says "full disk: the log contains the reason and the remedy" \
		"could not be stored in $faults/disk: No space left on device: free some space, or lower KeepFree="
	check "full disk: no partial file is left" test "$(find "$disk/" -type f ! -name .lock ! -name filler)" = ""
	goes_on "full disk"
	rm "$disk/filler"
	ctl snapshot --pid "$rspd_pid"
	check "full disk: with free space, snapshots are stored again" test "$(snapshots_in "$disk")" -eq 1

	nsenter -t "$rspd_pid" -m mount -o remount,ro "$faults/disk"
	ctl snapshot --pid "$rspd_pid"
	check "read-only store: the explanation is printed" grep -q "^Where the time of rspd" "$tmp/out"
	says "read-only store: the failure is logged" "could not be stored in $faults/disk: Read-only file system"
	nsenter -t "$rspd_pid" -m mount -o remount,rw "$faults/disk"
	ctl snapshot --pid "$rspd_pid"
	check "read-only store: snapshots are stored once it is writable" test "$(snapshots_in "$disk")" -eq 2
	end_well "full disk"

	begin_on_disk 8m "KeepFree=0
MaxUse=1M"
	put_old 340 340 340
	ctl snapshot --pid "$rspd_pid"
	check "MaxUse=: the oldest snapshot is deleted" test ! -e "$disk/$(printf '%032d' 2).rsp"
	check "MaxUse=: the others are kept" test "$(snapshots_in "$disk")" -eq 3
	says "MaxUse=: the deletion is logged" "1 older snapshots were deleted to make room"
	end_well "MaxUse="

	begin_on_disk 2m KeepFree=1M
	put_old 400 400 400
	ctl snapshot --pid "$rspd_pid"
	check "KeepFree=: the oldest snapshots are deleted" test ! -e "$disk/$(printf '%032d' 2).rsp"
	check "KeepFree=: the newest are kept" test -e "$disk/$(printf '%032d' 4).rsp"
	check "KeepFree=: enough space is free" test "$(df -k --output=avail "$disk" | tail -n 1)" -ge 1024
	end_well "KeepFree="

	begin_on_disk 8m "KeepFree=0
MaxFiles=2"
	put_old 4 4 4 4
	ctl snapshot --pid "$rspd_pid"
	check "MaxFiles=: that many snapshots are left" test "$(snapshots_in "$disk")" -eq 2
	end_well "MaxFiles="
fi

# --- its configuration ------------------------------------------------------------------------

# bad_config KIND PATH: makes an invalid configuration at PATH. Sets $complaint to the expected message.
bad_config() {
	rm -rf "${2:?}"
	case $1 in
	directory)
		mkdir "$2"
		complaint="$2: cannot be read: it is not a regular file"
		;;
	fifo)
		mkfifo "$2"
		complaint="$2: cannot be read: it is not a regular file"
		;;
	huge)
		yes '# padding' | head -c 2M >"$2"
		complaint="$2: cannot be read: it is longer than 1 MiB"
		;;
	esac
}

for kind in directory fifo huge; do
	bad_config $kind "$faults/bad"
	rm -rf "$tmp/out" "$tmp/err"
	timeout 20 "$rspd" --foreground --socket "$faults/none" --config "$faults/bad" >"$tmp/out" 2>"$tmp/err"
	status=$?
	judge "configuration named on the command line: $kind" 1 "$complaint"
done

# begin_with_etc: the recorder reads the machine's configuration from a private /etc.
begin_with_etc() {
	: >"$tmp/rspd.err"
	unshare -m sh -c 'mount -t tmpfs tmpfs /etc && mkdir /etc/rsp && shift 1 && . "$0" && exec "$@"' "$faults/make" - \
		"$rspd" --foreground --socket "$RSP_SOCKET" --store "$RSP_STORE" 2>>"$tmp/rspd.err" &
	rspd_pid=$!
	await 60 rspd_answers "$RSP_SOCKET"
}

if unshare -m true 2>/dev/null; then
	echo 'mkdir /etc/rsp/rspd.conf' >"$faults/make"
	begin_with_etc
	says "unreadable configuration: it is logged" "/etc/rsp/rspd.conf: cannot be read: it is not a regular file"
	says "unreadable configuration: recording begins" "recording begins with the defaults, and without SLOs"
	goes_on "unreadable configuration"
	end_well "unreadable configuration"
fi

# The recorder uses the valid lines of a configuration, and logs each fault with its line.
printf '[Recorder]\nWindowSize=lots\nColour=red\n\377\376\000\001\n[Nonsense]\n[Store]\nMaxFiles=7 of them\nMaxUse=2M\n[SLO "x"]\nMeasure=wait\n' \
	>"$faults/conf"
begin_rspd
for complaint in "conf:2: WindowSize=lots is ignored: it takes a size from 1M to 64G" "conf:3: .*Colour" "conf:4: this line is ignored: it is not valid UTF-8" \
	"conf:5: .*Nonsense" "conf:7: .*MaxFiles" "conf:9: SLO \"x\" is left out"; do
	says "bad values at start: $complaint" "$complaint"
done
printf '[Budget]\nCPU=off\n[SLO "kept"]\nMeasure=wait\nThreshold=1h\n' >"$faults/conf"
kill -HUP "$rspd_pid"
says "reload: a good configuration" "the configuration was read again: 1 SLOs, 0 problems"
for kind in directory fifo huge; do
	: >"$tmp/rspd.err"
	bad_config $kind "$faults/conf"
	kill -HUP "$rspd_pid"
	says "reload: $kind: it is logged" "$complaint"
	says "reload: $kind: the configuration stays" "the configuration stays as it was"
	reports "reload: $kind: the SLO still exists" "kept" slo list
done
: >"$tmp/rspd.err"
rm -rf "$faults/conf"
# random_config: prints 64 KiB of random bytes, the same in each run. A message may quote a line if it is valid UTF-8.
# The last two lines are a valid and an invalid one. An empty line precedes them, because a backslash at the end of
# the random bytes would join the next line to them.
random_config() {
	python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(64 << 10))'
	printf '\n\n\303\251\n\033[31m\302\233\377\n'
}
random_config >"$faults/conf"
kill -HUP "$rspd_pid"
says "reload: random bytes" "the configuration was read again: 0 SLOs, [1-9][0-9]* problems"
says "reload: random bytes: valid text is quoted" "'é' is ignored"
check "reload: random bytes: invalid text is not quoted" python3 - "$tmp/rspd.err" <<'END'
import sys, unicodedata
text = open(sys.argv[1], encoding="utf-8", newline="").read()
assert not [c for c in text if unicodedata.category(c) == "Cc" and c != "\n"]
END
goes_on "reload"
end_well "configuration"

# --- its clients ------------------------------------------------------------------------------

printf '[Budget]\nCPU=off\n[Store]\nKeepFree=0\nMaxFiles=20\n' >"$faults/conf"
begin_rspd
before_kib=$(rss_kib)
dumps() {
	pgrep -P "$rspd_pid" -x rspd-dump
}
no_dumps() {
	! dumps >/dev/null
}
for case in deaf gigabyte crowd slow vanishing-snapshots; do
	check "misbehaving clients: $case" timeout 120 "tests/e2e/abuse" "$RSP_SOCKET" "$case"
done
check "snapshots of disconnected clients end" await 30 no_dumps
"$rspctl" snapshot --pid "$rspd_pid" >"$tmp/out" 2>&1
check "disconnected clients leave no partial files" test -z "$(find "$RSP_STORE" -type f ! -name '*.rsp' ! -name .lock)"

cp "tests/e2e/abuse" "$faults/abuse"
chmod 755 "$faults" "$faults/abuse"
setpriv --reuid 65534 --regid 65534 --clear-groups "$faults/abuse" "$RSP_SOCKET" flood >"$faults/flood" 2>&1 &
fake_pid=$!
await 20 grep -qs flooding "$faults/flood"
check "a flood by one user: root gets answers" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do timeout 10 "$1" status || exit 1; done' - "$rspctl"
check "a flood by one user: root gets a snapshot" timeout 60 "$rspctl" snapshot --pid "$rspd_pid"
check "a flood by one user: the flood went on until now" kill "$fake_pid"
wait "$fake_pid" 2>/dev/null
fake_pid=
check "a flood by one user: its snapshots end" await 30 no_dumps

# The unit gives the recorder a real-time priority, and the kernel kills the recorder if it runs for a second without
# sleeping. A flood of calls must not keep it from sleeping.
if chrt --fifo --reset-on-fork --pid 1 "$rspd_pid" 2>/dev/null; then
	prlimit --pid "$rspd_pid" --rttime=1000000:1000000
	# Connections of the previous flood may still be queued, and count as connections of this user. So the next
	# flood begins only when the user gets an answer.
	await 60 setpriv --reuid 65534 --regid 65534 --clear-groups "$rspctl" status >/dev/null 2>&1
	setpriv --reuid 65534 --regid 65534 --clear-groups "$faults/abuse" "$RSP_SOCKET" chatter >"$faults/chatter" 2>&1 &
	fake_pid=$!
	await 20 grep -qs flooding "$faults/chatter"
	check "a flood of calls: root gets answers" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do timeout 10 "$1" status || exit 1; done' - "$rspctl"
	check "a flood of calls: the recorder survives" await 30 is_older "$(($(number 's["uptime_ns"]') + 3000000000))"
	check "a flood of calls: the flood went on until now" kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	fake_pid=
	chrt --other --pid 0 "$rspd_pid"
else
	skip "a flood of calls" "real-time priority is not available here"
fi
after_kib=$(rss_kib)
echo "# rspd's memory before misbehaving clients: $before_kib KiB, after: $after_kib KiB"
# The limit leaves room for buffers and for the window, which has filled up meanwhile.
check "misbehaving clients: memory is bounded" test $((after_kib - before_kib)) -lt $((80 * 1024))
goes_on "misbehaving clients"
end_well "misbehaving clients"

# --- its workers ------------------------------------------------------------------------------

# This recorder uses a worker that an attacker controls (tests/tools/misbehave.c).
mkdir "$faults/bin"
: >"$tmp/rspd.err"
cp "$rspd" "$build/tests/tools/rsp-worker" "$faults/bin/"
"$faults/bin/rspd" --foreground --socket "$RSP_SOCKET" --config "$faults/conf" --store "$RSP_STORE" 2>>"$tmp/rspd.err" &
rspd_pid=$!
await 60 rspd_answers "$RSP_SOCKET"

ask() {
	"tests/e2e/ask" "$RSP_SOCKET" Snapshot "{\"pid\":$1,\"command\":\"$2\",\"store\":true}"
}

dump_worker() {
	dump_pid=$(pgrep -P "$rspd_pid" -x rspd-dump) && worker_pid=$(pgrep -P "$dump_pid" -x rsp-worker)
}

# If the worker that makes unwind tables is killed, the recorder starts another one.
check "a worker that makes tables runs" await 20 pgrep -P "$rspd_pid" -x rsp-worker
kill -KILL "$(pgrep -P "$rspd_pid" -x rsp-worker)"
check "stacks are complete after it was killed" await 60 good_stacks

check "a worker that crashes: a snapshot is made" sh -c 'echo "$1" | grep -q "\"fd\""' - "$(ask "$rspd_pid" '!crash')"
says "a worker that crashes: the log says that the snapshot has no names" \
	"has no names of functions: its analysis failed: the process that made it died"

# Separate processes make the two snapshots, but the recorder logs the forbidden call only once.
ask "$rspd_pid" '!new-call' >"$tmp/out"
ask "$rspd_pid" '!new-call' >>"$tmp/out"
check "a worker that makes forbidden calls: snapshots are made" [ "$(grep -c '"fd"' "$tmp/out")" -eq 2 ]
says "a worker that makes forbidden calls: they are logged" "a library in rsp-worker used the system call 'times'"
check "a worker that makes forbidden calls: they are logged once" [ "$(grep -c "call 'times'" "$tmp/rspd.err")" -eq 1 ]
sleep 600 &
fake_pid=$!
: >"$tmp/rspd.err"
ask "$fake_pid" '!silent' >"$tmp/out" &
asking=$!
if await 20 dump_worker; then
	kill -KILL "$worker_pid"
	wait "$asking"
	check "a worker that is killed: a snapshot is made" grep -q '"fd"' "$tmp/out"
	says "a worker that is killed: the snapshot has no names" "has no names of functions"
else
	fail "a worker that is killed" "no worker runs"
fi

# dies NAME SIGNAL PATTERN: kills the process that makes a snapshot, and checks that the client gets an error that
# matches.
dies() {
	: >"$tmp/rspd.err"
	ask "$fake_pid" '!silent' >"$tmp/out" &
	asking=$!
	if await 20 dump_worker; then
		kill -s "$2" "$dump_pid"
		wait "$asking"
		check "$1: the client gets an error" grep -q "$3" "$tmp/out"
		says "$1: the failure is logged" "there is no snapshot for user 0: "
		check "$1: its worker ends, too" await 10 gone "$worker_pid"
	else
		fail "$1" "no worker runs"
	fi
}
dies "a dump that took too long" ALRM "it took too long"
dies "a dump that the OOM killer killed" KILL "OutOfMemory"
dies "a dump that crashed" SEGV "the process that made it died"
kill "$fake_pid"

setpriv --reuid 65534 --regid 65534 --clear-groups sleep 600 &
fake_pid=$!
await 10 asleep "$fake_pid"
cp "tests/e2e/ask" "$faults/"
sleep 0.2
setpriv --reuid 65534 --regid 65534 --clear-groups "$faults/ask" "$RSP_SOCKET" Snapshot \
	"{\"pid\":$fake_pid,\"command\":\"!crash\"}" >"$tmp/out" 2>&1
check "a snapshot that must be redacted is not returned without a worker" grep -q '"error"' "$tmp/out"
kill "$fake_pid"
fake_pid=
goes_on "workers"
end_well "workers"

# --- its machine ------------------------------------------------------------------------------

# Thousands of processes end each second. The recorder must record the end of each, or count it as lost.
begin_rspd
exits_before=$(number 's["by_kind"]["exit"] + s["lost"]')
began=$(date +%s%N)
for i in 1 2 3 4; do
	"$build/tests/programs/fork-many" 5000 1 >/dev/null &
	forking="${forking:-} $!"
done
for pid in $forking; do
	wait "$pid"
done
echo "# 20000 processes in $((($(date +%s%N) - began) / 1000000)) ms, $(number 's["lost"]') records lost"
all_exits() {
	[ $(($(number 's["by_kind"]["exit"] + s["lost"]') - exits_before)) -ge 20000 ]
}
check "many short processes: each is recorded or counted as lost" await 10 all_exits
end_well "many short processes"

# A snapshot needs more memory than the cgroup may use. The kernel must not kill the recorder, but another process.
memory=/sys/fs/cgroup/memory/rsp-test-$$
limit_memory() {
	echo "$1" >"$memory/memory.limit_in_bytes"
}
used_memory() {
	cat "$memory/memory.usage_in_bytes"
}
oom_kills() {
	sed -n 's/^oom_kill //p' "$memory/memory.oom_control"
}
if ! mkdir "$memory" 2>/dev/null; then
	skip "memory limit" "no memory controller of version 1"
else
	begin_rspd
	echo "$rspd_pid" >"$memory/cgroup.procs"
	"$build/tests/programs/fork-many" 20000 1 >/dev/null
	before_kib=$(rss_kib)
	limit_memory $(($(used_memory) + (8 << 20)))
	ctl snapshot --pid "$rspd_pid" --last 1min
	echo "# with 8 MiB left: $(oom_kills) killed because memory ran out: $(tail -n 1 "$tmp/err")"
	check "memory limit: the OOM killer killed a process" [ "$(oom_kills)" -gt 0 ]
	goes_on "memory limit"
	limit_memory -1
	: >"$tmp/rspd.err"
	ctl snapshot --pid "$rspd_pid" --last 1min
	check "memory limit: without the limit, a snapshot is made" grep -q "^Where the time of rspd" "$tmp/out"
	check "memory limit: the snapshot has names" sh -c '! grep -q "has no names" "$1"' - "$tmp/rspd.err"
	end_well "memory limit"
	check "memory limit: the cgroup is empty afterwards" await 10 rmdir "$memory"
fi

# This test takes a CPU of the machine offline.
online=/sys/devices/system/cpu/cpu1/online
if [ -z "${RSP_TEST_UNPLUG:-}" ]; then
	skip "a CPU goes and comes" "RSP_TEST_UNPLUG is not set"
elif ! echo 0 2>/dev/null >$online; then
	skip "a CPU goes and comes" "CPU 1 cannot be switched off"
else
	echo 1 >$online
	begin_rspd
	echo 0 >$online
	goes_on "a CPU goes"
	ctl snapshot --pid "$rspd_pid"
	check "a CPU goes: a snapshot is made" grep -q "^Where the time of rspd" "$tmp/out"
	echo 1 >$online
	goes_on "a CPU comes"
	reports "a CPU comes: its events are recorded" "Where the time of" \
		run -- taskset -c 1 "$build/tests/programs/fork-many" 10 500
	end_well "a CPU goes and comes"
fi
skip "the clock is set" "this test would change the time of the machine"
unset RSP_SOCKET
