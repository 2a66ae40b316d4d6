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

check "stop stops it" systemctl stop rspd.service
no_answer() {
	rspctl status
	[ $? -eq 5 ]
}
check "nobody answers then" no_answer
check "start starts it" systemctl start rspd.service
check "it records again" await 10 records
