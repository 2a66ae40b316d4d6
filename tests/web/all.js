// SPDX-License-Identifier: GPL-2.0-or-later
//
// tests/web/all.js FILE…: the tests of these files in one process, so that one browser serves all.

import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2))
	await import(pathToFileURL(file));
