// SPDX-License-Identifier: Apache-2.0
// Heat maps: reading, coarser columns, shades, hidden keys, hues, regions, axes and colours.
// @needs node
import assert from 'node:assert/strict';
import test from 'node:test';
import {BACKGROUNDS, HUES, packRamp, rampOf} from '../../viz/heat_colour.js';
import {
	buildLevels, hueOf, isSameTicks, lowerBound, pickLevel, readHeat, readTicks, SHADES, shadesOf, sumKeys, sumRegion, sumRows, sumStacks,
	sumTimes,
} from '../../viz/heat_data.js';
import {columnAt} from '../../viz/heat_input.js';
import {formatBounds, formatClock, formatShort, formatSpan, timeTicks} from '../../viz/heat_text.js';
import {readGraph} from '../../viz/tree.js';

process.env.TZ = 'UTC';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The list of numbers that src/pictures/picture.h describes.
function list(...numbers) {
	let text = '';
	for (let n of numbers.flat()) {
		for (; n > 31; n = Math.floor(n / 32))
			text += DIGITS[32 | n % 32];
		text += DIGITS[n];
	}
	return text;
}

// Three columns with a gap before the last one; series: keys a, keys b, keys a with another stack.
const MAP = {
	name: 'x', function: 'quantize', shows: 'printed', negative: 0, graph: 0, start: '1700000000000000000',
	columns: list(0, 1e9, 0, 1e9, 5e8, 1e9), rows: [['0', '0'], ['1', '1'], ['2', '3']], keys: [['a', '1'], ['b\u0001', '2']],
	series: list(0, 1, 1, 2, 0, 2), cells: list(0, 3, 0, 0, 5, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 100),
};

test('reading', () => {
	const heat = readHeat(MAP);
	assert.equal(heat.start, 1700000000000000000n);
	assert.deepEqual([...heat.starts], [0, 1e9, 2.5e9]);
	assert.deepEqual([...heat.ends], [1e9, 2e9, 3.5e9]);
	assert.deepEqual([...heat.first], [0, 3, 3, 4]);
	assert.deepEqual([...heat.rows], [0, 0, 2, 1]);
	assert.deepEqual([...heat.series], [0, 1, 2, 1]);
	assert.deepEqual([...heat.counts], [5, 2, 1, 100]);
	assert.deepEqual(heat.keys[1], ['b\\x01', '2']);
	assert.deepEqual([[...heat.keysOf], [...heat.stackOf]], [[0, 1, 0], [1, 2, 2]]);
});

test('cells are sums over the keys that are shown', () => {
	const heat = readHeat(MAP), [all] = buildLevels(heat), [b] = buildLevels(heat, {shown: [false, true]});
	assert.deepEqual([[...all.first], [...all.rows], [...all.counts]], [[0, 2, 2, 3], [0, 2, 1], [7, 1, 100]]);
	assert.deepEqual([[...b.first], [...b.rows], [...b.counts]], [[0, 1, 1, 2], [0, 1], [2, 100]]);
});

test('a cell has the hue of the keys with the largest part of it', () => {
	const [level] = buildLevels(readHeat(MAP), {hues: [3, 0], nhues: 4});
	assert.deepEqual([0, 1, 2].map(cell => hueOf(level, cell)), [3, 3, 0]);
});

// COLUMNS of 10 ms, each with cells in rows ROW and ROW + 1.
function large(columns) {
	const cells = [];
	for (let i = 0; i < columns; i++)
		cells.push(i ? 1 : 0, 2, i % 63, 0, 1 + i % 7, i % 63 + 1, 0, 2);
	return readHeat({
		...MAP, columns: list(Array(columns).fill([0, 1e7]).flat()), keys: [[]], series: list(0, 0), cells: list(cells),
		rows: Array.from({length: 64}, (none, i) => [String(i), String(i)]),
	});
}

