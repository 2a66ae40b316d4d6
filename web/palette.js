// SPDX-License-Identifier: GPL-2.0-or-later
//
// Defines the colours of inks (scene.js). All colours of boxes are light enough for dark text, in
// the light and in the dark theme. The colours for the colour-blind follow Okabe and Ito.
import { INK, INKS } from "./scene.js";

export const CATEGORY_INK = Object.freeze({
	running_sampled: INK.run,
	running_unsampled: INK.run,
	disk_active: INK.disk,
	disk_queued: INK.queue,
	network: INK.network,
	runqueue: INK.runqueue,
	preempted: INK.runqueue,
	hardware: INK.interrupt,
	kernel: INK.interrupt,
	sleep: INK.timeout,
	timeout: INK.timeout,
	stopped: INK.timeout,
	other_path: INK.other,
	lost: INK.lost,
	unrecorded: INK.unknown,
	edge: INK.sleep,
	unaccounted: INK.unknown,
});

const USUAL_BOXES = {
	run: "#ee8478", sleep: "#8db8ec", both: "#9a7fd0", disk: "#82c680", queue: "#83d5de",
	network: "#35a396", other: "#f1d264", interrupt: "#f1a860", runqueue: "#f2aae0",
	timeout: "#86a0bd", mark: "#ef5bea", request: "#6f9fdf", slowRequest: "#e2574c",
};

const BLIND_BOXES = {
	run: "#e8834a", sleep: "#7fc4ee", both: "#b478ae", disk: "#3fb592", queue: "#a5e3d0",
	network: "#6f94dc", other: "#f3e85c", interrupt: "#eab03c", runqueue: "#888888",
	timeout: "#b5c48f", mark: "#ff4fb4", request: "#6f94dc", slowRequest: "#e8834a",
};

const LIGHT = {
	dark: false, background: "#ffffff", onBox: "#1b1d21",
	name: "#d6d9de", unknown: "#d9c9a0", lost: "#b08a72", faint: "#eff1f4",
	ownHead: "#d6d9de",
	text: "#1b1d21", muted: "#68707b", grid: "#e7e9ed", link: "rgba(70, 80, 96, 0.34)",
	event: "#7b2fbe",
};

const DARK = {
	dark: true, background: "#16181c", onBox: "#121316",
	name: "#a9aeb7", unknown: "#b0a072", lost: "#a07a64", faint: "#22252b",
	ownHead: "#434a55",
	text: "#e6e8eb", muted: "#979eaa", grid: "#2a2e35", link: "rgba(190, 200, 215, 0.34)",
	event: "#c99bff",
};

/** theme: "light" or "dark"; palette: "usual" or "blind". */
export function paletteOf(theme, palette) {
	const base = theme === "dark" ? DARK : LIGHT;
	const colours = { ...base, ...withShades(palette === "blind" ? BLIND_BOXES : USUAL_BOXES) };
	const all = INKS.map((name) => colours[name]);

	return {
		dark: base.dark,
		background: base.background,
		onBox: base.onBox,
		colours: all,
		busy: all.map((colour) => mixed(colour, base.background, 0.42)),
	};
}

function withShades(boxes) {
	return {
		...boxes, mostlyRun: mixed(boxes.run, boxes.both, 0.5),
		mostlySleep: mixed(boxes.sleep, boxes.both, 0.5),
	};
}

export function colourOf(palette, ink) {
	return palette.colours[ink];
}

/**
 * A box that represents many smaller boxes is paler, because the smaller boxes do not fill all of
 * its area.
 */
export function fillOf(palette, ink, marked, busy) {
	if (marked)
		return palette.colours[INK.mark];
	return busy ? palette.busy[ink] : palette.colours[ink];
}

/** The inks of backgrounds. Labels on them have the colour of the page's text. */
const BACKGROUNDS = [INK.faint, INK.grid, INK.ownHead];

export function labelColourOf(palette, ink) {
	return BACKGROUNDS.includes(ink) ? palette.colours[INK.text] : palette.onBox;
}

/** Sets the CSS variables of all inks, such as --ink-run. */
export function applyPalette(palette, style) {
	INKS.forEach((name, ink) => style.setProperty(`--ink-${name}`, palette.colours[ink]));
	style.setProperty("--on-box", palette.onBox);
}

function mixed(colour, other, share) {
	if (!colour.startsWith("#"))
		return colour;
	const parts = [1, 3, 5].map((at) => {
		const a = parseInt(colour.slice(at, at + 2), 16);
		const b = parseInt(other.slice(at, at + 2), 16);

		return Math.round(a + (b - a) * share).toString(16).padStart(2, "0");
	});

	return `#${parts.join("")}`;
}
