# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016 # variables of tests/e2e/run
#
# Cases of the journal's catalog: systemd understands it, and it has an entry for each ID, no more.

if ! command -v journalctl >/dev/null; then
	skip "message catalog" "needs journalctl"
	return
fi

catalog_root=$tmp/catalog-root
mkdir -p "$catalog_root/usr/lib/systemd/catalog"
cp systemd/rsp.catalog "$catalog_root/usr/lib/systemd/catalog/"
check "systemd takes the catalog" sh -c \
	'message=$(journalctl --root="$1" --update-catalog 2>&1) && [ -z "$message" ]' sh "$catalog_root"
journalctl --root="$catalog_root" --list-catalog 2>/dev/null | cut -d ' ' -f 1 | sort >"$tmp/catalog-has"
sed -n 's/^#define RSP_ID_.*"\(.*\)"$/\1/p' daemon/journal-ids.h | sort >"$tmp/catalog-wanted"
check "there are message IDs" test -s "$tmp/catalog-wanted"
check "message IDs are 128 bits" sh -c '! grep -vx "[0-9a-f]\{32\}" "$1"' sh "$tmp/catalog-wanted"
check "no message ID is there twice" test -z "$(uniq -d "$tmp/catalog-wanted")"
check "each message ID has its catalog entry, and no other has" \
	diff "$tmp/catalog-wanted" "$tmp/catalog-has"

# What a text refers to with @NAME@ is a field that an entry can have.
fields_of_catalog() {
	grep -o '@[A-Z_]*@' systemd/rsp.catalog | tr -d @ | sort -u
}
for field in $(fields_of_catalog); do
	check "the catalog's field $field is one of the journal's" grep -q "\"${field}[\"=]" daemon/journal.c
done
