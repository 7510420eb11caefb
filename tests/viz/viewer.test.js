// SPDX-License-Identifier: Apache-2.0
// Names, searching, numbers and colours, and the joined script.
// @needs node
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';
import {KINDS, readFrames, shownText} from '../../viz/data.js';
import {formatNumber, formatShare} from '../../viz/format.js';
import {growthColour, KIND_LABELS, warmColour} from '../../viz/palette.js';
import {fullName, makeMatcher} from '../../viz/search.js';

const top = new URL('../../', import.meta.url).pathname;
const frame = (name, object = '') => ({name, object, file: '', line: 0, kind: 'program'});

test('bytes and control characters are shown as numbers', () => {
	assert.equal(shownText('a\u0000\u001b\u007f\u0085\uef80\uefff\ud83d\ude00'), 'a\\x00\\x1b\\x7f\\x85\\x80\\xff\ud83d\ude00');
});

test('frames', () => {
	const frames = readFrames({names: ['f', 'operator<<'], objects: ['', 'a.so'], files: ['', 'x.c'], list: 'BBBqBC' + 'AAAAB'});
	assert.deepEqual(frames, [{name: 'operator<<', object: 'a.so', file: 'x.c', line: 42, kind: 'library'},
		{name: 'f', object: '', file: '', line: 0, kind: 'kernel'}]);
	assert.equal(fullName(frames[0]), 'a.so`operator<<');
});

test('a search is text or an expression', () => {
	const finds = (text, name, object) => makeMatcher(text)(frame(name, object));
	assert.ok(finds('std::function<void ()>', 'std::function<void ()>::operator()'));
	assert.ok(finds('operator<<', 'operator<<'));
	assert.ok(finds('^malloc$', 'malloc', 'libc.so.6') && !finds('^malloc$', 'mallocx'));
	assert.ok(finds('^libc.*alloc', 'malloc', 'libc.so.6'));
	assert.ok(finds('MALLOC'.toLowerCase(), 'Malloc') && !finds('Malloc', 'malloc'));
	assert.ok(finds('a(', 'a(b') && makeMatcher('a(').isText && !makeMatcher('a').isText);
});

test('numbers', () => {
	assert.equal(formatNumber(1234567.25), '1,234,567.3');
	assert.deepEqual([formatShare(1, 3), formatShare(0, 3), formatShare(1, 1e6), formatShare(1, 0)], ['33.33 %', '0.00 %', '< 0.01 %', '0.00 %']);
});

test('colours by name are warm, and the same each time', () => {
	for (const name of ['', 'main', 'operator<<', 'x'.repeat(4096)]) {
		const [, hue, saturation] = /^light-dark\(hsl\((\d+) (\d+)% 70%\), hsl\(\1 \2% 24%\)\)$/.exec(warmColour(name));
		assert.ok(hue < 56 && saturation >= 70 && saturation < 96);
		assert.equal(warmColour(name), warmColour(name));
	}
	assert.equal(growthColour(-0.5), 'color-mix(in srgb, var(--shrunk) 50%, var(--same))');
});

function luminance(colour) {
	const [r, g, b] = [16, 8, 0].map(shift => (colour >> shift & 255) / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

// Returns 0xrrggbb.
function hsl(hue, saturation, lightness) {
	const channel = n => {
		const k = (n + hue / 30) % 12, a = saturation * Math.min(lightness, 1 - lightness);
		return Math.round(255 * (lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
	};
	return channel(0) << 16 | channel(8) << 8 | channel(4);
}

test('text can be read on the colours by name', () => {
	for (let hue = 0; hue < 56; hue++)
		for (const saturation of [0.7, 0.95]) {
			assert.ok(contrast(hsl(hue, saturation, 0.7), 0x15161a) >= 4.5);
			assert.ok(contrast(hsl(hue, saturation, 0.24), 0xf4f4f2) >= 4.5);
		}
});

test('the palette has all kinds in order, and text can be read on each colour', () => {
	const rows = [...readFileSync(top + 'src/pictures/palette.def', 'utf8').matchAll(/^PALETTE\((\w+), (\w+), (\w+)\)$/gm)];
	const names = rows.map(row => row[1]), text = rows[names.indexOf('text')];
	assert.deepEqual(names.slice(0, KINDS.length), KINDS);
	assert.deepEqual(Object.keys(KIND_LABELS), KINDS);
	const kinds = readFileSync(top + 'src/formats/stack_tree.h', 'utf8').match(/enum frame_kind \{([^}]*)FRAME_KINDS/)[1];
	assert.deepEqual(kinds.match(/FRAME_\w+/g).map(name => name.slice(6).toLowerCase()), KINDS);
	for (const row of rows)
		for (const theme of [2, 3])
			if (row !== text)
				assert.ok(contrast(Number(row[theme]), Number(text[theme])) >= 4.5, `${row[1]}: ${contrast(Number(row[theme]), Number(text[theme]))}`);
});

for (const main of ['viz/main.js', 'viz/demo.js'])
	test(main + ', joined, has every module once, and is a script', () => {
		const script = execFileSync(top + 'viz/embed', [top + main], {encoding: 'utf8'});
		assert.doesNotThrow(() => new vm.Script(script));
		assert.ok(!/^(import|export) /m.test(script));
		assert.ok(!script.includes('</'), 'it would end its element');
		assert.equal(script.match(/^function addUp\(/gm).length, 1);
	});

test('nothing parses text as markup or asks the network', () => {
	for (const file of readdirSync(top + 'viz').filter(name => name.endsWith('.js'))) {
		const text = readFileSync(top + 'viz/' + file, 'utf8');
		assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(/.test(text), file);
		// these two pages come from a server of dtrace
		if (file !== 'live.js' && file !== 'fleet.js')
			assert.ok(!/fetch\(|XMLHttpRequest|EventSource|WebSocket|sendBeacon/.test(text), file);
	}
});
