# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2086,SC2016 # variables of tests/recorder/run; words of a command; an inner sh
#
# Tests of the information that plain users get from the recorder. A process is a user's own if that user may ptrace it.

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "privacy" "needs root, to act as other users, and kernel types"
	return
fi

privacy=$tmp/privacy
export RSP_SOCKET="$tmp/privacy.sock"
mkdir "$privacy" "$privacy/secret" "$privacy/open"
chmod 777 "$privacy/open"
chmod 700 "$privacy/secret"
for program in plain undumpable setgid setuid capable secret/secret-agent; do
	install -m 755 "$build/tests/programs/closed" "$privacy/$program"
done
install -m 755 "$build/tests/programs/forge-frames" "$build/tests/tools/seen" "$privacy/"
chgrp 4242 "$privacy/setgid"
chmod 2755 "$privacy/setgid"
chmod 4755 "$privacy/setuid"

privacy_pids=
as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"

# begins COMMAND…: runs a command in the background. The command prints its PID first; sets $begun to it.
begins() {
	: >"$privacy/out"
	"$@" >"$privacy/out" 2>"$privacy/err" &
	privacy_pids="$privacy_pids $!"
	await 20 [ -s "$privacy/out" ]
	begun=$(head -n 1 "$privacy/out")
}

# snapshot_as_nobody PID: sets $status and $privacy/seen.
snapshot_as_nobody() {
	rm -f "$privacy/open/own.rsp"
	$as_nobody timeout 60 "$rspctl" snapshot --pid "$1" --last 5s -o "$privacy/open/own.rsp" >"$tmp/out" 2>"$tmp/err"
	status=$?
	"$build/tests/tools/seen" "$privacy/open/own.rsp" >"$privacy/seen" 2>&1
}

granted() {
	snapshot_as_nobody "$1"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || {
		cat "$tmp/err"
		return 1
	}
}

refused() {
	snapshot_as_nobody "$1"
	[ "$status" -eq 4 ] && grep -q "not yours" "$tmp/err"
}

knows_secret() {
	"$rspctl" snapshot --pid "$secret_pid" --last 5s -o "$privacy/root.rsp" >/dev/null 2>&1
	"$build/tests/tools/seen" "$privacy/root.rsp" 2>/dev/null | grep -q "^binary .*/secret-agent"
}

start_rspd --socket "$RSP_SOCKET"
await 60 rspd_answers "$RSP_SOCKET"

# --- owners of processes ----------------------------------------------------------------------

begins $as_nobody "$privacy/plain" run
check "privacy: the user's own process" await 10 granted "$begun"
begins $as_nobody "$privacy/undumpable" undumpable
check "privacy: not a process that is not dumpable" await 10 refused "$begun"
begins $as_nobody "$privacy/setgid" run
check "privacy: not a set-group-ID program" await 10 refused "$begun"
begins $as_nobody "$privacy/setuid" run
check "privacy: not a set-user-ID program" await 10 refused "$begun"
if "$build/tests/programs/closed" capable "$privacy/capable" 2>"$tmp/err"; then
	begins $as_nobody "$privacy/capable" run
	check "privacy: not a program with capabilities" await 10 refused "$begun"
else
	skip "privacy: not a program with capabilities" "$(cat "$tmp/err")"
fi
if $as_nobody unshare --user --map-root-user true 2>"$tmp/err"; then
	begins $as_nobody unshare --user --map-root-user "$privacy/plain" run
	check "privacy: a process in the user's own user namespace" await 10 granted "$begun"
else
	skip "privacy: a process in the user's own user namespace" "$(cat "$tmp/err")"
fi

# --- all processes of a user ------------------------------------------------------------------

# ask_as_nobody PARAMETERS: requests a snapshot as nobody. $privacy/answer contains the answer, $privacy/seen the
# content of the snapshot, which comes through a pipe.
ask_as_nobody() {
	rm -f "$privacy/own.rsp"
	python3 - "$RSP_SOCKET" "$1" "$privacy/own.rsp" >"$privacy/answer" 2>&1 <<-'END'
		import json, os, socket, sys
		out = open(sys.argv[3], "wb")
		os.setgroups([])
		os.setresgid(65534, 65534, 65534)
		os.setresuid(65534, 65534, 65534)
		call = {"method": "io.rsp.Recorder.Snapshot", "parameters": json.loads(sys.argv[2])}
		answer, fds = b"", []
		with socket.socket(socket.AF_UNIX) as s:
		    s.settimeout(60)
		    s.connect(sys.argv[1])
		    s.sendall(json.dumps(call).encode() + b"\0")
		    while b"\0" not in answer:
		        some, more, _, _ = socket.recv_fds(s, 65536, 4)
		        if not some:
		            sys.exit("no answer")
		        answer += some
		        fds += more
		    for fd in fds:
		        with open(fd, "rb") as pipe:
		            out.write(pipe.read())
		print(answer.partition(b"\0")[0].decode())
	END
	"$build/tests/tools/seen" "$privacy/own.rsp" >"$privacy/seen" 2>&1
}

own_snapshot_is_taken() {
	ask_as_nobody '{"own": true, "headline": false}'
	grep -q "^binary .*/plain" "$privacy/seen" || {
		cat "$privacy/answer" "$privacy/seen"
		return 1
	}
}

