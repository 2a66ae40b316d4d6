# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/bpf/run
#
# Tests limits on latencies.

# slo TEST NAME: runs TEST of slo-check, and reports it as NAME.
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
slo request-given-up "SLO request: a client that disconnects"
slo request-ipv6 "SLO request: over IPv6"
slo nginx "SLO request: requests to nginx, not those to its upstream"
slo quantile "SLO quantile: too many slow requests within the span; the breach is the slowest"
slo cooldown "SLO cooldown: at most one breach is reported in it"
slo runqueue "SLO runqueue: a thread that waits for a CPU"
slo runqueue-sum "SLO runqueue: the sum is that of the kernel"
slo wait "SLO wait: waits that are not for work, and waits in a given place"
slo disk "SLO disk: requests of the selected processes"
slo function "SLO function: outermost calls that return, in a file that is created and replaced"
slo function-unprivileged "SLO function: with the rights of the service"
slo cgroup "SLO of a unit and of a cgroup: started and stopped"
slo psi "SLO psi: stalls within a cgroup"
slo reload "SLO reload: unchanged SLOs keep their counts"
slo sixteen "SLO: sixteen at once"
