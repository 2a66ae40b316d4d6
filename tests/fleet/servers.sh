# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # build, here and tmp are the suite's
#
# Starts servers of tests/fleet/servers. A suite sources this file after tests/lib.sh, and calls
# stop_servers at its end.

server_pids=''

# A server ends when its standard input is closed. Only this shell has the pipe open for writing, so
# the servers also end when this shell ends.
mkfifo "$tmp/alive"
exec 9<>"$tmp/alive"

stop_servers() {
	exec 9>&-
	# shellcheck disable=SC2086 # a list of numbers
	[ -z "$server_pids" ] || kill $server_pids 2>/dev/null
	wait
}

server_answers() {
	grep -q ^ready "$tmp/server.out" || ! kill -0 "$server_pid" 2>/dev/null
}

# start_server NAME ARGUMENT…: sets $ports to the port numbers that the server prints. On failure,
# $tmp/server.err contains the reason.
start_server() {
	server=$1
	shift
	: >"$tmp/server.out"
	"$here/servers/$server" "$@" <"$tmp/alive" >"$tmp/server.out" 2>"$tmp/server.err" 9>&- &
	server_pid=$!
	server_pids="$server_pids $server_pid"
	await 120 server_answers
	ports=$(sed -n 's/^ready //p' "$tmp/server.out")
	[ -n "$ports" ]
}

# collector_files: downloads the message formats of OpenTelemetry. On failure, prints the reason to
# stderr.
collector_files() {
	if ! command -v protoc >/dev/null || ! /usr/bin/python3 -c 'import google.protobuf' 2>/dev/null; then
		echo "needs python3-protobuf and protobuf-compiler" >&2
		return 1
	fi
	tests/exports/readers otlp "$build/exports-readers"
}

# start_collector: starts the collector, which writes the requests that it accepts to
# $tmp/otlp/accepted.
start_collector() {
	mkdir -p "$tmp/otlp/modules"
	collector_messages=$build/exports-readers/otlp
	# shellcheck disable=SC2046 # names
	protoc --python_out="$tmp/otlp/modules" -I"$collector_messages" \
		$(cd "$collector_messages" && find opentelemetry -name '*.proto' ! -path '*/profiles/*') 2>"$tmp/server.err" &&
		start_server otlp "$tmp/otlp" "$tmp/otlp/modules"
}
