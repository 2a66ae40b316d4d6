# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # dir is the suite's
#
# Machines for tests: containers that boot systemd with this machine's files, an overlay of / whose changes stay in
# memory. A suite sets dir (an absolute path), sources this file after tests/lib.sh, and calls
#
#	machines_can_run	prints why this machine cannot run them, or nothing
#	machines_open		once; machines_close at the end, also after a failure
#	machine_make NAME	makes the files in $dir/NAME/mnt/root, which the suite may change
#	machine_boot NAME	boots; the console's output is in $dir/NAME/console
#	inside NAME COMMAND…	runs a command there
#
# A container is a PID namespace: rspd finds no binaries there (rspd(8)), so user stacks have no names. With cgroup
# version 1, it has no memory controller either.

machines_can_run() {
	[ "$(id -u)" -eq 0 ] || { echo "not root"; return; }
	for machines_tool in systemd-nspawn nsenter dpkg-deb; do
		command -v $machines_tool >/dev/null || { echo "there is no $machines_tool"; return; }
	done
	[ -r /sys/kernel/btf/vmlinux ] || echo "this kernel has no BTF, so rspd cannot record"
}

# machines_with_cgroup2 COMMAND…: systemd 258 and newer needs cgroup version 2. If it is not mounted at /sys/fs/cgroup,
# replaces the shell by COMMAND with version 2 mounted there. Only COMMAND sees this mount.
machines_with_cgroup2() {
	machines_version=$(systemd-nspawn --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
	[ "${machines_version:-0}" -ge 258 ] && [ ! -f /sys/fs/cgroup/cgroup.procs ] || return 0
	# shellcheck disable=SC2016 # for the shell within
	exec unshare --mount sh -c 'mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$@"
		echo "skip systemd: systemd '"$machines_version"' needs cgroup version 2"' - "$@"
}

# machines_open: makes a cgroup in each hierarchy, in which the containers make their own.
machines_open() {
	machines='' machines_groups=''
	for machines_top in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
		[ -f $machines_top/cgroup.procs ] || continue
		mkdir "$machines_top/rsp-tests-$$" && echo $$ >"$machines_top/rsp-tests-$$/cgroup.procs" || return 1
		machines_groups="$machines_groups $machines_top/rsp-tests-$$"
	done
}

machines_close() {
	for machine in $machines; do
		machine_stop "$machine"
		umount "$dir/$machine/mnt/root"
		umount "$dir/$machine/mnt"
	done
	for machines_group in $machines_groups; do
		echo $$ >"${machines_group%/*}/cgroup.procs"
		find "$machines_group" -depth -type d -exec rmdir {} +
	done
}

# machine_make NAME: without a machine ID, systemd would take the boot for the first boot, and enable all services.
machine_make() {
	machine_mnt=$dir/$1/mnt
	machines="$machines $1"
	mkdir -p "$machine_mnt" && mount -t tmpfs -o mode=755 rsp-tests "$machine_mnt" &&
		mkdir "$machine_mnt/upper" "$machine_mnt/work" "$machine_mnt/root" || return 1
	mount -t overlay -o "lowerdir=/,upperdir=$machine_mnt/upper,workdir=$machine_mnt/work" \
		rsp-tests "$machine_mnt/root" || return 1
	rm -rf "$machine_mnt"/root/etc/systemd/system/*.wants "$machine_mnt"/root/etc/rc?.d \
		"$machine_mnt/root/usr/sbin/policy-rc.d"
	tr -d - </proc/sys/kernel/random/uuid >"$machine_mnt/root/etc/machine-id"
	echo "$1" >"$machine_mnt/root/etc/hostname"
}

# machine_boot NAME: some kernels reject the system call filter of systemd-nspawn, so it is disabled; the filters of
# units stay.
machine_boot() {
	for machines_group in $machines_groups; do
		mkdir -p "$machines_group/$1" || return 1
	done
	(
		for machines_group in $machines_groups; do
			sh -c 'echo $PPID' >"$machines_group/$1/cgroup.procs"
		done
		SYSTEMD_SECCOMP=0 exec systemd-nspawn --quiet --directory="$dir/$1/mnt/root" --boot --register=no \
			--keep-unit --console=pipe --capability=all --link-journal=no --private-network --hostname="$1" \
			--machine="$1" systemd.unit=multi-user.target </dev/null >"$dir/$1/console" 2>&1
	) &
	echo $! >"$dir/$1/nspawn"
	await 60 machine_is_up "$1"
}

machine_init() {
	machine_nspawn=$(cat "$dir/$1/nspawn") &&
		cat "/proc/$machine_nspawn/task/$machine_nspawn/children" | tr -d ' '
}

inside() {
	machine_at=$(cat "$dir/$1/init")
	shift
	nsenter --target "$machine_at" --all -- "$@"
}

machine_is_up() {
	machine_init "$1" >"$dir/$1/init" 2>/dev/null && [ -s "$dir/$1/init" ] &&
		inside "$1" systemctl is-active -q multi-user.target 2>/dev/null
}

machine_is_gone() {
	! kill -0 "$1" 2>/dev/null
}

# SIGRTMIN+4 makes systemd power off the container.
machine_stop() {
	machine_nspawn=$(cat "$dir/$1/nspawn") && kill -0 "$machine_nspawn" 2>/dev/null || return
	[ ! -s "$dir/$1/init" ] || kill -s RTMIN+4 "$(cat "$dir/$1/init")"
	await 30 machine_is_gone "$machine_nspawn" || kill -KILL "$(cat "$dir/$1/init")" "$machine_nspawn"
	wait "$machine_nspawn"
}
