# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# rspctl fleet and a real clickhouse-server, with a synthetic fleet.

"$here/queries" "$build"
