# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests with a running recorder: first rspd itself, then its clients, then the private recorder of rspctl.

if [ "$(id -u)" -ne 0 ]; then
	skip "recorder at work" "needs root"
	return
fi

# --- errors of rspd ---------------------------------------------------------------------------

# rspd_refuses NAME STATUS PATTERN ARG…: checks that `rspd ARG…` fails with STATUS, and prints one line that matches
# PATTERN.
rspd_refuses() {
	rspd_name=$1 rspd_status=$2 rspd_pattern=$3
	shift 3
	timeout 60 "$rspd" --foreground "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ "$status" -ne "$rspd_status" ]; then
		fail "$rspd_name" "exit status $status: $(cat "$tmp/err")"
	elif [ "$(wc -l <"$tmp/err")" -ne 1 ] || ! grep -q "^rspd: .*$rspd_pattern" "$tmp/err"; then
		fail "$rspd_name" "no line with '$rspd_pattern' alone: $(head -n 5 "$tmp/err")"
	else
		pass "$rspd_name"
	fi
}

mkdir "$tmp/run"
rspd_refuses "rspd: unknown option" 2 "unknown .*--frob" --frob
rspd_refuses "rspd: no kernel types" 1 "BTF" --btf "$tmp/missing" --socket "$tmp/run/nobtf.sock"
check "rspd leaves no socket if it cannot record" test -z "$(ls -A "$tmp/run")"
rspd_refuses "rspd: directory that cannot be made" 1 "cannot listen" --socket "$tmp/no/no/s"

RSP_RSPD_ARGS="--debug --btf=$tmp/missing" "$rspctl" run -- true >"$tmp/out" 2>"$tmp/err"
status=$?
judge "run: no kernel types" 1 "cannot start a recorder: no kernel types (BTF) at $tmp/missing"

