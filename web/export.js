// SPDX-License-Identifier: GPL-2.0-or-later
//
// Saves the visible picture as an SVG or PNG file.
import { el } from "./dom.js";
import { CanvasPen } from "./pen-canvas.js";
import { svgOf } from "./pen-svg.js";

const SVG_HEIGHT_MAX = 20_000;
/** In px of the picture; browsers limit the size of a canvas. */
const PNG_HEIGHT_MAX = 4096;
const PNG_SCALE = 2;

export function exportSvg(stage, palette, name) {
	const { layers, width, height } = stage.layers(SVG_HEIGHT_MAX);
	const svg = svgOf(layers, width, height, palette);

	save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

export function exportPng(stage, palette, name) {
	const { layers, width, height } = stage.layers(PNG_HEIGHT_MAX);
	const canvas = el("canvas");
	const pen = new CanvasPen(canvas);

	pen.begin(width, height, PNG_SCALE, palette);
	for (const { scene, dy } of layers)
		pen.paint(scene, dy);
	canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}

function save(blob, name) {
	const url = URL.createObjectURL(blob);

	el("a", { href: url, download: name }).click();
	// The browser reads the URL only after this function has returned.
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
