# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/clients/run and of an inner sh
#
# A recorder on a private bus. tests/tools/bus-harness floods the bus as a user.

if ! command -v busctl >/dev/null || ! command -v dbus-daemon >/dev/null; then
	skip "floods of the bus" "needs busctl and dbus-daemon"
	return
fi
install -m 755 "$build/tests/tools/bus-harness" "$tmp/bin/"
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$tmp/bus"
cat >"$tmp/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
	"https://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
	<type>system</type>
	<listen>unix:path=$tmp/bus</listen>
	<auth>EXTERNAL</auth>
	<policy context="default">
		<allow user="*"/>
		<allow send_destination="*"/>
		<allow receive_sender="*"/>
	</policy>
	<policy user="root">
		<allow own="*"/>
	</policy>
</busconfig>
END
dbus-daemon --config-file="$tmp/bus.conf" --nofork --nopidfile >"$tmp/bus.log" 2>&1 &
client_pids="$client_pids $!"
await 10 test -S "$tmp/bus"

property() {
	timeout 20 busctl --system get-property io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 "$1"
}
has_name() {
	busctl --system status io.rsp.Recorder1 >/dev/null 2>&1
}

begin_rspd
check "a recorder on the bus" await 20 has_name
"$tmp/bin/fork-many" 1000000 200 >/dev/null &
client_pids="$client_pids $!"
: >"$tmp/flood"
start_as 65534 "$tmp/bin/bus-harness" flood >"$tmp/flood" 2>"$tmp/flood.err"
flood=$!
await 10 grep -q ready "$tmp/flood"
before_ms=$(rspd_cpu_ms) from_ms=$(now_ms) before_lost=$(number 's["lost"]')
root_is_served "a flood of the bus"
bus_ms=$(now_ms)
check "a flood of the bus: root gets answers on it" property Events
bus_ms=$(($(now_ms) - bus_ms))
check "a flood of the bus: the flood lasts" await 10 sh -c '[ $(($(date +%s%N) / 1000000 - $1)) -ge 3000 ]' - "$from_ms"
share=$((($(rspd_cpu_ms) - before_ms) * 100 / ($(now_ms) - from_ms)))
lost=$(($(number 's["lost"]') - before_lost))
end_client $flood
echo "# a flood of the bus: $share % of a CPU, $(tail -n 1 "$tmp/flood"), $lost lost, root's answer on the bus took $bus_ms ms"
check "a flood of the bus: the recorder uses little CPU time" test $share -lt 20
check "a flood of the bus: root gets an answer on it within 3 s" test $bus_ms -lt 3000

# rspd cannot find the cgroups of these units at the usual path, so it asks systemd.
cg_top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -z "$cg_top" ] || ! mkdir "$cg_top/rsp-odd-$$" 2>/dev/null; then
	skip "units that systemd reports" "cannot make cgroups of version 2"
else
	: >"$tmp/systemd"
	"$tmp/bin/bus-harness" systemd "odd-$$.service=/rsp-odd-$$" "gone.service=" >"$tmp/systemd" 2>&1 &
	client_pids="$client_pids $!"
	await 10 grep -q ready "$tmp/systemd"
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" 100000 5' - "$cg_top/rsp-odd-$$" "$tmp/bin/sleeper" >"$tmp/sleeper" &
	odd=$!
	client_pids="$client_pids $odd"
	is_found() {
		"$rspctl" snapshot --unit odd-$$ --last 5s >"$tmp/out" 2>&1
		grep -q "sleeper \[$odd\]" "$tmp/out"
	}
	check "a unit in another slice is found with systemd's answer" await 5 is_found
	for unit in gone none; do
		"$rspctl" snapshot --unit $unit >"$tmp/out" 2>&1
		check "a unit without a cgroup in systemd: $unit" grep -q "there is no unit $unit.service" "$tmp/out"
	done
	end_client $odd
	await 10 rmdir "$cg_top/rsp-odd-$$"
fi
end_well "bus"
unset DBUS_SYSTEM_BUS_ADDRESS
