# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Tests the files of packaging/fleet. The alert rules and the dashboard may use only metrics that
# `rspctl metrics` prints.

fleet=packaging/fleet

# metrics: writes the names of the metrics of a simulated recorder to $tmp/metrics.
metrics() {
	tests/e2e/fake-recorder "$tmp/fake" "@tests/e2e/status-ill.json" >"$tmp/fake.out" 2>&1 &
	fake_pid=$!
	await 10 [ -S "$tmp/fake" ]
	"$build/rspctl" metrics --socket "$tmp/fake" | sed -n 's/^\(rsp_[a-z_]*\).*/\1/p' | sort -u >"$tmp/metrics"
	kill "$fake_pid" 2>/dev/null
	fake_pid=''
}

# known FILE…: $tmp/metrics must contain all metrics that the files use.
known() {
	grep -oh 'rsp_[a-z_]*' "$@" | sort -u | comm -23 - "$tmp/metrics" >"$tmp/unknown"
	cat "$tmp/unknown"
	[ ! -s "$tmp/unknown" ]
}

metrics
check "a recorder has metrics" grep -qx rsp_paused "$tmp/metrics"
check "the alert rules use metrics that exist" known "$fleet/prometheus/rsp.rules.yml" "$fleet/prometheus/rsp.test.yml"
check "the dashboard uses metrics that exist" known "$fleet/grafana/rsp.json"
check "the dashboard is JSON" python3 -m json.tool "$fleet/grafana/rsp.json" "$tmp/dashboard"
if command -v promtool >/dev/null; then
	check "promtool accepts the rules" promtool check rules "$fleet/prometheus/rsp.rules.yml"
	check "the rules alert when they should, and only then" promtool test rules "$fleet/prometheus/rsp.test.yml"
else
	skip "alert rules" "needs promtool (prometheus)"
fi
if command -v ansible-playbook >/dev/null; then
	check "ansible accepts the role" env ANSIBLE_ROLES_PATH="$fleet/ansible/roles" ansible-playbook --syntax-check \
		-i "$fleet/ansible/inventory.example" "$fleet/ansible/site.yml"
else
	skip "ansible role" "needs ansible-core"
fi
