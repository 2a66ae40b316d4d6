# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the variables of the parts before it
#
# Checks the journal entries that the previous parts caused.

# tells NAME PATTERN…: returns whether the newest journal entry with the message ID RSP_ID_NAME contains a field for
# each PATTERN.
tells() {
	id=$(sed -n "s/^#define RSP_ID_$1[[:space:]]*\"\(.*\)\"/\1/p" journal-ids.h)
	shift
	entry=$(journalctl -u rspd.service -n 1 -o json "MESSAGE_ID=$id")
	for field; do
		printf '%s\n' "$entry" | grep -qE "$field" || {
			echo "not '$field' but: $entry"
			return 1
		}
	done
}

await_told() {
	await 10 tells "$@" >said || {
		tail -n 1 said
		return 1
	}
}

check "the journal contains the start" tells STARTED '"PRIORITY":"[56]"' '"SYSLOG_IDENTIFIER":"rspd"'
# The journal contains the PID of the initial PID namespace, so the test does not know it.
check "the journal contains a snapshot" tells SNAPSHOT '"RSP_SNAPSHOT_ID":"[0-9a-f]{32}"' \
	'"OBJECT_PID":"[0-9]+"' '"RSP_PATH":"/var/lib/rsp/snapshots/[^"]*.rsp"'
check "the journal contains denials with the user" tells DENIED "\"RSP_UID\":\"$(id -u nobody-special)\""
check "the journal contains a reload" tells RELOADED

configuration_problem() {
	mkdir -p /etc/rsp/rspd.conf.d
	printf '[Recorder]\nNonsense=1\n' >/etc/rsp/rspd.conf.d/nonsense.conf
	systemctl reload rspd.service &&
		await_told CONFIG '"RSP_CONFIG_FILE":"/etc/rsp/rspd.conf.d/nonsense.conf"' \
			'"RSP_CONFIG_LINE":"2"'
}
check "the journal contains the place of an error in the configuration" configuration_problem

explained() {
	journalctl -x -u rspd.service | grep -q 'The flight recorder records'
}
check "the catalog explains entries" explained
