# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Helpers of the parts of tests/systemd/guest.

# Prints a note for readers of the output, to a descriptor that check does not capture.
exec 3>&1
note() {
	printf '# %s\n' "$*" >&3
}

# Other tests use /var/tmp outside of the container, and their files would appear in the overlay.
paths() {
	find /etc /usr /var /run/rsp -xdev \
		\( -path /var/log -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/tmp \) -prune -o \
		-print 2>/dev/null | sort
}

# Compares with the state before the installation, except for backup copies of the files of groups.
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

# Returns whether the main process is not $1, and records.
replaced() {
	[ "$(property MainPID)" != "$1" ] && [ "$(property ActiveState)" = active ] && records
}
