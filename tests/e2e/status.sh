# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # variables of tests/e2e/run and offline.sh
#
# Tests of rspctl status and rspctl metrics, with recorders that answer with status-*.json.

line_is() {
	[ "$(sed -n "$1p" "$tmp/out")" = "$2" ]
}

# metrics_of STATUS NAME [SAMPLE…]: the fake recorder answers with status-STATUS.json.
metrics_of() {
	metrics_of=$1 metrics_what=$2
	shift 2
	fake "@$here/status-$metrics_of.json"
	ctl metrics --socket "$tmp/fake"
	end_fake
	"$here/metrics-check" "$tmp/out" "$@" >"$tmp/metrics" 2>&1
	case $? in
	0) pass "$metrics_what" ;;
	77) skip "$metrics_what" "needs python3-prometheus-client" ;;
	*) fail "$metrics_what" "$(tail -n 1 "$tmp/metrics")" ;;
	esac
}

fake "@$here/status-well.json"
ctl status --socket "$tmp/fake"
end_fake
check "status: the first line says that all is well" \
	line_is 1 "All is well: everything is recorded, nothing was lost."
check "status: the rate of events" grep -q "10000000 events, 100000/s, 5.4 bytes each" "$tmp/out"
check "status: the cost" \
	grep -q "0.31 % of all CPUs: BPF programs 0.25 %, rspd 0.06 %; budget 1 %" "$tmp/out"
check "status: a screen of lines, without details" [ "$(wc -l <"$tmp/out")" -le 15 -a "$(grep -c on_switch "$tmp/out")" -eq 0 ]
check "status: well" [ "$status" -eq 0 ]
check "status: no count of records that were left out" sh -c "! grep -q 'left out' '$tmp/out'"

fake "@$here/status-well.json"
ctl status --all --socket "$tmp/fake"
end_fake
check "status --all: the cost of each program" grep -q "on_switch  *99.6 % .* 250 ns each" "$tmp/out"

fake "@$here/status-ill.json"
ctl status --socket "$tmp/fake"
end_fake
check "status: the first line says that not all is well" line_is 1 "Not all is well:"
check "status: the second line says what is left out, since when, and why" \
	line_is 2 "  - left out for 2 min: wakers' stacks; recording costs 1.4 % of the CPUs, the budget is 1 %"
check "status: the exit status does not depend on the health" [ "$status" -eq 0 ]
check "status: how often records were left out" grep -q "snapshots included; records were left out 2 times$" "$tmp/out"
check "status: lost records" line_is 3 "  - 12 records were lost since the start, <0.1 % of all"
check "status: failed snapshots" grep -q "^  - 1 snapshot failed" "$tmp/out"
check "status: an SLO that is not measured, and the reason" \
	grep -q '^  - SLO db."1 is not measured: no unit db.service?runs$' "$tmp/out"
check "status: missing abilities of the machine" grep -q "^  - not recorded in full: samples: perf_event_open is refused" "$tmp/out"
check "status: one line for each SLO" grep -q \
	"^SLO checkout: *request of Unit=checkout.service Port=80, limit 250 ms: 3 of 1003 above, at most 1.20 s; 2 breaches" "$tmp/out"

metrics_of well "metrics of the recorder" rsp_uptime_seconds=3600 \
	"rsp_events_total{kind=switch}=200000000" rsp_window_seconds=100 rsp_cpu_seconds_total=4.320000001 \
	"rsp_bpf_run_seconds_total{prog=on_exit}=0.000004" rsp_cost_ratio=0.0031 rsp_budget_ratio=0.01 \
	"rsp_snapshots_total{trigger=request}=3" rsp_shed_step=0
metrics_of ill "metrics of SLOs" rsp_shed_step=1 rsp_events_lost_total=12 \
	"rsp_slo_latency_seconds_bucket{le=1e-06,slo=checkout}=0" \
	"rsp_slo_latency_seconds_bucket{le=2e-06,slo=checkout}=3" \
	"rsp_slo_latency_seconds_bucket{le=0.524288,slo=checkout}=1002" \
	"rsp_slo_latency_seconds_bucket{le=67.108864,slo=checkout}=1002" \
	"rsp_slo_latency_seconds_bucket{le=+Inf,slo=checkout}=1003" \
	"rsp_slo_latency_seconds_sum{slo=checkout}=2.500000001" 'rsp_slo_measured{slo=db\"1}=0' \
	"rsp_slo_breaches_total{slo=checkout}=2"
