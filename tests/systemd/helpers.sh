# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the parts of tests/systemd/guest share.

# For who reads the output; no test. Past what check keeps to itself.
exec 3>&1
note() {
	printf '# %s\n' "$*" >&3
}

# /var/tmp is other tests', outside: what appears below an overlay appears in it.
paths() {
	find /etc /usr /var /run/rsp -xdev \
		\( -path /var/log -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/tmp \) -prune -o \
		-print 2>/dev/null | sort
}

# Since before the installation, but for copies of the files that name groups.
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

# Another process than $1 is the main one, and records.
replaced() {
	[ "$(property MainPID)" != "$1" ] && [ "$(property ActiveState)" = active ] && records
}