rejects() {
	ask_as_nobody "$1"
	grep -q "$2" "$privacy/answer"
}

check "privacy: a snapshot of the user's own processes" await 20 own_snapshot_is_taken
check "privacy: … without those that are closed" sh -c '! grep -q "undumpable\|setgid\|setuid\|capable" "$1"' - "$privacy/seen"
check "privacy: … without root's" sh -c '! grep -q "rspd\|rsp-worker" "$1"' - "$privacy/seen"
check "privacy: a message cannot choose the user" rejects '{"own": true, "uid": 0}' InvalidParameter
check "privacy: own does not give access to another user's process" rejects '{"own": true, "pid": 1}' InvalidParameter
check "privacy: own must be a boolean" rejects '{"own": 0}' InvalidParameter

# root also sees the processes that are closed to their own user (undumpable, setgid, setuid).
root_sees_closed() {
	"$rspctl" top --once -n 1000 >"$privacy/top" 2>"$tmp/err"
	for name in plain undumpable setgid setuid; do
		grep -q "$name \[" "$privacy/top" || return
	done
}
check "privacy: top shows root all processes" await 20 root_sees_closed
top_shows_own() {
	$as_nobody "$rspctl" top --once -n 1000 >"$privacy/top" 2>"$tmp/err" && grep -q "plain \[" "$privacy/top"
}
check "privacy: top shows the user's own processes" await 20 top_shows_own
check "privacy: … without those that are closed" \
	sh -c '! grep -q "undumpable \[\|setgid \[\|setuid \[\|capable \[" "$1"' - "$privacy/top"

# verb_shows PATTERN VERB…: the user nobody may not read the store. Returns whether the output matches PATTERN.
verb_shows() {
	pattern=$1
	shift
	$as_nobody "$rspctl" --store "$privacy/store" "$@" >"$privacy/told" 2>"$tmp/err"
	grep -q "$pattern" "$privacy/told"
}

mkdir -m 700 "$privacy/store"
for verb in util "util --last 2s" flame callgraph snapshot; do
	case $verb in util*) pattern="plain \[" ;; flame) pattern="^plain;" ;; *) pattern=plain ;; esac
	check "privacy: $verb of the user's own processes" await 30 verb_shows "$pattern" $verb
	check "privacy: … without others" sh -c '! grep "undumpable\|setgid\|setuid\|rspd\|uid [0-9]* \[\|kworker" "$1"' - \
		"$privacy/told"
done
$as_nobody "$rspctl" --store "$privacy/store" list >"$tmp/out" 2>"$tmp/err"
status=$?
judge "privacy: users may not read the store" 4 "rspctl snapshot"

# --- forged frames ----------------------------------------------------------------------------

begins "$privacy/secret/secret-agent" run
secret_pid=$begun
check "privacy: the recorder has seen a secret program" await 30 knows_secret
begins $as_nobody "$privacy/forge-frames" 300
check "privacy: frames are forged" await 20 grep -q "done" "$privacy/out"
check "privacy: a user gets a snapshot of an own process that forges frames" await 60 granted "$begun"
check "privacy: … it contains the process's own binaries" grep -q "^binary .*/forge-frames" "$privacy/seen"
check "privacy: … it contains no others" sh -c '! grep -q secret "$1"' - "$privacy/seen"

# --- switches of other processes --------------------------------------------------------------

# switches_of PID FILE: prints how often a process left a CPU.
switches_of() {
	"$build/tests/tools/seen" "$2" | awk -v pid="$1" '$1 == "switch" && $2 == pid { cnt = $3 } END { print cnt + 0 }'
}

# Ends the user's other processes, which may use any CPU: if one of them waited for the bystander's CPU, the snapshot
# would show that the bystander had this CPU.
for pid in $privacy_pids; do
	kill "$pid" && wait "$pid"
done 2>/dev/null
privacy_pids=

# The bystander, a process of another user, sleeps a thousand times a second.
knows_bystander() {
	"$rspctl" snapshot --pid "$bystander_pid" --last 5s -o "$privacy/root.rsp" >/dev/null 2>&1
	[ "$(switches_of "$bystander_pid" "$privacy/root.rsp")" -gt 500 ]
}
if taskset -c 0 true 2>/dev/null && taskset -c 1 true 2>"$tmp/err"; then
	begins taskset -c 1 "$privacy/plain" run
	bystander_pid=$begun
	check "privacy: root sees the switches of that process" await 30 knows_bystander
	bystander_cnt=$(switches_of "$bystander_pid" "$privacy/root.rsp")
	begins $as_nobody taskset -c 0 "$privacy/plain" run
	check "privacy: … and the user gets a snapshot of the own process" await 60 granted "$begun"
	told_cnt=$(switches_of "$bystander_pid" "$privacy/open/own.rsp")
	check "privacy: … with only some switches of others: $told_cnt of $bystander_cnt" [ $((10 * told_cnt)) -lt "$bystander_cnt" ]
	check "privacy: … with its own runs" [ "$(switches_of "$begun" "$privacy/open/own.rsp")" -gt 0 ]
else
	skip "privacy: switches of other processes" "needs two CPUs: $(cat "$tmp/err")"
fi

for pid in $privacy_pids; do
	kill "$pid" && wait "$pid"
done 2>/dev/null
end_rspd TERM
check "privacy: the recorder ends with status 0" test "$status" -eq 0
unset RSP_SOCKET
