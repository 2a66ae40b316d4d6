# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/recorder/run
#
# Limits on latencies: the recorder makes a snapshot when a limit is exceeded, and its report names the cause.

slo_check() {
	rm -rf "$tmp/slo-$1"
	mkdir "$tmp/slo-$1"
	timeout -k 10 120 "$here/slo-check" "$build" "$tmp/slo-$1" "$1" >"$tmp/out" 2>&1
}

# slo TEST NAME: runs TEST of slo-check as NAME. Lines that begin with # contain measured figures.
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
slo hog "nginx: a request that waits for a CPU that another program has"
slo wait "SLO wait: the dump names the awaited object"
slo runqueue "SLO runqueue: the dump names the program that had the CPU"
slo disk "SLO disk: the dump names the slow disk"
slo function "SLO function: the dump names the object for which the call waited"
slo psi "SLO psi: the dump names the stalled program"
slo storm "SLO: one dump per SLO and cooldown"
slo quantile "SLO quantile: the dump is of a request above it"
slo verbs "slo list, slo test, trigger; MaxFiles of an SLO"
slo reload "SIGHUP: adds and removes SLOs; unchanged SLOs keep their counts"

end_rspd TERM
check "rspd ends with status 0" test "$status" -eq 0
export RSP_SOCKET="$tmp/none/rspd.sock"
