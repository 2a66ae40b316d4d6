# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# A newer version of the package: the same one under another number.

newer_package() {
	dpkg-deb --raw-extract rsp.deb newer &&
		sed -i 's/^Version: .*/&+newer/' newer/DEBIAN/control &&
		dpkg-deb --build newer newer.deb
}
check "a newer package" newer_package

upgrade_restarts() {
	before=$(property MainPID)
	dpkg -i newer.deb && await 10 replaced "$before"
}
# As versions that ran as root left it.
chown -R root:rsp /var/lib/rsp
old=$(basename "$(find /var/lib/rsp/snapshots -name '*.rsp' | head -n 1)")
echo '# changed by hand' >>/etc/rsp/rspd.conf
check "an upgrade restarts the recorder" upgrade_restarts
check "it keeps a configuration that was changed" grep -qx '# changed by hand' /etc/rsp/rspd.conf

takes_over() {
	await 10 records || return 1
	rspctl snapshot --pid 1 --last 1s && [ -n "$old" ] && rspctl delete "${old%%.*}" &&
		[ ! -e "/var/lib/rsp/snapshots/$old" ] && find /var/lib/rsp/snapshots -name '*.rsp' -user rsp | grep .
}
check "it stores where an earlier version stored as root" takes_over
