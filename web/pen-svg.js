// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes scenes as the text of an SVG file.
import { BUSY, INK, MARKED } from "./scene.js";
import { colourOf, fillOf, labelColourOf } from "./palette.js";
import { LABEL_FONT, LABEL_PADDING, LABEL_PX, fittedLabel } from "./label.js";

const ANCHORS = { left: "start", center: "middle", right: "end" };

/** layers: [{scene, dy}, …], painted in this order. */
export function svgOf(layers, width, height, palette) {
	const parts = [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
		` viewBox="0 0 ${width} ${height}" style='font:${LABEL_FONT}'>\n`,
		`<rect width="100%" height="100%" fill="${palette.background}"/>\n`,
	];

	for (const { scene, dy } of layers)
		parts.push(`<g transform="translate(0 ${dy})">\n`,
			   ...svgLines(scene.lines, palette, (ink) => ink === INK.grid),
			   ...svgBoxes(scene.boxes, palette),
			   ...svgLines(scene.lines, palette, (ink) => ink !== INK.grid),
			   ...svgTexts(scene.texts, palette), "</g>\n");
	parts.push("</svg>\n");
	return parts.join("");
}

function svgBoxes({ x, y, w, h, ink, label, flags }, palette) {
	return x.map((left, i) => {
		const fill = fillOf(palette, ink[i], flags[i] & MARKED, flags[i] & BUSY);
		const width = Math.max(w[i] - (w[i] >= 3 ? 0.5 : 0), 0.5);
		const begin = Math.max(left, 0);
		const text = fittedLabel(label[i], left + w[i] - begin, roughWidth);
		const box = `<rect x="${svgNumber(left)}" y="${svgNumber(y[i])}"` +
			` width="${svgNumber(width)}" height="${svgNumber(h[i])}"` +
			` fill="${fill}">${svgTitle(label[i])}</rect>\n`;

		return text ? box + svgText(begin + LABEL_PADDING, y[i] + h[i] / 2, text, "left",
					    labelColourOf(palette, ink[i]))
			    : box;
	});
}

function svgTitle(label) {
	return label ? `<title>${escaped(label)}</title>` : "";
}

function svgLines({ x1, y1, x2, y2, ink }, palette, wanted) {
	const parts = [];

	for (let i = 0; i < x1.length; i++) {
		if (!wanted(ink[i]))
			continue;
		// The middle of a dot, as on the canvas.
		const upright = x1[i] === x2[i] ? 0.5 : 0;
		const from = `${svgNumber(x1[i] + upright)} ${svgNumber(y1[i])}`;
		const to = `${svgNumber(x2[i] + upright)} ${svgNumber(y2[i])}`;

		parts.push(`<path d="M${from}L${to}" stroke="${colourOf(palette, ink[i])}"/>\n`);
	}
	return parts;
}

function svgTexts({ x, y, text, ink, align }, palette) {
	return x.map((at, i) => svgText(at, y[i], text[i], align[i], colourOf(palette, ink[i])));
}

function svgText(x, y, text, align, colour) {
	// dominant-baseline would centre the text, but many SVG programs do not support it.
	return `<text x="${svgNumber(x)}" y="${svgNumber(y + LABEL_PX * 0.36)}" fill="${colour}"` +
		` text-anchor="${ANCHORS[align]}">${escaped(text)}</text>\n`;
}

/** The computer that shows the file may use a wider font, so the estimate is generous. */
function roughWidth(text) {
	return text.length * LABEL_PX * 0.58;
}

function svgNumber(px) {
	return Math.round(px * 100) / 100;
}

function escaped(text) {
	// XML does not allow control characters, not even escaped.
	return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd")
		.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
		.replace(/"/g, "&quot;");
}
