// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes the text of the recording in the page to columns of numbers and strings
// (docs/viewer-format.md).

export async function unpacked(text) {
	const packed = bytesOfSeptets(text);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

const ESCAPE = 1;
const ESCAPE_XOR = 64;

/** Converts characters of seven bits each to bytes. */
export function bytesOfSeptets(text) {
	const bytes = new Uint8Array((text.length * 7) >> 3);
	let length = 0, bits = 0, bitCount = 0;

	for (let i = 0; i < text.length; i++) {
		let code = text.charCodeAt(i);

		if (code === ESCAPE)
			code = text.charCodeAt(++i) ^ ESCAPE_XOR;
		bits = (bits << 7) | code;
		bitCount += 7;
		if (bitCount >= 8) {
			bitCount -= 8;
			bytes[length++] = bits >> bitCount;
			bits &= 0xff;
		}
	}
	return bytes.subarray(0, length);
}

/** Splits the decompressed bytes into {head, columns}; columns: {name: array}. */
export function columnsOf(payload) {
	const headLength = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(payload.subarray(4, 4 + headLength)));
	const columns = {};
	let offset = 4 + headLength;

	for (const { name, type, count, bytes } of head.columns) {
		if (offset + bytes > payload.length)
			throw new Error(`the recording ends within ${name}`);
		columns[name] = decoded(type, count, payload.subarray(offset, offset + bytes));
		offset += bytes;
	}
	return { head, columns };
}

export function decoded(type, count, bytes) {
	switch (type) {
	case "text":
		return strings(bytes, count);
	case "u":
		return numbers(bytes, count);
	case "s":
		return signed(numbers(bytes, count));
	case "d":
		return summed(signed(numbers(bytes, count)));
	default:
		throw new Error(`a column of unknown type ${type}`);
	}
}

function strings(bytes, count) {
	return new TextDecoder().decode(bytes).split("\0", count);
}

/**
 * Reads the numbers of a column: first come the lowest bytes of all numbers, then the second lowest
 * bytes, and so on.
 */
function numbers(bytes, count) {
	if (bytes.length === count)
		return bytes;
	return bytes.length <= 4 * count ? smallNumbers(bytes, count) : largeNumbers(bytes, count);
}

function smallNumbers(bytes, count) {
	const values = new Uint32Array(count);
	const [a, b, c, d] = [0, 1, 2, 3].map((plane) => plane * count < bytes.length
		? bytes.subarray(plane * count, (plane + 1) * count) : new Uint8Array(count));

	for (let i = 0; i < count; i++)
		values[i] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
	return values;
}

/** JavaScript's bit operations have only 32 bits, so the upper bits are added as doubles. */
function largeNumbers(bytes, count) {
	const low = smallNumbers(bytes.subarray(0, 4 * count), count);
	const values = new Float64Array(low);

	for (let plane = 4 * count, unit = 2 ** 32; plane < bytes.length; plane += count, unit *= 256)
		for (let i = 0; i < count; i++)
			values[i] += bytes[plane + i] * unit;
	return values;
}

function signed(zigzag) {
	const values = new Float64Array(zigzag.length);

	// Divisions are far slower than bit operations, but bit operations have only 32 bits.
	if (zigzag instanceof Float64Array)
		for (let i = 0; i < values.length; i++) {
			const half = Math.floor(zigzag[i] / 2);

			values[i] = half * 2 === zigzag[i] ? half : -half - 1;
		}
	else
		for (let i = 0; i < values.length; i++)
			values[i] = (zigzag[i] >>> 1) ^ -(zigzag[i] & 1);
	return values;
}

function summed(values) {
	for (let i = 1; i < values.length; i++)
		values[i] += values[i - 1];
	return values;
}
