# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# The commands of systemctl, and the restart of a recorder that was killed or hangs.

# Fails only if there are no new records within 10 s.
restart_records() {
	before=$(property MainPID)
	begin_ms=$(now_ms)
	systemctl restart rspd.service && await 10 replaced "$before" || return 1
	note "from restart to new records: $(($(now_ms) - begin_ms)) ms"
}
check "a restarted recorder records" restart_records

kill_records() {
	before=$(property MainPID)
	kill -KILL "$before" && await 10 replaced "$before"
}
check "a recorder that is killed is replaced" kill_records

# SIGSTOP stops the recorder, so it no longer answers the watchdog.
hang_ends() {
	mkdir -p /run/systemd/system/rspd.service.d
	printf '[Service]\nWatchdogSec=2s\n' >/run/systemd/system/rspd.service.d/watchdog.conf
	systemctl daemon-reload && systemctl restart rspd.service && await 10 records || return 1
	before=$(property MainPID)
	kill -STOP "$before" && await 20 replaced "$before" && journalctl -u rspd.service | grep 'Watchdog timeout'
}
check "the watchdog replaces a recorder that hangs" hang_ends
rm /run/systemd/system/rspd.service.d/watchdog.conf
systemctl daemon-reload

reload() {
	before=$(property MainPID)
	systemctl reload rspd.service && [ "$(property MainPID)" = "$before" ] && records
}
check "reload does not end the recorder" reload
tells_status() {
	property StatusText | grep 'Recording: '
}
check "systemctl status shows the recorder's state" await 20 tells_status

# systemd refuses the sixth start within ten seconds (start-limit-hit).
systemctl reset-failed rspd.service

check "stop stops the recorder" systemctl stop rspd.service
stopped() {
	[ "$(property ActiveState)" = inactive ] && ! pgrep -x rspd
}
check "no recorder is left after stop" stopped
check "a client starts the recorder" rspctl status
check "the recorder that a client started records" await 10 records

check "stopping the socket stops the recorder, too" systemctl stop rspd.socket
check "no recorder is left after the socket stopped" stopped
no_answer() {
	rspctl status
	[ $? -eq 5 ]
}
check "the socket does not answer then" no_answer
check "start starts the recorder" systemctl start rspd.service
check "the started recorder records" await 10 records
