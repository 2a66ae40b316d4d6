// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text in the page -> bytes -> columns of numbers and strings (docs/viewer-format.md).

/** base64 of a zlib stream -> Uint8Array of what was packed. */
export async function unpacked(base64) {
	const packed = bytesOfBase64(base64);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOfBase64(base64) {
	const text = atob(base64.trim());
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

/** A payload -> {head, columns}; columns: name -> array of numbers or strings. */
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

/** The values of one column. */
export function decoded(type, count, bytes) {
	switch (type) {
	case "text":
		return strings(bytes, count);
	case "b":
		return bytes;
	case "u":
		return unsignedValues(bytes, count);
	case "s":
		return signed(unsignedValues(bytes, count));
	case "d":
		return summed(signed(unsignedValues(bytes, count)));
	default:
		throw new Error(`a column of unknown type ${type}`);
	}
}

function strings(bytes, count) {
	return new TextDecoder().decode(bytes).split("\0", count);
}

/** Values below 2⁵³: bits beyond the 28th are added as doubles, which shifts could not hold. */
function unsignedValues(bytes, count) {
	const values = new Float64Array(count);
	let at = 0;

	for (let i = 0; i < count; i++) {
		let byte = bytes[at++];
		let value = byte & 0x7f;

		for (let unit = 128; byte & 0x80; unit *= 128) {
			byte = bytes[at++];
			value += (byte & 0x7f) * unit;
		}
		values[i] = value;
	}
	return values;
}

function signed(values) {
	for (let i = 0; i < values.length; i++) {
		const value = values[i];

		values[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
	}
	return values;
}

function summed(values) {
	for (let i = 1; i < values.length; i++)
		values[i] += values[i - 1];
	return values;
}
