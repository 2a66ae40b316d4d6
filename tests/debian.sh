# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Gets packages of any release of Debian from the archive that apt is configured to use. A script sources this file. Apt
# uses a separate configuration in a directory of the caller, so nothing is installed, and the machine's configuration
# does not change. Functions that fail print the reason to stderr.
#
#	debian_open "$dir/apt" sid && debian_unpack hello "$dir/files" && debian_close

debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg

# debian_sources FORMAT…: uses the package lists that apt has already downloaded.
debian_sources() {
	apt-get indextargets --format "$@" 'Created-By: Packages' 'Origin: Debian' | sort -u
}

debian_own_suites() {
	# shellcheck disable=SC2016 # apt's variable
	debian_sources '$(CODENAME)' | paste -sd , -
}

# debian_write_sources SUITES: writes a sources.list. Suites with security updates are in a separate archive; they are
# left out if apt has no source of it.
debian_write_sources() {
	# shellcheck disable=SC2016 # apt's variable
	debian_main=$(debian_sources '$(REPO_URI)' 'Label: Debian' | head -n 1)
	# shellcheck disable=SC2016
	debian_security=$(debian_sources '$(REPO_URI)' 'Label: Debian-Security' | head -n 1)
	[ -n "$debian_main" ] || { echo "apt has no source of Debian's packages" >&2 && return 1; }
	for debian_suite in $(echo "$1" | tr , ' '); do
		case $debian_suite in
		*-security) debian_archive=$debian_security ;;
		*) debian_archive=$debian_main ;;
		esac
		[ -z "$debian_archive" ] || echo "deb [signed-by=$debian_keys] $debian_archive $debian_suite main"
	done >"$debian_dir/sources.list"
}

# debian_open DIR SUITES: lets apt read the packages of SUITES (separated by commas; "own": the machine's suites).
# Empties DIR first.
debian_open() {
	for debian_tool in apt-get dpkg-deb; do
		command -v $debian_tool >/dev/null || { echo "there is no $debian_tool" >&2 && return 1; }
	done
	[ -r $debian_keys ] || { echo "Debian's keys are not in $debian_keys" >&2 && return 1; }
	rm -rf "$1"
	mkdir -p "$1/lists/partial" "$1/cache/archives/partial" && debian_dir=$(cd "$1" && pwd) || return 1
	[ -n "$(debian_own_suites)" ] || apt-get -qq update >&2
	[ "$2" != own ] || set -- "$1" "$(debian_own_suites)"
	debian_write_sources "$2" || return 1
	debian_apt apt-get update --error-on=any -o Acquire::Languages=none >&2 ||
		{ echo "apt cannot read $2" >&2 && return 1; }
}

debian_apt() {
	debian_tool=$1
	shift
	"$debian_tool" -qq -o Dir::State="$debian_dir" -o Dir::State::lists="$debian_dir/lists" \
		-o Dir::State::status=/dev/null -o Dir::Cache="$debian_dir/cache" \
		-o Dir::Etc::sourcelist="$debian_dir/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o APT::Sandbox::User=root "$@"
}

debian_has() {
	debian_apt apt-cache show "$1" >/dev/null 2>&1
}

debian_version() {
	debian_apt apt-cache show "$1" | sed -n 's/^Version: //p' | head -n 1
}

# debian_unpack PACKAGE DIR [MEMBER…]: MEMBER (./usr/…) limits the unpacked files.
debian_unpack() {
	debian_package=$1 debian_to=$2
	shift 2
	(cd "$debian_dir" && debian_apt apt-get download "$debian_package") >&2 &&
		mkdir -p "$debian_to" &&
		dpkg-deb --fsys-tarfile "$debian_dir/$debian_package"_*.deb | tar -x -C "$debian_to" "$@" ||
		{ echo "cannot get $debian_package" >&2 && return 1; }
	rm -f "$debian_dir/$debian_package"_*.deb
}

debian_close() {
	rm -rf "$debian_dir"
}
