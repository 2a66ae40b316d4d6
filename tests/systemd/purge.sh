# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Removal and purge.

check "the package can be removed" dpkg -r rsp
gone() {
	! systemctl is-active -q rspd.service && ! pgrep -x rspd
}
check "removal ends the recorder" gone
check "removal keeps snapshots" test -d /var/lib/rsp/snapshots
check "the package can be purged" dpkg -P rsp

nothing_left() {
	new_paths >left
	cat left
	[ ! -s left ]
}
check "purge leaves nothing" nothing_left
