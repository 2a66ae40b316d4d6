# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# Failures within the recorder. If it can no longer record, it must end with a reason. Otherwise, it must continue.

export RSP_TEST_BROKEN="$tmp/broken" LD_PRELOAD="$build/tests/preload/broken-ring.so"
start_rspd --socket "$RSP_SOCKET"
unset LD_PRELOAD
await 60 rspd_answers "$RSP_SOCKET"
: >"$RSP_TEST_BROKEN"
check "rings that cannot be read: the recorder ends" await 10 ended "$rspd_pid"
end_rspd TERM
check "rings that cannot be read: the exit status is 1" test "$status" -eq 1
check "rings that cannot be read: the log says why" \
	grep -q 'the rings cannot be read (Input/output error): recording cannot go on' "$tmp/rspd.err"
unset RSP_TEST_BROKEN

# The status contains the free space of the store. If the disk of the store hangs, the recorder must still answer.
export RSP_TEST_STUCK="$tmp/stuck" LD_PRELOAD="$build/tests/preload/stuck-store.so"
start_rspd --socket "$RSP_SOCKET"
unset LD_PRELOAD
await 60 rspd_answers "$RSP_SOCKET"
mkdir -p "$RSP_STORE"
free_bytes() {
	[ "$(number 's["store"]["free_bytes"]')" -gt 0 ]
}
check "the status contains the free space of the store" await 5 free_bytes
: >"$RSP_TEST_STUCK"
root_is_served "a store whose disk does not answer"
check "a store whose disk does not answer: the status contains the last value" free_bytes
rm "$RSP_TEST_STUCK"
end_well "a store whose disk answers again"
unset RSP_TEST_STUCK

# api-harness serves only the socket. Each allocation of a request fails once.
"$build/tests/tools/api-harness" >"$tmp/out" 2>"$tmp/err"
status=$?
sed 's/^/# /' "$tmp/out"
if [ $status -eq 77 ]; then
	skip "no memory for a request" "$(cat "$tmp/out")"
else
	check "no memory for a request: the recorder survives, and serves the next request" sh -c 'cat "$2"; [ $1 -eq 0 ]' - $status "$tmp/err"
fi

# Limits the memory of a running recorder to the memory that it uses now.
begin_rspd
data_limit=$(prlimit --pid "$rspd_pid" --data --noheadings --output SOFT,HARD | tr -s ' ' : | sed 's/^://; s/:$//')
prlimit --pid "$rspd_pid" --data="$(($(awk '/^VmData:/ { print $2 }' "/proc/$rspd_pid/status") * 1024)):" 2>"$tmp/err"
for call in GetStatus Snapshot GetStatus Snapshot; do
	ask $call "{\"pid\":$$}" >>"$tmp/calls" 2>&1
done
echo "# without memory: $(grep -c OutOfMemory "$tmp/calls") of 4 calls were refused"
check "no memory: the recorder survives" kill -0 "$rspd_pid"
prlimit --pid "$rspd_pid" --data="$data_limit" 2>"$tmp/err"
check "no memory: the recorder answers once there is memory again" await 10 rspd_answers "$RSP_SOCKET"
end_well "no memory"
