# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of a sh of its own
#
# What fails within the recorder: it ends with a reason, or goes on, but never goes on blind.

export RSP_TEST_BROKEN="$tmp/broken" LD_PRELOAD="$build/tests/preload/broken-ring.so"
start_rspd --socket "$RSP_SOCKET"
unset LD_PRELOAD
await 60 rspd_answers "$RSP_SOCKET"
: >"$RSP_TEST_BROKEN"
check "rings that cannot be read: the recorder ends" await 10 ended "$rspd_pid"
end_rspd TERM
check "rings that cannot be read: it has failed" test "$status" -eq 1
check "rings that cannot be read: the log says why" \
	grep -q 'the rings cannot be read (Input/output error): recording cannot go on' "$tmp/rspd.err"
unset RSP_TEST_BROKEN
