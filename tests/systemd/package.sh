# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Installation: all files are in place, and the service is enabled and running.

check "the package installs" dpkg -i rsp.deb || {
	journalctl --no-pager -u rspd >&2
	exit 1
}
check "the service is enabled" systemctl is-enabled rspd.service
check "the service is active" systemctl is-active rspd.service
check "the recorder records" await 10 records
check "the group rsp exists" getent group rsp
runs_as_rsp() {
	uid=$(id -u rsp) && grep "^Uid:[[:space:]]*$uid[[:space:]]*$uid[[:space:]]" "/proc/$(property MainPID)/status"
}
check "the recorder runs as a separate user" runs_as_rsp

store_is() {
	for dir in /var/lib/rsp /var/lib/rsp/snapshots; do
		[ "$(stat -c '%a %U:%G' $dir)" = "2750 rsp:rsp" ] || {
			stat -c '%n: %a %U:%G' $dir
			return 1
		}
	done
}
check "the store belongs to the recorder, and the group may read it" store_is
check "the configuration is in its place" test -f /etc/rsp/rspd.conf
check "systemd-analyze finds no errors in the units" systemd-analyze verify rspd.service rspd.socket

# CAP_SYS_PTRACE would allow the recorder to change other processes, so the unit's system call filter must block the
# calls for this.
keeps_hands_off() {
	systemctl show rspd.service --property SystemCallFilter --value | tr ' ' '\n' >allowed
	grep -x bpf allowed && ! grep -xE 'ptrace|process_vm_.*|process_madvise|kcmp|pidfd_getfd' allowed
}
check "the unit does not allow changes of other processes" keeps_hands_off

# The exposure level that systemd-analyze computes for the unit must be at most 2.0.
exposure() {
	systemd-analyze security --no-pager --threshold=20 rspd.service || return 1
	note "$(systemd-analyze security --no-pager rspd.service | grep 'Overall exposure')"
}
check "the unit restricts the recorder" exposure

# rsp-export sends data to other machines, so the package must not enable it.
exporter_waits() {
	[ "$(systemctl is-enabled rsp-export.service)" = disabled ] && ! systemctl is-active rsp-export.service
}
check "the exporter is neither enabled nor started" exporter_waits
exporter_says_why() {
	! systemctl start rsp-export.service && journalctl -u rsp-export.service | grep "there is no server to send to"
}
check "the exporter does not start without a server, and says so" exporter_says_why
systemctl reset-failed rsp-export.service
exporter_exposure() {
	systemd-analyze verify rsp-export.service && systemd-analyze security --no-pager --threshold=20 rsp-export.service
}
check "the unit restricts the exporter" exporter_exposure
