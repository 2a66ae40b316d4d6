// SPDX-License-Identifier: GPL-2.0-or-later
//
// tests/web/all.js FILE…: runs the tests in these files in one process, so that they share one
// browser.

import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2))
	await import(pathToFileURL(file));