test('coarser columns have the same counts', () => {
	const heat = large(5000), levels = buildLevels(heat), whole = heat.counts.reduce((a, b) => a + b);
	assert.ok(levels.length > 3 && levels[levels.length - 1].columns <= 512);
	for (const level of levels) {
		assert.equal(level.counts.reduce((a, b) => a + b), whole);
		assert.equal(level.first[level.columns], level.cells);
		assert.equal(level.from[level.columns], 5000);
		assert.equal(level.starts[0], 0);
		assert.equal(level.ends[level.columns - 1], 5e10);
		for (let i = 1; i < level.columns; i++)
			assert.ok(level.starts[i] === level.ends[i - 1] && level.from[i] > level.from[i - 1]);
	}
	assert.equal(levels[1].columns, 2500);
	assert.equal(pickLevel(levels, 1e6), levels[0]);
	assert.equal(pickLevel(levels, 2.1e7), levels[1]);
	assert.equal(pickLevel(levels, 1e15), levels[levels.length - 1]);
});

test('an hour of 10 ms columns with 64 rows is ready in seconds', () => {
	const heat = large(360000), start = performance.now(), levels = buildLevels(heat);
	for (const level of levels)
		shadesOf(level, 'rank');
	assert.ok(performance.now() - start < 5000 * (process.env.TIMEOUT_SCALE || 1));
	assert.equal(heat.counts.length, 720000);
});

test('shades are those of view/heat.h', () => {
	const level = {counts: Float64Array.of(1, 1, 10, 100, 1000), shades: {}};
	assert.deepEqual([...shadesOf(level, 'rank')], [1, 1, 128, 191, 255]);
	assert.deepEqual([...shadesOf(level, 'linear')], [1, 1, 3, 26, 255]);
	assert.deepEqual([...shadesOf({counts: Float64Array.of(4, 4), shades: {}}, 'rank')], [1, 1]);
	assert.deepEqual([...shadesOf({counts: new Float64Array(), shades: {}}, 'rank')], []);
});

test('regions', () => {
	const heat = readHeat(MAP), shown = [true, true], whole = {from: 0, to: 3, low: 0, high: 2};
	assert.deepEqual([...sumRegion(heat, whole, shown)], [5, 102, 1]);
	assert.deepEqual([...sumRegion(heat, {from: 0, to: 1, low: 0, high: 0}, shown)], [5, 2, 0]);
	assert.deepEqual([...sumRegion(heat, whole, [true, false])], [5, 0, 1]);
	assert.deepEqual([...sumRows(heat, 0, 3, shown)], [7, 100, 1]);
	assert.deepEqual(sumKeys(heat, sumRegion(heat, whole, shown)), [{keys: 1, count: 102}, {keys: 0, count: 6}]);
});

test('stacks of a region', () => {
	const heat = readHeat(MAP), tree = readGraph({values: ['count'], nodes: list(0, 0, 5, 0, 1, 103)});
	const sums = sumStacks(heat, tree, sumRegion(heat, {from: 0, to: 1, low: 0, high: 2}, [true, true]));
	assert.deepEqual([...sums.values[0]], [0, 5, 3]);
	assert.deepEqual([...tree.values[0]], [0, 5, 103]);
});

test('places', () => {
	assert.deepEqual([0, 1, 2, 9].map(n => lowerBound([1, 1, 5], n)), [0, 0, 2, 3]);
	const [level] = buildLevels(readHeat(MAP));
	assert.deepEqual([-5, 0, 1e9 - 1, 1e9, 2.2e9, 9e9].map(time => columnAt(level, time)), [0, 0, 0, 1, 2, 2]);
});

test('values in words', () => {
	const least = -(2n ** 63n), most = 2n ** 63n - 1n;
	assert.equal(formatBounds(1024n, 2047n), '1,024 to 2,047');
	assert.equal(formatBounds(5n, 5n), '5');
	assert.equal(formatBounds(least, -1n), '-1 and less');
	assert.equal(formatBounds(100n, most), '100 and more');
	assert.equal(formatBounds(10000000n, 19999999n, true), '10 ms to 20 ms');
	assert.deepEqual([[0n], [9999n], [65536n], [-1500000n], [2n ** 62n]].map(n => formatShort(...n)), ['0', '9999', '65.5k', '-1.5M', '4.61E']);
	assert.equal(formatShort(least, 9n), '< 10');
});

