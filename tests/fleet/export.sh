# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2086 # variables of tests/fleet/run; words of a command
#
# Tests rsp-export with a real recorder, clickhouse-server and an object store.

export_dir=$tmp/export
export_socket=$export_dir/rspd.sock

export_sql() {
	curl -sS --fail-with-body "$export_db/?database=rsp" --data-binary "$1"
}

export_start_recorder() {
	"$build/rspd" --foreground --config="$export_dir/rspd.conf" --socket="$export_socket" --store="$export_dir/store" \
		>"$export_dir/rspd.log" 2>&1 &
	export_rspd=$!
	server_pids="$server_pids $export_rspd"
}

# export_made: $export_dir/summary becomes the recorder's summary.
export_made() {
	"$build/rspctl" summary --json --socket "$export_socket" >"$export_dir/summary" 2>/dev/null
}

exporter() {
	CREDENTIALS_DIRECTORY=$export_dir/credentials "$build/rsp-export" --config="$export_dir/export.conf" \
		--socket="$export_socket" --store="$export_dir/store" "$@"
}

export_configure() {
	mkdir -p "$export_dir/credentials" "$export_dir/store"
	printf '[Budget]\nCPU=off\n[Summary]\nEvery=10s\n' >"$export_dir/rspd.conf"
	echo wr1te >"$export_dir/credentials/clickhouse-password"
	echo s3cr3t >"$export_dir/credentials/s3-secret"
	cat >"$export_dir/export.conf" <<-END
		[Export]
		Spool=$export_dir/spool
		Interval=1s
		[ClickHouse]
		URL=$export_db
		User=writer
		[S3]
		URL=$export_store
		Bucket=snapshots
		Region=eu-test-1
		KeyID=rsp:exporter
		Prefix=fleet
	END
}

export_dry_run() {
	exporter --dry-run >"$export_dir/dry" || return 1
	grep -q '^POST .*INSERT%20INTO%20rsp_summary' "$export_dir/dry" || return 1
	! grep -q -e wr1te -e s3cr3t "$export_dir/dry" || return 1
	[ ! -e "$export_dir/spool" ] && [ "$(export_sql 'SELECT count() FROM rsp_summary')" -eq 0 ]
}

# export_same_rows: compares the exported rows with the summary that rspctl printed. The rows with the time of this
# summary must have the same units and figures, and all of its chains must be there.
export_same_rows() {
	export_sql "SELECT unit, cgroup, total_ns, threads, cat_idle, toUInt64(at) FROM rsp_summary FORMAT JSONEachRow" \
		>"$export_dir/rows"
	export_sql "SELECT unit, cgroup, toString(chain_id) AS id, toString(ns) AS chain_ns FROM rsp_chain FORMAT JSONEachRow" \
		>"$export_dir/chains"
	python3 - "$export_dir/summary" "$export_dir/rows" "$export_dir/chains" <<-'END'
		import json, sys
		summary = json.load(open(sys.argv[1]))
		rows, chains = ([json.loads(line) for line in open(path)] for path in sys.argv[2:])
		at = summary["realtime_ns"] // 10**9
		got = sorted((r["unit"], r["cgroup"], int(r["total_ns"]), int(r["threads"]), int(r["cat_idle"])) for r in rows
		             if int(r["toUInt64(at)"]) == at)
		want = sorted((u["unit"], u["cgroup"], u["total_ns"], u["threads"], u["categories"]["idle"]) for u in summary["units"])
		assert want and got == want, f"{got} is not {want}"
		got = {(c["unit"], c["cgroup"], int(c["id"]), int(c["chain_ns"])) for c in chains}
		want = {(u["unit"], u["cgroup"], int(c["id"], 16), c["ns"]) for u in summary["units"] for c in u["chains"]}
		assert want <= got, f"chains {want - got} are missing"
	END
}

export_snapshot_arrives() {
	"$build/rspctl" snapshot --socket "$export_socket" --store "$export_dir/store" --last 1s >"$export_dir/out" 2>&1 || return 1
	exporter --once || return 1
	export_file=$(ls "$export_dir/store"/*.rsp) || return 1
	export_key=$(export_sql "SELECT key FROM rsp_snapshot WHERE id = '$(basename "$export_file" .rsp)'")
	[ -n "$export_key" ] || return 1
	SINK_SECRET=s3cr3t "$sinks" s3-get "url=$export_store" bucket=snapshots region=eu-test-1 user=rsp:exporter \
		"key=$export_key" "save=$export_dir/got" >"$export_dir/out" && cmp "$export_dir/got" "$export_file"
}

export_boots() {
	[ "$(export_sql 'SELECT uniqExact(boot) FROM rsp_summary')" -eq "$1" ]
}

export_restart() {
	CREDENTIALS_DIRECTORY=$export_dir/credentials "$build/rsp-export" --config="$export_dir/export.conf" \
		--socket="$export_socket" --store="$export_dir/store" >"$export_dir/log" 2>&1 &
	exporter_pid=$!
	server_pids="$server_pids $exporter_pid"
	kill $export_rspd && wait $export_rspd
	export_start_recorder
}

export_once_each() {
	for columns in 'rsp_summary number,unit,cgroup' 'rsp_chain number,unit,cgroup,chain_id,category' 'rsp_snapshot id'; do
		[ "$(export_sql "SELECT count() = uniqExact(boot,${columns#* }) FROM ${columns% *}")" -eq 1 ] || return 1
	done
}

if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "rsp-export" "needs root and kernel types"
elif ! command -v clickhouse-server >/dev/null; then
	skip "rsp-export" "needs clickhouse-server"
elif ! start_server clickhouse "$tmp/export-clickhouse"; then
	fail "rsp-export" "no clickhouse-server: $(cat "$tmp/server.err")"
else
	export_db=http://127.0.0.1:$ports
	"$build/rsp-fleet" setup "--clickhouse=$export_db" >/dev/null || fail "rsp-export: tables"
	if start_server s3 "$tmp/export-s3"; then
		export_store=http://127.0.0.1:$ports
		export_configure
		check "rsp-export: the configuration is accepted" exporter --check-config
		export_start_recorder
		check "rsp-export: a recorder makes summaries" await 60 export_made
		check "rsp-export: a dry run shows the requests, without secrets, and changes nothing" export_dry_run
		check "rsp-export: everything is sent at once" exporter --once
		check "rsp-export: rows are those of the recorder's summary" export_same_rows
		check "rsp-export: a stored snapshot is described and arrives whole" export_snapshot_arrives
		export_restart
		check "rsp-export: the service goes on after the recorder restarts" await 60 export_boots 2
		kill $exporter_pid
		wait $exporter_pid
		check "rsp-export: the service stops, with success" [ $? -eq 0 ]
		check "rsp-export: each row is there once" export_once_each
		kill $export_rspd
	else
		skip "rsp-export" "needs an object store: $(cat "$tmp/server.err")"
	fi
fi
