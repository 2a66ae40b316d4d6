# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# The service manager's verbs.

# How long it takes is for bench to say and for readers to see; the deadline only tells it from never.
restart_records() {
	before=$(property MainPID)
	begin_ms=$(now_ms)
	systemctl restart rspd.service && await 10 replaced "$before" || return 1
	note "from restart to new records: $(($(now_ms) - begin_ms)) ms"
}
check "restart records again" restart_records

kill_records() {
	before=$(property MainPID)
	kill -KILL "$before" && await 10 replaced "$before"
}
check "a recorder that is killed is replaced" kill_records

# One that does not drain its rings any more.
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
check "reload does not end it" reload
tells_status() {
	property StatusText | grep 'Recording: '
}
check "it says how it fares" await 20 tells_status

# systemd refuses the sixth start within ten seconds (start-limit-hit). On a quick machine there have been
# five by now, all of them wanted.
systemctl reset-failed rspd.service

check "stop stops it" systemctl stop rspd.service
stopped() {
	[ "$(property ActiveState)" = inactive ] && ! pgrep -x rspd
}
check "it is gone then" stopped
check "a client starts it" rspctl status
check "it records again" await 10 records

check "stopping the socket stops it, too" systemctl stop rspd.socket
check "it is gone again" stopped
no_answer() {
	rspctl status
	[ $? -eq 5 ]
}
check "nobody answers then" no_answer
check "start starts it" systemctl start rspd.service
check "it records after that" await 10 records
