// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts the viewer with the recording that the page contains.
import { App } from "./app.js";
import { openRecording } from "./data/recording.js";
import { el } from "./dom.js";

async function main() {
	const root = document.getElementById("app");
	const text = document.getElementById("recording");

	try {
		const rec = await openRecording(text.textContent);

		// Frees the text, which is as large as the recording.
		text.remove();
		// Tests, and users of the browser's console, use this variable.
		globalThis.rsp = new App(rec, root);
	} catch (error) {
		console.error(error);
		root.replaceChildren(el("p", { class: "failure", role: "alert" },
					`This recording cannot be shown: ${error.message}.`));
	}
}

main();
