# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Tests of the sandbox in which rspctl reads snapshots. tests/unit/test_sandbox.c tests its filter.

odd_call=$build/tests/preload/odd-call.so

# odd_ctl ARG…: like ctl, but rspctl makes calls that the sandbox does not allow. The option lets the library be loaded
# before the address sanitizer.
odd_ctl() {
	env LD_PRELOAD="$odd_call" ASAN_OPTIONS=verify_asan_link_order=0 "$rspctl" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
}

# warns NAME: checks that the last odd_ctl had the same result as the last ctl, and printed one more line.
warns() {
	if [ "$status" -ne "$ctl_status" ]; then
		fail "$1" "exit status $status instead of $ctl_status: $(cat "$tmp/err")"
	elif ! cmp -s "$tmp/out" "$tmp/out.ctl"; then
		fail "$1" "the output differs"
	elif [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
		fail "$1" "not one line on stderr: $(cat "$tmp/err")"
	else
		check "$1" grep -q "^rspctl: warning: a library used the system calls 'times', 'getppid', which" "$tmp/err"
	fi
}

# filters PID: prints the number of system call filters of a process. In a container, one of them may be the
# container's.
filters() {
	sed -n 's/^Seccomp_filters:	//p' "/proc/$1/status"
}

# Looks for a sandboxed child of process $1: it runs as user $2, has no capabilities and cannot gain any, and has more
# filters than $1. Sets $child.
child_is_sandboxed() {
	for child in $(ps -o pid= --ppid "$1"); do
		cp "/proc/$child/status" "$tmp/status" 2>/dev/null &&
			grep -q "^Uid:	$2	$2	$2	$2$" "$tmp/status" && grep -q "^CapEff:	0*$" "$tmp/status" &&
			grep -q "^NoNewPrivs:	1$" "$tmp/status" && grep -q "^Seccomp:	2$" "$tmp/status" &&
			[ "$(filters "$child")" -gt "$(filters "$1")" ] && return 0
	done
	return 1
}

# is_in_sandbox NAME UID COMMAND…: COMMAND runs rspctl. Meanwhile, the process that parses the snapshot must run as UID,
# without rights.
is_in_sandbox() {
	name=$1 uid=$2
	shift 2
	child=''
	: >"$tmp/status"
	env LD_PRELOAD="$odd_call" ODD_CALL=sleep ASAN_OPTIONS=verify_asan_link_order=0 "$@" >"$tmp/out" 2>"$tmp/err" &
	fake_pid=$!
	if await 20 child_is_sandboxed "$fake_pid" "$uid"; then
		pass "$name: a child without rights reads it"
	else
		fail "$name: a child without rights reads it" "$(cat "$tmp/err" "$tmp/status")"
	fi
	kill "$fake_pid"
	wait "$fake_pid" 2>/dev/null
	[ -z "$child" ] || check "$name: it ends with its parent" await 10 has_ended "$child"
	fake_pid=
}

# Other users run rspctl with this library, so they must be able to read it.
install -m 755 "$odd_call" "$tmp/odd-call.so" && odd_call=$tmp/odd-call.so

if [ ! -e "$odd_call" ]; then
	fail "sandbox" "$odd_call is not built"
	return
fi

for sample in lock pipeline; do
	for arg in --view=explain --json=pretty; do
		ctl report "tests/golden/$sample.rsp" "$arg"
		ctl_status=$status
		mv "$tmp/out" "$tmp/out.ctl"
		check "sandbox: report $sample $arg prints nothing to stderr" [ ! -s "$tmp/err" ]
		odd_ctl report "tests/golden/$sample.rsp" "$arg"
		warns "sandbox: report $sample $arg is complete in spite of a forbidden call"
	done
done
mkdir "$tmp/both"
cp tests/golden/lock.rsp "$tmp/both/abc1.rsp"
cp tests/golden/pipeline.rsp "$tmp/both/abd2.rsp"
ctl list --store "$tmp/both"
ctl_status=$status
mv "$tmp/out" "$tmp/out.ctl"
odd_ctl list --store "$tmp/both"
warns "sandbox: one warning for several snapshots"
for verb in explain info html symbolize; do
	ODD_CALL=abort odd_ctl $verb tests/golden/lock.rsp
	judge "sandbox: $verb: a crash after a forbidden call names it" 1 "killed by signal 6 .* the system calls 'times', 'getppid'"
done

"$build/tests/tools/bomb" tests/golden/lock.rsp "$tmp/zeroes.rsp" 1024 zeroes
"$build/tests/tools/bomb" tests/golden/lock.rsp "$tmp/records.rsp" 60
for verb in explain html symbolize; do
	refuses "sandbox: $verb: a small file of a gigabyte" 1 "claims to contain more than a file of its size can" \
		$verb "$tmp/zeroes.rsp"
done
if ! command -v python3 >/dev/null; then
	skip "memory for a small file of a gigabyte" "needs python3"
else
	check "sandbox: a small file of a gigabyte takes no memory" python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:])
mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(mib, "MiB")
sys.exit(mib > 400)' "$rspctl" explain "$tmp/zeroes.rsp"
fi
if nm "$build/rspctl" | grep -q __asan_init; then
	skip "sandbox: not enough memory" "the address sanitizer reserves terabytes"
else
	ctl_within() {
		(ulimit -v "$1" && shift && exec "$rspctl" "$@") >"$tmp/out" 2>"$tmp/err"
		status=$?
	}
	ctl_within 65536 explain "$tmp/records.rsp"
	judge "sandbox: not enough memory" 1 "needs more memory than a snapshot of this size may use"
fi

if ! command -v ps >/dev/null; then
	skip "rights of the sandbox" "needs ps"
else
	own=$(id -u)
	[ "$own" -ne 0 ] || own=65534
	for verb in explain info html symbolize list; do
		set -- "$verb" "$tmp/both/abc1.rsp"
		[ "$verb" != list ] || set -- list --store "$tmp/both"
		is_in_sandbox "$verb" "$own" "$rspctl" "$@"
	done
	if [ "$(id -u)" -eq 0 ]; then
		for verb in explain symbolize; do
			is_in_sandbox "$verb for a plain user" 1234 \
				setpriv --reuid=1234 --regid=1234 --clear-groups "$rspctl" $verb "$tmp/both/abc1.rsp"
		done
	else
		skip "snapshots read for a plain user" "needs root"
	fi
fi
