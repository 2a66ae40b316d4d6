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

# Two seconds of the process, stored; its listeners hear of it.
busctl --json=short monitor --match "type='signal',interface='io.rsp.Recorder1'" >signals &
monitor=$!
check "the bus is listened to" await 10 busctl status io.rsp.Recorder1
snapshot_on_bus() {
	call Snapshot 'ssa{sv}' pid "$own" 0 >answer && cat answer && grep -q /var/lib/rsp/snapshots answer
}
check "a snapshot is taken by a call" snapshot_on_bus
check "a signal tells of it" await 10 heard SnapshotTaken
kill $monitor
check "snapshots are listed" call ListSnapshots
refused() {
	! as nobody-special busctl --timeout=60 call io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 \
		ListSnapshots
}
check "others are refused" refused

log_level() {
	[ "$(systemctl service-log-level rspd.service)" = info ] &&
		systemctl service-log-level rspd.service debug &&
		[ "$(systemctl service-log-level rspd.service)" = debug ]
}
check "the log level can be set" log_level

# A recording contains marks of units that start, stop or fail, and marks of users.
marked() {
	rspctl snapshot --pid "$own" --last 10s --view marks >marks &&
		grep -q "rsp-marked.service started" marks && grep -q "rsp-marked.service stopped" marks &&
		grep -q "rsp-failing.service failed" marks && grep -q 'mark "v2 deployed"' marks
}
systemd-run --quiet --unit=rsp-marked sleep 60
systemd-run --quiet --unit=rsp-failing false
systemctl stop rsp-marked
check "a moment is marked" rspctl mark "v2 deployed"
check "units that start, stop and fail are marks" await 8 marked
refuses_mark() {
	! as nobody-special rspctl mark x
}
check "others may not mark" refuses_mark
systemctl reset-failed rsp-failing
