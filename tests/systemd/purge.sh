# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Removal and purge.

check "the package can be removed" dpkg -r rsp
gone() {
	! systemctl is-active -q rspd.service && ! pgrep -x rspd
}
check "the recorder ends with it" gone
check "snapshots are still there" test -d /var/lib/rsp/snapshots
check "the package can be purged" dpkg -P rsp

nothing_left() {
	new_paths >left
	cat left
	[ ! -s left ]
}
check "nothing is left" nothing_left