if [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "recorder at work" "this kernel has no BTF"
	return
fi

# --- the service ------------------------------------------------------------------------------

socket=$tmp/service/rspd.sock
start_rspd --socket "$socket"
if ! await 60 rspd_answers "$socket"; then
	fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"
	return
fi
pass "rspd starts and makes its directory"
export RSP_SOCKET="$socket"
check "all users may connect to its socket" test "$(stat -c %a "$socket")" = 666
rspd_refuses "second rspd at one socket" 1 "another rspd serves" --socket "$socket"
check "the first rspd still answers" rspd_answers "$socket"

reports "status" "^Window:" status
reports "status: abilities" "^sched " status --all
reports "status as JSON" '"window":' status --json=short
check "status as JSON is JSON" is_json "$tmp/out"
status_fits() {
	"$here/ask" "$socket" GetStatus | "$here/varlink-check" include/rsp/io.rsp.Recorder.varlink GetStatus
}
check "the status has the fields of the interface" try status_fits
reports "doctor sees the service" "The service records and answers at $socket" doctor
refuses "snapshot of an unknown PID" 1 "contains no process 4194304" snapshot --pid 4194304

sh -c 'sleep 0.2' &
pid=$!
wait "$pid"
reports "snapshot of a process that has ended" "^sh .*sleep" snapshot --pid "$pid" --last 1min
check "a message contains the path of the snapshot" grep -q "^rspctl: saved as $RSP_STORE/" "$tmp/err"
check "the snapshot is saved at that path" test -f "$(sed -n 's/^rspctl: saved as //p' "$tmp/err")"
sample=$(sed -n 's/^rspctl: saved as //p' "$tmp/err")
id=$(basename "$sample" .rsp)

sleep 60 &
pid=$!
await 10 asleep "$pid"
reports "snapshot -o" "sleep" snapshot --pid "$pid" -o "$tmp/saved.rsp"
check "snapshot -o saves to that file" "$rspctl" info "$tmp/saved.rsp"
kill "$pid"

# At the end of the span, the shell almost always waits for one of the sleeps.
sh -c 'while :; do sleep 0.02; done' &
pid=$!
sleep 0.5
reports "snapshot of a loop of sleeps" "sleeping" snapshot --pid "$pid" --last 200ms
check "a wait that ends soon after the span is explained" test -z "$(grep 'window edge' "$tmp/out")"
kill "$pid"

# --- saved snapshots --------------------------------------------------------------------------

reports "list" "$(echo "$id" | cut -c 1-12)" list
reports "list names the process of a snapshot" " sh$" list
reports "list is the default" "^TIME" --no-pager
reports "list without a legend" "^2" --no-legend list
reports "list as JSON" "\"id\":\"$id\"" list --json=short
check "list as JSON is JSON" is_json "$tmp/out"
reports "info by a prefix" "^ID: *$id" info "$(echo "$id" | cut -c 1-8)"
reports "info as JSON" "\"id\":\"$id\"" info "$id" --json=short
reports "explain the newest" "^Where the time of sh" explain
reports "explain by ID" "^Next: rspctl .*$id" explain "$id"
reports "explain a file" "^Next: rspctl .*$sample" explain "$sample"
reports "explain another process" "^Where the time of rspd .$rspd_pid" explain "$id" --pid "$rspd_pid"
check "the next command is about that process" grep -q "^Next: .*$id --pid $rspd_pid --view" "$tmp/out"
reports "report of another process" '"command":"",' report "$id" --pid "$rspd_pid" --json=short
refuses "explain a process that is not in it" 1 "process 4194304 does not occur in" \
	explain "$id" --pid 4194304
cp "$sample" "$tmp/a b.rsp"
reports "a file with a blank" "^Next: rspctl report '.*/a b.rsp' --view" explain "$tmp/a b.rsp"
reports "report: table" "^Time by thread name" report "$id" --view table
reports "report: chains" "Heaviest chains" report "$id" --view chains -n 1
reports "report: irq" "^Interrupts on the whole machine" report "$id" --view irq
reports "report: edges" "^Wakeups on the whole machine" report "$id" --view edges -n 3
check "report: three rows of edges" grep -q "^  … and [0-9]* more" "$tmp/out"
reports "report of a view as JSON: all views" '"edges":\[{' report "$id" --view io --json=short
reports "report as JSON" '"version":1' report "$id" --json=short
check "report as JSON is JSON" is_json "$tmp/out"
cp "$tmp/out" "$tmp/first"
ctl report "$id" --json=short
check "the same snapshot gives the same report" cmp "$tmp/first" "$tmp/out"
"$rspctl" explain "$id" >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
judge "report to a full disk" 1 "No space left on device"

cp "$sample" "$RSP_STORE/${id%?}$(echo "$id" | tail -c 2 | tr 0-9a-f 1-9a-f0).rsp"
refuses "prefix of two IDs" 1 "give more digits" info "$(echo "$id" | cut -c 1-8)"

# rspctl uses the part before the end of a truncated snapshot (exit status 3) or refuses the file (1).
size=$(stat -c %s "$sample")
worst=
for percent in 1 5 10 20 30 40 50 60 70 80 90 95 99; do
	head -c $((size * percent / 100)) "$sample" >"$tmp/cut.rsp"
	ctl explain "$tmp/cut.rsp"
	[ "$status" -eq 1 ] || [ "$status" -eq 3 ] || worst="$percent %: $status"
	grep -qE "truncated|damaged|does not occur|not a snapshot" "$tmp/err" || worst="$percent %: untold"
done
check "truncated snapshots" test -z "$worst"
head -c $((size - 1)) "$sample" >"$tmp/cut.rsp"
ctl explain "$tmp/cut.rsp"
check "a truncated snapshot is explained, with exit status 3" test "$status" -eq 3
check "a message contains how much of it is usable" grep -q "is truncated or damaged: the first [0-9]* of its" "$tmp/err"

ctl delete "$id"
check "delete" test "$status" -eq 0
check "delete removes the file" test ! -e "$sample"

# --- a full disk ------------------------------------------------------------------------------

sleep 60 &
pid=$!
if unshare -m sh -c "mount -t tmpfs -o size=4k tmpfs '$tmp/empty'" 2>/dev/null; then
	unshare -m sh -c "mount -t tmpfs -o size=4k tmpfs '$tmp/empty'
		'$rspctl' snapshot --pid $pid -o '$tmp/empty/x.rsp'; status=\$?
		ls -A '$tmp/empty' >'$tmp/left'; exit \$status" >"$tmp/out" 2>"$tmp/err"
	status=$?
	check "full disk: the explanation is printed" grep -q "^Where the time of sleep" "$tmp/out"
	check "full disk: no partial file is left" test ! -s "$tmp/left"
	: >"$tmp/out"
	judge "full disk: the message names the failure" 1 "cannot save the snapshot as .*No space left"
else
	skip "full disk" "cannot mount a tmpfs"
fi
kill "$pid"

end_rspd TERM
start_rspd --socket "$socket" --store /proc/no/store
await 60 rspd_answers "$socket"
sleep 60 &
pid=$!
ctl snapshot --pid "$pid"
check "store that cannot be made: the explanation is printed" grep -q "^Where the time" "$tmp/out"
check "store that cannot be made: a message is printed" grep -q "could not store the snapshot" "$tmp/err"
check "store that cannot be made: exit status" test "$status" -eq 1
kill "$pid"
end_rspd TERM
start_rspd --socket "$socket"
await 60 rspd_answers "$socket"

# --- its clients ------------------------------------------------------------------------------

if command -v python3 >/dev/null; then
	for case in service unknown parameters malformed oversized pipelined byte-by-byte half-closed \
		oneway descriptors vanishing idle deaf; do
		check "clients: $case" "$here/abuse" "$socket" "$case"
	done
else
	skip "clients that misbehave" "needs python3"
fi

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
chmod 755 "$tmp"
as_nobody "$rspctl" status
check "a plain user gets the status of the service" test "$status" -eq 0
as_nobody "$rspctl" snapshot --pid $$
judge "a plain user gets no snapshot of another user's process" 4 "not yours.*: use sudo, or join the group$"
check "the service logs the denial" grep -q "user 65534 asked for a snapshot of a process that is not theirs" \
	"$tmp/rspd.err"
setpriv --reuid 65534 --regid 65534 --clear-groups sleep 60 &
theirs=$!
await 10 asleep "$theirs"
as_nobody "$rspctl" snapshot --pid "$theirs" --last 2s
check "a plain user gets a snapshot of an own process" test "$status" -eq 0
check "this snapshot is not stored" test ! -s "$tmp/err"
kill "$theirs"
as_nobody "$rspctl" util --for 1s
judge "a plain user cannot measure utilization from now on" 4 "the recorder cannot count: "
as_nobody "$rspctl" util --syscalls --for 1s
judge "a plain user cannot count system calls" 4 "the recorder cannot count: "
as_nobody "$rspctl" delete "$id"
judge "a plain user cannot delete" 4 "members of group rsp may read the store"
as_nobody "$rspctl" trigger some
judge "a plain user cannot trigger an SLO" 4 "root and members"
as_nobody "$rspd" --socket "$tmp/stranger.sock"
judge "a plain user cannot start a service" 4 "Permission denied"
as_nobody "$rspctl" run --socket "$tmp/none" -- true
judge "a plain user cannot start a recorder" 4 "cannot start a recorder: "
check "the message names the missing privilege" grep -qiE "root|CAP_|privilege|permi" "$tmp/err"

# --- rspctl run, with the service and with a private recorder ---------------------------------

run_cases() {
	reports "$1: run" "^sh .*sleep" run -- sh -c 'sleep 0.2; echo hello'
	check "$1: the command's output comes first" test "$(head -n 1 "$tmp/out")" = hello
	reports "$1: run --json" '"version":1' run --json=short -- echo hello
	check "$1: with --json, stdout contains only JSON" is_json "$tmp/out"
	check "$1: with --json, the command's output goes to stderr" grep -q hello "$tmp/err"
	reports "$1: run -o" "Where the time" run -o "$tmp/run.rsp" -- true
	reports "$1: the snapshot contains the command" "^Command: *true" info "$tmp/run.rsp"
	reports "$1: the command is quoted for a shell" "^Next: .* -- echo 'a b' '' '\$c' -d" \
		run -- echo 'a b' '' '$c' -d
	reports "$1: a command that fails is explained" "Where the time" run -- sh -c 'exit 3'
	check "$1: its exit status is reported" grep -q "'sh' exited with status 3" "$tmp/err"
	reports "$1: rspctl does not read options of the command" "Where the time" run sh -c 'exit 0' --json
	reports "$1: odd bytes in a command line" "Where the time" run -- true "$(printf 'a\377\033b')"
	refuses "$1: no such command" 1 "cannot run '/no/such': No such file" run -- /no/such
	refuses "$1: a command that is not a program" 1 "cannot run '/etc/passwd': Perm" run -- /etc/passwd
	for sig in INT TERM; do
		# A shell lets its background jobs ignore SIGINT. env restores the default, so that SIGINT ends the
		# command.
		env --default-signal=INT "$rspctl" run -- sh -c \
			"trap 'echo >\"$tmp/told\"; kill \$!; exit 0' $sig
			sleep 30 & echo >'$tmp/up'; wait" >"$tmp/out" 2>"$tmp/err" &
		pid=$!
		await 60 test -e "$tmp/up"
		rm -f "$tmp/up" "$tmp/told"
		kill -s $sig "$pid"
		wait "$pid"
		status=$?
		check "$1: SIG$sig reaches the command" test -e "$tmp/told"
		check "$1: SIG$sig: the recording is explained" \
			grep -q "Where the time of sh" "$tmp/out"
		check "$1: SIG$sig: exit status" test "$status" -eq 0 -o "$status" -eq 3
	done
}
run_cases "service"

# --- the end of the service -------------------------------------------------------------------

# left_behind NAME: checks that rspd left no socket, lock or BPF program. $programs contains the IDs of its BPF
# programs.
left_behind() {
	check "$1: no socket and no lock" test -z "$(ls -A "$tmp/service")"
	for program in $programs; do
		await 10 gone_program "$program" || break
	done
	check "$1: no BPF program" gone_program "${program:?rspd had no BPF programs}"
	check "$1: nothing pinned" test -z "$(find /sys/fs/bpf -name '*rsp*' 2>/dev/null)"
}

gone_program() {
	! bpf_program_exists "$1"
}

for sig in TERM INT; do
	programs=$(bpf_programs_of "$rspd_pid")
	# shellcheck disable=SC2086 # one word each
	set -- $programs
	check "rspd holds BPF programs" bpf_program_exists "${1:-0}"
	end_rspd "$sig"
	check "SIG$sig ends rspd with status 0" test "$status" -eq 0
	left_behind "SIG$sig"
	start_rspd --socket "$socket"
	await 60 rspd_answers "$socket"
done
programs=$(bpf_programs_of "$rspd_pid")
end_rspd KILL
check "SIGKILL leaves the socket" test -S "$socket"
start_rspd --socket "$socket"
check "the next rspd uses the same socket" await 60 rspd_answers "$socket"
end_rspd TERM
left_behind "after SIGKILL"

# --- a private recorder -----------------------------------------------------------------------

export RSP_SOCKET="$tmp/none/rspd.sock"
run_cases "private"

# run_sleep: sets $pid to the PID of rspctl, $recorder_pid to that of its recorder, and $command_pid to that of its
# command.
run_sleep() {
	"$rspctl" run -- sleep 60 >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	await 60 has_command
	recorder_pid=$(pgrep -P "$pid" -x rspd)
}

has_command() {
	command_pid=$(pgrep -P "$pid" -x sleep)
}

run_sleep
check "a private recorder runs" test -n "$recorder_pid"
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "killed rspctl: its recorder ends" await 10 gone "${recorder_pid:-1}"
kill "$command_pid"

run_sleep
kill -KILL "$recorder_pid"
kill "$command_pid"
wait "$pid"
status=$?
grep -v "was killed by signal 15" "$tmp/err" >"$tmp/err.rest"
mv "$tmp/err.rest" "$tmp/err"
judge "killed recorder: the run reports it" 1 "was not recorded: .* rspd was killed by signal 9"
