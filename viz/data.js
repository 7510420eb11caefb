// SPDX-License-Identifier: Apache-2.0
// Reads the data of pictures; src/pictures/picture.h says what they look like.

const VALUES = new Uint8Array(128);
for (let i = 0; i < 64; i++)
	VALUES['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;

// Returns the numbers of a list.
export function readNumbers(text) {
	const numbers = [];
	let value = 0, unit = 1;
	for (let i = 0; i < text.length; i++) {
		const digit = VALUES[text.charCodeAt(i)];
		value += (digit & 31) * unit;
		if (digit & 32) {
			unit *= 32;
		} else {
			numbers.push(value);
			value = 0;
			unit = 1;
		}
	}
	return numbers;
}

// Bytes that are not UTF-8 are characters of the private area (docs/json.md); shows them as \xNN, like control characters.
export function shownText(text) {
	return text.replace(/[\u0000-\u001f\u007f-\u009f\uef80-\uefff]/g, c => {
		const byte = c.charCodeAt(0) & 0xff;
		return '\\x' + byte.toString(16).padStart(2, '0');
	});
}

// The order of enum frame_kind.
export const KINDS = ['key', 'kernel', 'library', 'program', 'interpreted', 'baseline', 'jit', 'inlined', 'unknown'];

// Returns [{name, object, file, line, kind}, ...].
export function readFrames(frames) {
	const numbers = readNumbers(frames.list);
	const names = frames.names.map(name => shownText(name) || '(empty)');
	const objects = frames.objects.map(shownText);
	const files = frames.files.map(shownText);
	const list = [];
	for (let i = 0; i < numbers.length; i += 5)
		list.push({
			name: names[numbers[i]],
			object: objects[numbers[i + 1]],
			file: files[numbers[i + 2]],
			line: numbers[i + 3],
			kind: KINDS[numbers[i + 4]],
		});
	return list;
}
