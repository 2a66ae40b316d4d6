/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Embeds the statements that make the tables in ClickHouse, one file for each version of the
 * schema.
 */
#include "lib/base/embed.h"

embed rsp_schema_rows "export/schema/001-rows.sql"
embed rsp_schema_hours "export/schema/002-hours.sql"
embed rsp_schema_ttl "export/schema/003-ttl.sql"
embed rsp_schema_dedup "export/schema/004-dedup.sql"
