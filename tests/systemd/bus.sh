# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of the parts before it
#
# The recorder on the system bus.

call() {
	busctl --timeout=60 call io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 "$@"
}

heard() {
	grep -q "\"$1\"" signals
}

on_bus() {
	busctl --json=short get-property io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 Version
}
check "the recorder is on the bus" await 10 on_bus

# A client on the bus requests a snapshot. The recorder stores the snapshot, and sends a signal to
# listeners.
busctl --json=short monitor --match "type='signal',interface='io.rsp.Recorder1'" >signals &
monitor=$!
check "a client listens on the bus" await 10 busctl status io.rsp.Recorder1
snapshot_on_bus() {
	call Snapshot 'ssa{sv}' pid "$own" 0 >answer && cat answer && grep -q /var/lib/rsp/snapshots answer
}
check "a call takes a snapshot" snapshot_on_bus
check "a signal announces the snapshot" await 10 heard SnapshotTaken
kill $monitor
check "a call lists snapshots" call ListSnapshots
refused() {
	! as nobody-special busctl --timeout=60 call io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 \
		ListSnapshots
}
check "calls of plain users are refused" refused

log_level() {
	[ "$(systemctl service-log-level rspd.service)" = info ] &&
		systemctl service-log-level rspd.service debug &&
		[ "$(systemctl service-log-level rspd.service)" = debug ]
}
check "the log level can be set" log_level

marked() {
	rspctl snapshot --pid "$own" --last 10s --view marks >marks &&
		grep -q "rsp-marked.service started" marks && grep -q "rsp-marked.service stopped" marks &&
		grep -q "rsp-failing.service failed" marks && grep -q 'mark "v2 deployed"' marks
}
systemd-run --quiet --unit=rsp-marked sleep 60
systemd-run --quiet --unit=rsp-failing false
systemctl stop rsp-marked
check "rspctl mark adds a mark" rspctl mark "v2 deployed"
check "the start, stop and failure of units are marks" await 8 marked
refuses_mark() {
	! as nobody-special rspctl mark x
}
check "plain users may not add marks" refuses_mark
systemctl reset-failed rsp-failing
