// SPDX-License-Identifier: Apache-2.0
// Heat maps as arrays: what src/pictures/heat_page.h describes, summed for the keys that are shown, in columns as coarse as the
// picture needs. Nothing here needs a browser.
import {readNumbers, shownText} from './data.js';

export const SHADES = 255;

// The coarsest columns are at most so many.
const COARSEST = 512;

// Returns the place of the first of the ascending LIST that is not below VALUE.
export function lowerBound(list, value, from = 0, to = list.length) {
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (list[middle] < value)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

function readColumns(map, heat) {
	const numbers = readNumbers(map.columns), n = numbers.length / 2;
	heat.start = BigInt(map.start);
	heat.starts = new Float64Array(n);
	heat.ends = new Float64Array(n);
	for (let i = 0, at = 0; i < n; i++) {
		heat.starts[i] = at + numbers[2 * i];
		heat.ends[i] = at = heat.starts[i] + numbers[2 * i + 1];
	}
}

function readCells(map, heat) {
	const numbers = readNumbers(map.cells);
	let n = 0;
	for (let i = 0; i < numbers.length; i += 2 + 3 * numbers[i + 1])
		n += numbers[i + 1];
	heat.rows = new Uint16Array(n);
	heat.series = new Uint32Array(n);
	heat.counts = new Float64Array(n);
	heat.first = new Uint32Array(heat.starts.length + 1);
	let column = 0, cell = 0;
	for (let i = 0; i < numbers.length;) {
		column += numbers[i++];
		const end = cell + numbers[i++];
		heat.first[column + 1] = end - cell;
		for (; cell < end; cell++) {
			heat.rows[cell] = numbers[i++];
			heat.series[cell] = numbers[i++];
			heat.counts[cell] = numbers[i++];
		}
	}
	for (let i = 1; i < heat.first.length; i++)
		heat.first[i] += heat.first[i - 1];
}

// Returns a heat map: start (BigInt, ns since 1970), starts and ends of the columns (ns from there), bounds of the rows ([low,
// high], BigInt), keys (arrays of texts), keysOf and stackOf by series (the number of its keys; its node or 0), and the cells
// by column: rows, series and counts, those of column c from first[c] to first[c + 1].
export function readHeat(map) {
	const heat = {name: map.name, function: map.function, shows: map.shows, negative: map.negative, graph: map.graph};
	heat.bounds = map.rows.map(([low, high]) => [BigInt(low), BigInt(high)]);
	heat.keys = map.keys.map(keys => keys.map(shownText));
	const series = readNumbers(map.series);
	heat.keysOf = new Uint32Array(series.length / 2);
	heat.stackOf = new Uint32Array(series.length / 2);
	for (let i = 0; i < heat.keysOf.length; i++) {
		heat.keysOf[i] = series[2 * i];
		heat.stackOf[i] = series[2 * i + 1];
	}
	readColumns(map, heat);
	readCells(map, heat);
	return heat;
}

// ---- the cells that are drawn

// A level has columns (starts, ends) and their cells (first, rows, counts). If there are hues, shares has the count of each
// hue for each cell, and `from` of a column is its first column in the map.
function emptyLevel(columns, cells, nhues) {
	return {
		starts: new Float64Array(columns), ends: new Float64Array(columns), from: new Uint32Array(columns + 1),
		first: new Uint32Array(columns + 1), rows: new Uint16Array(cells), counts: new Float64Array(cells),
		shares: nhues ? new Float64Array(cells * nhues) : null, nhues, columns: 0, cells: 0, shades: {},
	};
}

function cutLevel(level) {
	const {columns, cells, nhues} = level;
	level.starts = level.starts.slice(0, columns);
	level.ends = level.ends.slice(0, columns);
	level.from = level.from.slice(0, columns + 1);
	level.first = level.first.slice(0, columns + 1);
	level.rows = level.rows.slice(0, cells);
	level.counts = level.counts.slice(0, cells);
	if (nhues)
		level.shares = level.shares.slice(0, cells * nhues);
	return level;
}

// Sums cells of one column by row.
class Sums {
	constructor(nrows, nhues) {
		this.counts = new Float64Array(nrows);
		this.shares = new Float64Array(nrows * nhues);
		this.nhues = nhues;
		this.least = nrows;
		this.most = -1;
	}

	add(row, count) {
		this.counts[row] += count;
		this.least = Math.min(this.least, row);
		this.most = Math.max(this.most, row);
	}

	addShare(row, hue, count) {
		this.shares[row * this.nhues + hue] += count;
	}

	// Ends the column of LEVEL, whose cells these are.
	flush(level) {
		const {counts, shares, nhues} = this;
		for (let row = this.least; row <= this.most; row++) {
			if (!counts[row])
				continue;
			const cell = level.cells++;
			level.rows[cell] = row;
			level.counts[cell] = counts[row];
			for (let hue = 0; hue < nhues; hue++) {
				level.shares[cell * nhues + hue] = shares[row * nhues + hue];
				shares[row * nhues + hue] = 0;
			}
			counts[row] = 0;
		}
		this.least = counts.length;
		this.most = -1;
		level.first[++level.columns] = level.cells;
	}
}

// SHOWN[k] and HUES[k] say whether keys k are shown, and with which hue; NHUES 0: all have the same.
function finestLevel(heat, shown, hues, nhues) {
	const n = heat.starts.length, level = emptyLevel(n, heat.counts.length, nhues), sums = new Sums(heat.bounds.length, nhues);
	for (let column = 0; column < n; column++) {
		for (let cell = heat.first[column]; cell < heat.first[column + 1]; cell++) {
			const keys = heat.keysOf[heat.series[cell]];
			if (!shown[keys])
				continue;
			sums.add(heat.rows[cell], heat.counts[cell]);
			if (nhues)
				sums.addShare(heat.rows[cell], hues[keys], heat.counts[cell]);
		}
		level.starts[column] = heat.starts[column];
		level.ends[column] = heat.ends[column];
		level.from[column] = column;
		sums.flush(level);
	}
	level.from[n] = n;
	return cutLevel(level);
}

// Returns columns of WIDTH ns, each of those of FINE whose middle lies in it.
function coarserLevel(fine, width, nrows) {
	const {nhues} = fine, level = emptyLevel(fine.columns, fine.cells, nhues), sums = new Sums(nrows, nhues);
	for (let column = 0; column < fine.columns;) {
		const bin = Math.floor((fine.starts[column] + fine.ends[column]) / 2 / width);
		level.starts[level.columns] = fine.starts[column];
		level.from[level.columns] = fine.from[column];
		for (; column < fine.columns && Math.floor((fine.starts[column] + fine.ends[column]) / 2 / width) === bin; column++) {
			for (let cell = fine.first[column]; cell < fine.first[column + 1]; cell++) {
				sums.add(fine.rows[cell], fine.counts[cell]);
				for (let hue = 0; hue < nhues; hue++)
					sums.addShare(fine.rows[cell], hue, fine.shares[cell * nhues + hue]);
			}
			level.ends[level.columns] = fine.ends[column];
		}
		sums.flush(level);
	}
	level.from[level.columns] = fine.from[fine.columns];
	level.width = width;
	return cutLevel(level);
}

function usualWidth(heat) {
	const widths = heat.starts.map((start, i) => heat.ends[i] - start).sort();
	return widths[widths.length >> 1] || 1;
}

// Returns the levels, the finest one, with the map's own columns, first. Each other one has half as many, about.
export function buildLevels(heat, {shown = heat.keys.map(() => true), hues = [], nhues = 0} = {}) {
	const levels = [finestLevel(heat, shown, hues, nhues)];
	levels[0].width = usualWidth(heat);
	for (let width = 2 * levels[0].width; levels[levels.length - 1].columns > COARSEST; width *= 2)
		levels.push(coarserLevel(levels[levels.length - 1], width, heat.bounds.length));
	return levels;
}

// Returns the level to draw if a pixel is TIME ns: the coarsest one whose columns are not wider.
export function pickLevel(levels, time) {
	let best = 0;
	levels.forEach((level, i) => {
		if (level.width <= time)
			best = i;
	});
	return levels[best];
}

// ---- shades

// Returns the number of cells with a lower count, for each count.
function countBelow(counts) {
	const numbers = new Map(), below = new Map();
	for (const count of counts)
		numbers.set(count, (numbers.get(count) || 0) + 1);
	let sum = 0;
	for (const count of [...numbers.keys()].sort((a, b) => a - b)) {
		below.set(count, sum);
		sum += numbers.get(count);
	}
	return below;
}

// Returns the shade of each cell of LEVEL, 1 to SHADES: by "rank", the share of cells with lower counts, or "linear", the share of
// its count in the largest one. src/pictures/heat.h computes the same.
export function shadesOf(level, mode) {
	if (level.shades[mode])
		return level.shades[mode];
	const {counts} = level, shades = new Uint8Array(counts.length), most = counts.reduce((a, b) => Math.max(a, b), 0);
	if (mode === 'linear') {
		counts.forEach((count, i) => { shades[i] = 1 + Math.floor(count * (SHADES - 1) / most); });
	} else {
		const below = countBelow(counts), whole = below.get(most) || 1;
		counts.forEach((count, i) => { shades[i] = 1 + Math.floor(below.get(count) * (SHADES - 1) / whole); });
	}
	level.shades[mode] = shades;
	return shades;
}

// Returns the hue that has most of CELL.
export function hueOf(level, cell) {
	const {nhues, shares} = level;
	let best = 0;
	for (let hue = 1; hue < nhues; hue++)
		if (shares[cell * nhues + hue] > shares[cell * nhues + best])
			best = hue;
	return best;
}

// ---- regions

// Returns the counts by series of the cells in REGION: columns from, to (not included), rows low, high (included). Only keys that
// are SHOWN count.
export function sumRegion(heat, {from, to, low, high}, shown) {
	const sums = new Float64Array(heat.keysOf.length);
	for (let cell = heat.first[from]; cell < heat.first[to]; cell++)
		if (heat.rows[cell] >= low && heat.rows[cell] <= high && shown[heat.keysOf[heat.series[cell]]])
			sums[heat.series[cell]] += heat.counts[cell];
	return sums;
}

// Returns the counts by row of columns FROM to TO (not included).
export function sumRows(heat, from, to, shown) {
	const sums = new Float64Array(heat.bounds.length);
	for (let cell = heat.first[from]; cell < heat.first[to]; cell++)
		if (shown[heat.keysOf[heat.series[cell]]])
			sums[heat.rows[cell]] += heat.counts[cell];
	return sums;
}

// Returns [{keys, count}, ...], the largest first, from counts by series.
export function sumKeys(heat, sums) {
	const counts = new Float64Array(heat.keys.length);
	sums.forEach((count, series) => { counts[heat.keysOf[series]] += count; });
	return [...counts.keys()].filter(keys => counts[keys]).map(keys => ({keys, count: counts[keys]}))
		.sort((a, b) => b.count - a.count || a.keys - b.keys);
}

// Returns the times of MAP's columns: start, starts and ends, as readHeat() does.
export function readTicks(map) {
	const ticks = {shows: map.shows};
	readColumns(map, ticks);
	return ticks;
}

// Returns how many of ENDS from FIRST to LAST there are, or 0 if one of them is more than SLACK from all of OTHERS.
function countCommon(ends, others, first, last, slack) {
	let common = 0;
	for (let i = lowerBound(ends, first); i < ends.length && ends[i] <= last; i++, common++) {
		const near = lowerBound(others, ends[i] - slack);
		if (near === others.length || others[near] > ends[i] + slack)
			return 0;
	}
	return common;
}

// True if both maps have columns of printa() or of snapshots, and the same ones where both have some. Printing and reading take a
// moment, so a tenth of a column may be between them.
export function isSameTicks(ticks, other) {
	const isTick = ({shows}) => shows === 'printed' || shows === 'sampled';
	if (!isTick(ticks) || !isTick(other))
		return false;
	const moved = Number(other.start - ticks.start), {ends} = ticks, theirs = other.ends.map(end => end + moved);
	const slack = usualWidth(ticks) / 10, first = Math.max(ends[0], theirs[0]) - slack;
	const last = Math.min(ends[ends.length - 1], theirs[theirs.length - 1]) + slack;
	const common = Math.min(countCommon(ends, theirs, first, last, slack), countCommon(theirs, ends, first, last, slack));
	return common > 1 || (common === 1 && ends.length === 1 && theirs.length === 1);
}

// Returns the counts by series of OTHER in columns FROM to TO (not included) of HEAT, whose ticks are the same.
export function sumTimes(other, heat, from, to) {
	const sums = new Float64Array(other.keysOf.length), moved = Number(other.start - heat.start);
	for (let column = 0; column < other.starts.length; column++) {
		const middle = (other.starts[column] + other.ends[column]) / 2 + moved;
		if (middle < heat.starts[from] || middle >= heat.ends[to - 1])
			continue;
		for (let cell = other.first[column]; cell < other.first[column + 1]; cell++)
			sums[other.series[cell]] += other.counts[cell];
	}
	return sums;
}

// Returns TREE, of readGraph(), with these counts by series in place of its own.
export function sumStacks(heat, tree, sums) {
	const values = new Float64Array(tree.parents.length);
	sums.forEach((count, series) => { values[heat.stackOf[series]] += count; });
	return {...tree, values: [values], names: ['count'], function: heat.function};
}
