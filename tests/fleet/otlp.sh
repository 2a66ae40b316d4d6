# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Tests a collector of OpenTelemetry as a sink of rsp-export. The receiver rejects requests that
# violate the specification.

# otlp MODE OPTION…: servers/otlp describes the modes.
otlp() {
	otlp_mode=$1
	shift
	: >"$tmp/otlp/accepted"
	"$sinks" otlp "url=$receiver/$otlp_mode/" "batch=$batch" "dir=$tmp/otlp" "$@"
}

accepted() {
	[ "$(grep -c "\"path\": \"$1\"" "$tmp/otlp/accepted")" -eq "$2" ]
}

# If the second request fails, the first request must not be sent again, because a collector does
# not notice a repetition.
otlp_goes_on() {
	answers "EAGAIN 3" "cannot take it now (status 503" otlp logs-once times=2 || return 1
	sed -n 3p "$tmp/answer" | grep -qx "accepted 0" && accepted /v1/metrics 1 && accepted /v1/logs 1
}

otlp_partial() {
	answers "accepted 0" "the collector rejected 2 log records: two ?[31mtoo old" otlp partial || return 1
	grep -qx "refused parts: 4" "$tmp/answer"
}

otlp_cases() {
	check "accepted" answers "accepted 0" "" otlp ok
	check "the receiver has all data" "$here/check-otlp" "$batch" "$tmp/otlp/accepted"
	check "a dry run shows the requests" eval 'otlp ok dry=yes >"$tmp/dry" && grep -qx "POST $receiver/ok/v1/logs" "$tmp/dry"'
	check "a dry run sends nothing" eval '! [ -s "$tmp/otlp/accepted" ]'
	check "a token" answers "accepted 0" "" env SINK_SECRET=t0ken "$sinks" otlp "url=$receiver/token" "batch=$batch"
	check "a wrong token" answers "EACCES 0" "check user and secret" env SINK_SECRET=x "$sinks" otlp "url=$receiver/token" "batch=$batch"
	check "a part is rejected" otlp_partial
	check "after a failure, the rest is sent" otlp_goes_on
	check "a collector without logs" answers "EACCES 0" "/v1/logs does not exist" otlp metrics-only
	check "spans of a snapshot" otlp_spans
	check "rejected spans" answers "accepted 0" "the collector rejected 2 spans" otlp partial "spans=$build/rsp-spans"
	check "no spans without the administrator's wish" eval 'otlp ok >/dev/null && accepted /v1/traces 0'
	check "a damaged snapshot costs only its spans" otlp_damaged
	check "a snapshot that was deleted costs only its spans" otlp_gone
	check "another server" answers "EAGAIN 0" "did not answer as a collector does: check the URL" otlp html
}

# The trace must have as many spans as the file that rspctl exports.
otlp_spans() {
	cp tests/golden/lock.rsp "$tmp/otlp/$snapshot.rsp"
	answers "accepted 0" "" otlp ok "spans=$build/rsp-spans" || return 1
	"$build/rspctl" export "$tmp/otlp/$snapshot.rsp" --format=otlp -o "$tmp/otlp/file" || return 1
	want=$(grep -o '"spanId":"[0-9a-f]*","[np]' "$tmp/otlp/file" | wc -l)
	got=$(grep /v1/traces "$tmp/otlp/accepted" | grep -o '"start_time_unix_nano"' | wc -l)
	echo "# $got spans"
	[ "$got" -gt 10 ] && [ "$got" -eq "$want" ]
}

otlp_damaged() {
	head -c 2000 /dev/urandom >"$tmp/otlp/$snapshot.rsp"
	answers "accepted 0" "no spans of snapshot $snapshot: it is damaged" otlp ok "spans=$build/rsp-spans" && accepted /v1/traces 0
}

otlp_gone() {
	rm "$tmp/otlp/$snapshot.rsp"
	answers "accepted 0" "" otlp ok "spans=$build/rsp-spans" && accepted /v1/traces 0 && accepted /v1/logs 1
}

snapshot=5f0e1d2c3b4a59687766554433221100
if ! collector_files 2>"$tmp/server.err"; then
	skip "OpenTelemetry" "$(tail -n 1 "$tmp/server.err")"
elif start_collector; then
	receiver=http://127.0.0.1:$ports
	otlp_cases
else
	fail "OpenTelemetry" "$(tail -n 1 "$tmp/server.err")"
fi
