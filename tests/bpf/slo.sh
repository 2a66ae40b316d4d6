# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Limits on latencies: what the kernel programs measure, and what the recorder would be told of.

# slo TEST WHAT
slo() {
	slo_output=$(try "$here/slo-check" "$build" "$1" 2>&1)
	slo_status=$?
	printf '%s\n' "$slo_output" | grep '^#'
	slo_last=$(printf '%s\n' "$slo_output" | tail -n 1)
	case $slo_status in
	0) pass "$2" ;;
	77) skip "$2" "$slo_last" ;;
	*)
		printf '%s\n' "$slo_output" >&2
		fail "$2" "$slo_last"
		;;
	esac
}

slo request "SLO request: servers, not clients, from data to answer"
slo request-given-up "SLO request: a client that gives up"
slo request-ipv6 "SLO request: over IPv6"
slo nginx "SLO request: nginx, not what it asks of others"
slo quantile "SLO quantile: too many within the span, told by the slowest"
slo cooldown "SLO cooldown: one breach is told in it"
slo runqueue "SLO runqueue: who waits for a CPU"
slo runqueue-sum "SLO runqueue: adds up to what the kernel counts"
slo wait "SLO wait: where it is not for something to do, or where it was asked for"
slo disk "SLO disk: the requests of those selected"
slo function "SLO function: outermost calls that return, in a file that comes and goes"
slo function-unprivileged "SLO function: with the rights of the service"
slo cgroup "SLO of a unit and of a cgroup: as they come and go"
slo psi "SLO psi: stalls within a cgroup"
slo reload "SLO reload: those that stay the same keep their counts"
slo sixteen "SLO: sixteen at once"
