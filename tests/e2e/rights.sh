# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of tests/e2e/run
#
# Capabilities: each process of a running recorder has those of its row in docs/security.md.

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "rights" "needs root, and a kernel with BTF"
	return
elif [ ! -e "/proc/$$/task/$$/children" ]; then
	skip "rights" "this kernel does not list children (CONFIG_PROC_CHILDREN)"
	return
fi

mkdir "$tmp/rights"
cp "$build/tests/programs/calls" "$tmp/rights/program"
start_rspd --socket "$tmp/rights/rspd.sock"
if ! await 60 rspd_answers "$tmp/rights/rspd.sock"; then
	fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"
	return
fi
RSP_SOCKET=$tmp/rights/rspd.sock RSPCTL=$rspctl timeout 100 "$here/rights-check" "$rspd_pid" "$tmp/rspd.conf" \
	"$tmp/rights/program" "$tmp/rights/out.rsp" || fail "rights" "rights-check failed"
end_rspd TERM

# A user may start rspd by hand on a machine with the service. The store then belongs to another
# user.
stores() {
	"$rspctl" --socket "$tmp/rights/rspd.sock" snapshot --pid $$ --last 1s && ls "$tmp/rights/store/"*.rsp
}
install -d -m 2750 -o 65534 -g 65534 "$tmp/rights/store"
start_rspd --socket "$tmp/rights/rspd.sock" --store "$tmp/rights/store"
check "rspd by hand answers" await 60 rspd_answers "$tmp/rights/rspd.sock"
check "rspd by hand stores in the service's store" stores
end_rspd TERM

# Without its helper, rspd could no longer make tables and probes. It must end and not continue
# silently.
start_rspd --socket "$tmp/rights/rspd.sock"
check "rspd answers again" await 60 rspd_answers "$tmp/rights/rspd.sock"
kill -KILL "$(pgrep -P "$rspd_pid" -x rspd-helper)"
check "rspd ends with its helper" await 30 [ ! -e "/proc/$rspd_pid/exe" ]
end_rspd TERM
check "its exit status is 1" test "$status" -eq 1
check "the reason is logged" grep -q "^rspd: .*the process that makes maps and probes has died" "$tmp/rspd.err"
