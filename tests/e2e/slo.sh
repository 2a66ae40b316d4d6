# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/e2e/run
#
# Limits on latencies: a snapshot by itself when one is passed, and what it says was to blame. With one
# recorder, which each test tells what to mind.

slo_check() {
	rm -rf "$tmp/slo-$1"
	mkdir "$tmp/slo-$1"
	timeout -k 10 120 "$here/slo-check" "$build" "$tmp/slo-$1" "$1" >"$tmp/out" 2>&1
}

# slo TEST WHAT: lines that begin with # are figures for readers.
slo() {
	try slo_check "$1"
	slo_status=$?
	slo_last=$(tail -n 1 "$tmp/out")
	grep '^#' "$tmp/out"
	case $slo_status in
	0) pass "$2" ;;
	77) skip "$2" "$slo_last" ;;
	*)
		cat "$tmp/out" >&2
		fail "$2" "$slo_last"
		;;
	esac
}

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "limits on latencies" "needs root, and a kernel with BTF"
	return
fi

start_rspd --socket "$tmp/slo/rspd.sock"
if ! await 60 rspd_answers "$tmp/slo/rspd.sock"; then
	fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"
	return
fi
export RSP_SOCKET="$tmp/slo/rspd.sock" RSPCTL="$rspctl" RSPD_PID="$rspd_pid" RSPD_CONFIG="$tmp/rspd.conf"

slo upstream "nginx: a request that waits for a stopped process"
slo slow-disk "nginx: a request that waits for a slow disk"
slo hog "nginx: a request that waits for a CPU that another has"
slo wait "SLO wait: dumps what was waited for"
slo runqueue "SLO runqueue: dumps who had the CPU"
slo disk "SLO disk: dumps which disk was slow"
slo function "SLO function: dumps what the call waited for"
slo psi "SLO psi: dumps what stalled"
slo storm "SLO: one dump in each cooldown, of each SLO"
slo quantile "SLO quantile: dumps one of those above it"
slo verbs "slo list, slo test, trigger; MaxFiles of an SLO"
slo reload "SIGHUP: SLOs come and go, those that stay keep their counts"

end_rspd TERM
check "rspd ends well after all that" test "$status" -eq 0
export RSP_SOCKET="$tmp/none/rspd.sock"
