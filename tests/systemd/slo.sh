# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# An SLO for the waits of a unit: a breach makes a snapshot, a signal and journal entries.

systemd-run --quiet --unit=napper.service sh -c 'while :; do sleep 0.3; done'
mkdir -p /etc/rsp/rspd.conf.d
cat >/etc/rsp/rspd.conf.d/naps.conf <<'END'
[SLO "naps"]
Unit=napper.service
Measure=wait
Syscalls=wait4
Threshold=100ms
Before=2s
After=100ms
Cooldown=1h
END

snapshot_of_unit() {
	rspctl snapshot --unit napper.service --last 2s
}
check "a snapshot of a unit" await 10 snapshot_of_unit

busctl --json=short monitor --match "type='signal',interface='io.rsp.Recorder1'" >signals &
monitor=$!
check "a reload adds a limit" systemctl reload rspd.service
stored() {
	ls /var/lib/rsp/snapshots/*.naps.rsp
}
check "its breach makes a snapshot" await 20 stored
check "its breach sends a signal" await 10 heard naps
kill $monitor
check "the journal contains the breach" tells BREACH '"RSP_SLO":"naps"' '"RSP_MEASURE":"wait"' \
	'"RSP_THRESHOLD_USEC":"100000"'
check "the journal contains the breach's snapshot" await_told SNAPSHOT '"RSP_SLO":"naps"'
listed() {
	rspctl slo list | grep naps
}
check "the limit is listed" listed
systemctl stop napper.service
