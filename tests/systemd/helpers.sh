# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Helpers of the parts of tests/systemd/guest.

# check() does not capture this descriptor.
exec 3>&1
note() {
	printf '# %s\n' "$*" >&3
}

# Prints the paths of files that an installation may create. Leaves out /var/tmp: other tests of
# this machine write files there, and the overlay would show these files.
paths() {
	find /etc /usr /var /run/rsp -xdev \
		\( -path /var/log -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/tmp \) -prune -o \
		-print 2>/dev/null | sort
}

# Prints paths that did not exist before the installation. Backup copies of the user and group files
# may remain.
new_paths() {
	paths | comm -13 before - | grep -vE '^/etc/(group|gshadow|passwd|shadow)-$'
}

now_ms() {
	date +%s%3N
}

records() {
	rspctl status --json=short 2>/dev/null |
		python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["events"] == 0)' 2>/dev/null
}

property() {
	systemctl show rspd.service --property "$1" --value
}

# Returns whether the service has a new main process, which is not PID $1, and records.
replaced() {
	[ "$(property MainPID)" != "$1" ] && [ "$(property ActiveState)" = active ] && records
}
