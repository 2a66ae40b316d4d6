# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Cases of the sandbox in which root's rspctl reads snapshots, when a library makes system calls that it does
# not allow (tests/preload/odd-call.c). What it does of its own is in tests/unit/test_sandbox.c.

odd_call=$build/tests/preload/odd-call.so

# odd_ctl ARG…: as ctl, with that library. The address sanitizer wants to be loaded first.
odd_ctl() {
	env LD_PRELOAD="$odd_call" ASAN_OPTIONS=verify_asan_link_order=0 "$rspctl" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
}

# warns NAME: the last odd_ctl did what the last ctl did, and said one line more.
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

if [ ! -e "$odd_call" ]; then
	fail "sandbox" "$odd_call is not built"
elif [ "$(id -u)" -ne 0 ]; then
	skip "sandbox" "needs root: others read with their own rights"
else
	for sample in lock pipeline; do
		for arg in --view=explain --json=pretty; do
			ctl report "tests/golden/$sample.rsp" "$arg"
			ctl_status=$status
			mv "$tmp/out" "$tmp/out.ctl"
			check "sandbox: report $sample $arg says nothing on stderr" [ ! -s "$tmp/err" ]
			odd_ctl report "tests/golden/$sample.rsp" "$arg"
			warns "sandbox: report $sample $arg is whole in spite of a forbidden call"
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
	ODD_CALL=abort odd_ctl explain tests/golden/lock.rsp
	judge "sandbox: a crash after a forbidden call names it" 1 "killed by signal 6 .* the system calls 'times', 'getppid'"
fi
