# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# The rpm on a system whose packages are not rpms: tests its scripts, not its dependencies.

check "the rpm installs" rpm --nodeps -i rsp.rpm
check "the rpm's service is enabled" systemctl is-enabled rspd.service
check "the rpm's recorder records" await 10 records

reinstalled() {
	before=$(property MainPID)
	rpm --nodeps -U --force rsp.rpm && await 10 replaced "$before"
}
check "an upgrade of the rpm restarts the recorder" reinstalled

check "the rpm can be removed" rpm -e rsp
check "the recorder ends with the rpm" gone
# On systems with rpm, the directory for licenses exists before the installation. So it may remain
# here.
only_store_left() {
	new_paths | grep -vE '^/var/lib/rsp(/|$)|^/var/lib/rpm/|^/usr/share/licenses$' >left
	cat left
	[ ! -s left ]
}
check "the rpm leaves only recordings" only_store_left
