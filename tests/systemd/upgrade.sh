# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# An upgrade of the package to the same files with a higher version.

newer_package() {
	dpkg-deb --raw-extract rsp.deb newer &&
		sed -i 's/^Version: .*/&+newer/' newer/DEBIAN/control &&
		dpkg-deb --build newer newer.deb
}
check "a newer package is made" newer_package

upgrade_restarts() {
	before=$(property MainPID)
	dpkg -i newer.deb && await 10 replaced "$before"
}
# Earlier versions of RSP ran as root, and left the store with root as its owner.
chown -R root:rsp /var/lib/rsp
old=$(basename "$(find /var/lib/rsp/snapshots -name '*.rsp' | head -n 1)")
echo '# changed by hand' >>/etc/rsp/rspd.conf
check "an upgrade restarts the recorder" upgrade_restarts
check "an upgrade keeps a changed configuration" grep -qx '# changed by hand' /etc/rsp/rspd.conf

takes_over() {
	await 10 records || return 1
	rspctl snapshot --pid 1 --last 1s && [ -n "$old" ] && rspctl delete "${old%%.*}" &&
		[ ! -e "/var/lib/rsp/snapshots/$old" ] && find /var/lib/rsp/snapshots -name '*.rsp' -user rsp | grep .
}
check "the recorder stores where an earlier version stored as root" takes_over
