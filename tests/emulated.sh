# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # build is the suite's
#
# Emulated machines for tests: a kernel of tests/vm/kernels and an initramfs with rspd, rspctl, rsp-worker and the files
# of a suite. A suite sets build, sources this file, and calls
#
#	emulated_can_run		prints why this machine cannot emulate one, or nothing
#	emulated_root ROOT PROGRAM…	begins the files of a machine; /tests contains the PROGRAMs
#	emulated_libraries ROOT FILE…	adds the libraries with which FILEs are linked
#	emulated_archive ROOT FILE	makes an initramfs
#	emulated_boot DIR KERNEL SECONDS INITRAMFS APPEND OPTION…
#
# The machine runs /tests/guest (see tests/vm/init), which leaves its results in a directory.

emulated_files=$(dirname "$0")/../vm

emulated_can_run() {
	[ "$(uname -m)" = x86_64 ] || { echo "the kernel to boot is for x86_64"; return; }
	for emulated_tool in qemu-system-x86_64 cpio; do
		command -v $emulated_tool >/dev/null || { echo "there is no $emulated_tool"; return; }
	done
}

emulated_libraries() {
	emulated_to=$1
	shift
	for file; do
		ldd "$file" 2>/dev/null | grep -o '/[^ ]*'
	done | sort -u | while read -r library; do
		mkdir -p "$emulated_to$(dirname "$library")"
		cp -L "$library" "$emulated_to$library"
	done
}

emulated_root() {
	emulated_to=$1
	shift
	rm -rf "$emulated_to"
	for emulated_sub in bin rsp tests etc proc sys dev tmp run var modules; do
		mkdir -p "$emulated_to/$emulated_sub" || return 1
	done
	cp "$(command -v busybox)" "$emulated_to/bin/" &&
		cp "$build/rspd" "$build/rsp-worker" "$build/rspctl" "$emulated_to/rsp/" &&
		cp "$emulated_files/init" "$emulated_to/init" &&
		cp "$@" "$emulated_to/tests/" &&
		echo 'root:x:0:0::/:/bin/sh' >"$emulated_to/etc/passwd" &&
		echo 'root:x:0:' >"$emulated_to/etc/group" &&
		emulated_libraries "$emulated_to" "$emulated_to"/bin/* "$emulated_to"/rsp/* "$emulated_to"/tests/*
}

emulated_archive() {
	(cd "$1" && find . | cpio --quiet -o -H newc) >"$2"
}

# emulated_boot DIR KERNEL SECONDS INITRAMFS APPEND OPTION…: boots the kernel in the directory KERNEL (see
# tests/vm/kernel). DIR/disk is the machine's first disk; DIR/console gets the machine's output, and DIR/results its
# results.
#
# The emulator uses one thread for both CPUs: with a thread for each CPU, some machines hung while the kernel removed
# probes.
#
# Without tsc=reliable, the kernel would use the HPET, which is slow. Without no_timer_check, the kernel panics if a
# busy host delays its first timer interrupts.
emulated_boot() {
	emulated=$1 emulated_kernel=$2 emulated_s=$3 emulated_initramfs=$4 emulated_append=$5
	shift 5
	rm -rf "$emulated/results" "$emulated/results.tar" "$emulated/console"
	mkdir -p "$emulated/results"
	# The kernel unpacks concatenated archives.
	{
		cat "$emulated_initramfs"
		(cd "$emulated_kernel" && find modules | cpio --quiet -o -H newc)
	} >"$emulated/initramfs"
	truncate -s 256M "$emulated/results.tar"
	timeout "$emulated_s" qemu-system-x86_64 -accel tcg,thread=single -cpu max -smp 2 -m 1G \
		-display none -monitor none -nic none -no-reboot \
		-drive "if=virtio,format=raw,file=$emulated/disk" \
		-drive "if=virtio,format=raw,file=$emulated/results.tar" \
		-serial "file:$emulated/console" "$@" \
		-kernel "$emulated_kernel"/vmlinuz-* -initrd "$emulated/initramfs" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable clocksource=tsc no_timer_check $emulated_append"
	emulated_status=$?
	rm -f "$emulated/disk" "$emulated/initramfs"
	if [ $emulated_status -ne 0 ]; then
		tail -n 20 "$emulated/console" >&2
		[ $emulated_status -ne 124 ] || echo "the machine did not turn itself off within $emulated_s s"
		[ $emulated_status -eq 124 ] || echo "the emulator ended with status $emulated_status"
		return 1
	fi
	tar -C "$emulated/results" -xf "$emulated/results.tar" && [ -s "$emulated/results/release" ] ||
		{ echo "the machine left no results: see $emulated/console"; return 1; }
}