test('times', () => {
	const noon = 1700049600000000000n;
	assert.equal(formatClock(noon), '12:00:00');
	assert.equal(formatClock(noon + 1234567n, 1e5), '12:00:00.0012');
	assert.equal(formatSpan(noon, 0, 5e8), '12:00:00.00 to 12:00:00.50');
	assert.deepEqual(timeTicks(noon + 250000000n, 0, 3e9, 3), {step: 1e9, ticks: [7.5e8, 1.75e9, 2.75e9]});
	assert.deepEqual(timeTicks(noon, 0, 3600e9, 4).step, 900e9);
	assert.equal(timeTicks(noon, 0, 1e7, 5).ticks.length, 6);
});

function luminance([r, g, b]) {
	const [x, y, z] = [r, g, b].map(n => n / 255).map(n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
	return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

test('colours get evenly stronger, and the first one differs from the background', () => {
	for (const theme of ['light', 'dark'])
		for (let hue = 0; hue <= HUES.length; hue++) {
			const light = rampOf(theme, hue).map(luminance), sign = theme === 'light' ? -1 : 1;
			const [a, b] = [light[0], light[1]].sort((x, y) => y - x);
			assert.equal(light.length, SHADES + 1);
			assert.ok((a + 0.05) / (b + 0.05) > 1.25, `${theme} ${hue}: ${(a + 0.05) / (b + 0.05)}`);
			for (let i = 2; i < light.length; i++)
				assert.ok(sign * (light[i] - light[i - 1]) > -0.002, `${theme} ${hue} ${i}`);
			assert.ok(Math.abs(light[SHADES] - light[1]) > 0.3, `${theme} ${hue}: ${light[SHADES]} ${light[1]}`);
		}
	assert.equal(packRamp([[1, 2, 3]])[0], 0xff030201);
	assert.deepEqual(rampOf('dark')[0], BACKGROUNDS.dark);
});

// Columns that end at ENDS, in ms after that of MAP's start; a stack in each of them, and one more in the last.
function stacksAt(ends, start = MAP.start) {
	const widths = ends.flatMap((end, i) => [0, (end - (i ? ends[i - 1] : 0)) * 1e6]);
	return {
		name: 's', function: 'count', shows: 'printed', negative: 0, graph: 1, start, columns: list(widths), rows: [['0', '0']], keys: [[]],
		series: list(0, 1, 0, 2), cells: list(ends.flatMap((end, i) => [i ? 1 : 0, i < ends.length - 1 ? 1 : 2, 0, 0, 10 ** i].concat(i < ends.length - 1 ? [] : [0, 1, 7]))),
	};
}

test('another aggregation has the same columns if they end at the same times', () => {
	const columns = ends => ({...MAP, columns: list(ends.flatMap((end, i) => [0, (end - (i ? ends[i - 1] : 0)) * 1e6]))});
	const same = (a, b, start) => isSameTicks(readTicks(columns(a)), readTicks(stacksAt(b, start)));
	assert.ok(same([100, 200, 300, 400], [100, 200, 300, 400]));
	assert.ok(same([100, 200, 300, 400], [103, 199, 301, 402]));
	assert.ok(same([100, 205, 300, 404], [205, 301, 404, 500, 600])); // one began later, the other goes on
	assert.ok(same([100], [101]));
	assert.ok(same([200, 300, 400], [100, 200, 300], '1700000000100000000'));
	assert.ok(!same([100, 200, 300, 400], [150, 250, 350, 450]));
	assert.ok(!same([100, 200, 300, 400], [200, 400, 600]));
	assert.ok(!same([200, 400, 600], [100, 200, 300, 400]));
	assert.ok(!same([100, 200, 300, 400], [400]));
	assert.ok(!same([100, 200], [1000, 1100]));
	assert.ok(!isSameTicks({...readTicks(columns([100, 200])), shows: 'by key'}, readTicks(stacksAt([100, 200]))));
});

test('stacks of another aggregation are those of the chosen columns', () => {
	const heat = readHeat(stacksAt([100, 200, 300])), other = readHeat(stacksAt([101, 203, 299, 402], '1700000000000000500'));
	assert.deepEqual([...sumTimes(other, heat, 0, 1)], [1, 0]);
	assert.deepEqual([...sumTimes(other, heat, 1, 3)], [110, 0]);
	assert.deepEqual([...sumTimes(heat, other, 0, 4)], [111, 7]);
});
