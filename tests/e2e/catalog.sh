# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016 # variables of tests/e2e/run
#
# Tests of the journal's catalog: it has exactly one entry for each message ID.

if ! command -v journalctl >/dev/null; then
	skip "message catalog" "needs journalctl"
	return
fi

catalog_root=$tmp/catalog-root
mkdir -p "$catalog_root/usr/lib/systemd/catalog"
cp systemd/rsp.catalog "$catalog_root/usr/lib/systemd/catalog/"
check "systemd can read the catalog" sh -c \
	'message=$(journalctl --root="$1" --update-catalog 2>&1) && [ -z "$message" ]' sh "$catalog_root"
journalctl --root="$catalog_root" --list-catalog 2>/dev/null | cut -d ' ' -f 1 | sort >"$tmp/catalog-has"
sed -n 's/^#define RSP_ID_.*"\(.*\)"$/\1/p' daemon/base/journal-ids.h | sort >"$tmp/catalog-wanted"
check "there are message IDs" test -s "$tmp/catalog-wanted"
check "message IDs are 128 bits" sh -c '! grep -vx "[0-9a-f]\{32\}" "$1"' sh "$tmp/catalog-wanted"
check "message IDs are unique" test -z "$(uniq -d "$tmp/catalog-wanted")"
check "the catalog has entries for all message IDs, and no others" \
	diff "$tmp/catalog-wanted" "$tmp/catalog-has"

# An @NAME@ in a text of the catalog stands for a field of the journal entry.
fields_of_catalog() {
	grep -o '@[A-Z_]*@' systemd/rsp.catalog | tr -d @ | sort -u
}
for field in $(fields_of_catalog); do
	check "the catalog's field $field occurs in the journal" grep -q "\"${field}[\"=]" daemon/base/journal.c
done
