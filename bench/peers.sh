# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2086,SC2154,SC2317
#
# States of the machine that benches compare: without a recorder, with rspd, or with another
# recorder (a peer). A bench sources this file after lib.sh, passes $peer_packages to begin, and
# calls find_peers, which sets $peers to the available peers. state_begin and state_end begin and
# end a state:
#
#	nothing		no recorder
#	rspd		rspd with all its abilities, without a budget
#	budget		rspd with all its abilities, and with --budget=1%
#	perfetto	switches and wakeups without any stack (perfetto.cfg)
#	offcputime	the tool of libbpf-tools: switches with both stacks, summed up in the kernel
#	perf		perf record -a -g of switches and wakeups, with both stacks, to /dev/null
#	base		the rspd beside $RSPCTL_BASE, if that is set: another version, compared in the same run

peer_packages='linux-perf libbpf-tools'

find_peers() {
	peers='perfetto offcputime perf'
	perfetto="$top/bench/perfetto $top/build/bench/perfetto"
	if ! $perfetto 2>"$work/perfetto.err"; then
		say "without Perfetto: $(tail -n 1 "$work/perfetto.err")"
		peers='offcputime perf'
	fi
	[ -z "${RSPCTL_BASE:-}" ] || peers="base $peers"
	# perf and Perfetto read the formats of events in tracefs, so it must be mounted.
	if ! [ -e /sys/kernel/tracing/events ]; then
		mount -t tracefs tracefs /sys/kernel/tracing || fail "tracefs cannot be mounted"
		at_end umount /sys/kernel/tracing
	fi
}

nothing_begin() { :; }
rspd_begin() { start_recorder; }
budget_begin() { start_recorder --budget=1%; }
base_begin() {
	new_rspctl=$RSPCTL
	RSPCTL=$(realpath "$RSPCTL_BASE")
	start_recorder
	RSPCTL=$new_rspctl
}
perf_begin() {
	start perf perf record -q -a -g -m 16M -e sched:sched_switch,sched:sched_waking -o /dev/null
}
offcputime_begin() { start offcputime offcputime 1000; }
perfetto_begin() {
	export PERFETTO_PRODUCER_SOCK_NAME="$work/producer" PERFETTO_CONSUMER_SOCK_NAME="$work/consumer"
	start traced $perfetto traced
	started_first=$started
	await 10 test -S "$work/consumer" || fail "perfetto's traced does not start"
	start traced_probes $perfetto traced_probes
	started_second=$started
	start perfetto $perfetto perfetto --txt -c "$top/bench/perfetto.cfg" -o "$work/trace"
}

state_begin() {
	"$1_begin"
	[ "$1" = nothing ] || sleep 1
}

# The program that was started last writes the trace, so it must end before the services that it uses.
state_end() {
	[ "$1" = nothing ] || stop "$started" INT
	[ "$1" != perfetto ] || { stop "$started_second" && stop "$started_first"; }
}
