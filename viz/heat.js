// SPDX-License-Identifier: Apache-2.0
// A heat map: a canvas with its controls, the cells that are chosen, their keys and their flame graph.
import {make, makeSelect, makeSwitch} from './dom.js';
import {formatNumber} from './format.js';
import {HeatCanvas} from './heat_canvas.js';
import {HUES} from './heat_colour.js';
import {buildLevels, readHeat, sumRegion, sumRows} from './heat_data.js';
import {addHeatInput, columnAt} from './heat_input.js';
import {addKeyList} from './heat_keys.js';
import {addHeatScale} from './heat_scale.js';
import {HeatStacks} from './heat_stacks.js';
import {formatBounds, formatDate, formatSpan} from './heat_text.js';

const COLUMNS = {
	printed: 'A column for each printa().', sampled: 'A column for each time the aggregation was read.',
	summed: '', 'by key': 'A column for each time in the key.', offsets: 'A column for each second; the rows are parts of it.',
};

function add(sums) {
	return sums.reduce((a, b) => a + b, 0);
}

// Returns the columns and rows of a region of times and values, or null if it is gone.
function findRegion(heat, {from, to, low, high}) {
	const region = {
		from: heat.ends.findIndex(end => end > from), to: heat.starts.findLastIndex(start => start < to) + 1,
		low: heat.bounds.findIndex(bounds => bounds[1] >= low), high: heat.bounds.findLastIndex(bounds => bounds[0] <= high),
	};
	return region.from < 0 || region.from >= region.to || region.low < 0 || region.low > region.high ? null : region;
}

class HeatView {
	constructor(container, options) {
		this.options = options;
		this.mode = options.mode || 'rank';
		this.pans = false;
		this.region = this.cursor = null;
		this.canvas = new HeatCanvas(this);
		this.element = make('section', {class: 'heat'});
		this.summary = make('p', {class: 'heat-summary'});
		this.status = make('p', {class: 'heat-status', role: 'status', 'aria-live': 'polite'});
		this.chosen = make('p', {class: 'heat-chosen'});
		this.keyList = addKeyList(this);
		this.rowTable = make('tbody', {});
		this.stacks = new HeatStacks(options);
		this.tip = make('div', {class: 'heat-tip', hidden: true});
		this.scale = addHeatScale(this);
		this.element.append(this.makeToolbar(), this.summary, this.scale.element,
			make('div', {class: 'heat-plot'}, this.canvas.element, this.tip), this.status,
			this.chosen, this.keyList.element, this.makeRows(), this.stacks.element);
		container.append(this.element);
		addHeatInput(this, this.canvas);
		this.listen();
	}

	makeToolbar() {
		this.clear = make('button', {type: 'button', text: 'Clear selection', title: 'Esc', click: () => this.setRegion(null, true)});
		return make('div', {class: 'heat-toolbar', role: 'toolbar', 'aria-label': 'Heat map'},
			makeSelect('Colour by', [['rank', 'rank'], ['linear', 'number']], this.mode, mode => {
				this.mode = mode;
				this.draw();
			}).element,
			make('button', {type: 'button', text: 'Zoom in', title: '+', click: () => this.zoom(0.5)}),
			make('button', {type: 'button', text: 'Zoom out', title: '-', click: () => this.zoom(2)}),
			make('button', {type: 'button', text: 'Whole map', title: '0', click: () => this.showAll()}),
			makeSwitch('Drag moves', this.pans, on => { this.pans = on; }), this.clear);
	}

	makeRows() {
		const heads = ['Values', 'Count'].map(text => make('th', {scope: 'col', text}));
		this.rowsElement = make('details', {class: 'heat-rows', toggle: () => this.updateRows()}, make('summary', {text: 'Counts by row'}),
			make('table', {}, make('thead', {}, make('tr', {}, ...heads)), this.rowTable));
		return this.rowsElement;
	}

	listen() {
		const redraw = () => this.draw(), dark = window.matchMedia('(prefers-color-scheme: dark)');
		this.themes = new MutationObserver(redraw);
		this.themes.observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme']});
		dark.addEventListener('change', redraw);
		this.sizes = new ResizeObserver(() => {
			if (this.heat) {
				this.canvas.measure();
				this.draw();
			}
		});
		this.sizes.observe(this.canvas.element.parentElement);
		this.unlisten = () => dark.removeEventListener('change', redraw);
	}

	destroy() {
		this.themes.disconnect();
		this.sizes.disconnect();
		this.unlisten();
		this.element.remove();
	}

	// ---- data

	update(data) {
		const old = this.heat && this.remember();
		this.map = data.map;
		this.heat = readHeat(data.map);
		this.stacks.update(data, this.heat);
		this.shown = this.heat.keys.map(() => true);
		this.hues = this.heat.keys.map((names, i) => this.options.hue ? this.options.hue(i) : 0);
		this.region = this.cursor = this.anchor = null;
		this.isOffset = this.heat.shows === 'offsets';
		this.end = this.heat.ends[this.heat.ends.length - 1];
		this.view = {from: 0, to: this.end};
		if (old)
			this.restore(old);
		this.canvas.measure();
		this.rebuild();
	}

	// What other data must not change: keys by name, times since 1970, values by their bounds.
	remember() {
		const {heat, region, view} = this, keys = new Map();
		heat.keys.forEach((names, i) => keys.set(names.join('\n'), {shown: this.shown[i], hue: this.hues[i]}));
		return {
			keys, all: view.from === 0 && view.to === this.end, start: heat.start, view,
			region: region && {
				from: heat.starts[region.from], to: heat.ends[region.to - 1],
				low: heat.bounds[region.low][0], high: heat.bounds[region.high][1],
			},
		};
	}

	restore(old) {
		const {heat} = this, moved = Number(old.start - heat.start);
		// a key that is new is shown, unless only some were asked for
		const others = old.keys.size === 0 || [...old.keys.values()].every(key => key.shown);
		heat.keys.forEach((names, i) => {
			const key = old.keys.get(names.join('\n'));
			this.shown[i] = key ? key.shown : others;
			this.hues[i] = key ? key.hue : this.hues[i];
		});
		if (!old.all) {
			const width = Math.min(this.end, old.view.to - old.view.from);
			const from = Math.min(this.end - width, Math.max(0, old.view.from + moved));
			this.view = {from, to: from + width};
		}
		if (old.region)
			this.region = findRegion(heat, {...old.region, from: old.region.from + moved, to: old.region.to + moved});
	}

	// The keys that are shown, or their hues, have changed.
	rebuild() {
		this.levels = buildLevels(this.heat, {
			shown: this.shown, hues: this.hues, nhues: this.hues.some(Boolean) ? HUES.length + 1 : 0,
		});
		this.updateSummary();
		this.draw();
		this.updateChosen();
	}

	showKeys(isShown) {
		this.shown = this.heat.keys.map((names, keys) => isShown(keys));
		this.rebuild();
	}

	setHue(keys, hue) {
		this.hues[keys] = hue;
		this.rebuild();
	}

	get isSum() {
		return this.heat.function === 'sum';
	}

	// Returns in words what N, a sum of cells, is: sum() does not count values.
	amount(n) {
		return this.isSum ? `a sum of ${formatNumber(n)}` : `${formatNumber(n)} ${n === 1 ? 'value' : 'values'}`;
	}

	updateSummary() {
		const {heat} = this, columns = heat.starts.length, count = add(this.levels[0].counts);
		const most = this.levels[0].counts.reduce((a, b) => Math.max(a, b), 0), notes = [COLUMNS[heat.shows], heat.shows === 'offsets' ? '' : `Rows are the values that ${this.map.function}() got.`];
		if (heat.negative)
			notes.push(`Not drawn: ${formatNumber(heat.negative)} ${heat.negative === 1 ? 'change' : 'changes'} below zero.`);
		this.summary.textContent = `${this.amount(count)} in ${formatNumber(columns)} ${columns === 1 ? 'column' : 'columns'}, ` +
			`${formatDate(heat.start)} ${formatSpan(heat.start, 0, this.end)}; at most ${formatNumber(most)} in a cell. ${notes.join(' ')}`;
		this.canvas.element.setAttribute('aria-label', `Heat map. ${this.summary.textContent} ` +
			'Arrow keys move, Shift extends the selection, Enter chooses a cell, + and - zoom, 0 shows the whole map.');
	}

	// ---- what is shown

	draw() {
		this.canvas.draw();
		this.scale.draw();
	}

	// Says next to PLACE what is in the cell there; null: nothing is said.
	showTip(place) {
		const {canvas} = this, {plot} = canvas;
		const inside = place && this.heat && place.x >= plot.left && place.x < plot.left + plot.width &&
			place.y >= plot.top && place.y < plot.top + plot.height;
		this.tip.hidden = !inside;
		if (!inside)
			return;
		const level = canvas.level(), column = columnAt(level, canvas.timeAt(place.x)), row = canvas.rowAt(place.y);
		this.tip.textContent = this.describe({from: level.from[column], to: level.from[column + 1], low: row, high: row});
		const left = place.x + 16 + this.tip.offsetWidth > plot.left + plot.width ? place.x - 12 - this.tip.offsetWidth : place.x + 16;
		this.tip.style.left = Math.max(0, left) + 'px';
		this.tip.style.top = Math.max(0, place.y - 30) + 'px';
	}

	// WIDTH in ns; at least one column.
	setView(from, width) {
		const least = Math.min(this.end, this.levels[0].width);
		width = Math.min(this.end, Math.max(least, width));
		from = Math.min(this.end - width, Math.max(0, from));
		this.view = {from, to: from + width};
		this.draw();
	}

	// Shows FACTOR times as much, with time AT at the same place.
	zoom(factor, at = this.cursor ? this.heat.starts[this.cursor.from] : (this.view.from + this.view.to) / 2) {
		const {from, to} = this.view, width = Math.min(this.end, Math.max(this.levels[0].width, (to - from) * factor));
		this.setView(at - (at - from) / (to - from) * width, width);
	}

	showAll() {
		this.setView(0, this.end);
	}

	// ---- the cursor and the chosen cells

	firstCell() {
		const level = this.canvas.level();
		return {from: 0, to: level.from[1], row: level.rows[0] || 0};
	}

	setCursor(cursor, extend) {
		const {region} = this, old = this.cursor || cursor, {heat} = this;
		this.cursor = cursor;
		if (extend) {
			this.anchor = this.anchor || old;
			const {anchor} = this;
			this.setRegion({
				from: Math.min(anchor.from, cursor.from), to: Math.max(anchor.to, cursor.to),
				low: Math.min(anchor.row, cursor.row), high: Math.max(anchor.row, cursor.row),
			}, true, this.anchor);
		} else if (region) {
			this.anchor = null;
		}
		const start = heat.starts[cursor.from], end = heat.ends[cursor.to - 1], {from, to} = this.view;
		if (start < from || end > to)
			this.setView(start < from ? start : end - (to - from), to - from);
		else
			this.draw();
		this.status.textContent = this.describe(extend ? this.region : {...cursor, low: cursor.row, high: cursor.row});
	}

	chooseCursor() {
		const cursor = this.cursor || this.firstCell();
		this.cursor = cursor;
		this.setRegion({from: cursor.from, to: cursor.to, low: cursor.row, high: cursor.row}, true);
		this.status.textContent = this.describe(this.region);
	}

	// REGION as of sumRegion(), or null. DONE: the choice has been made; until then only its outline is drawn.
	setRegion(region, done, anchor = null) {
		this.region = region;
		this.anchor = anchor;
		this.draw();
		if (done)
			this.updateChosen();
	}

	// Says what is in REGION.
	describe(region) {
		const {heat} = this, sums = sumRegion(heat, region, this.shown);
		return `${this.describeBounds(region)}: ${formatNumber(add(sums))}`;
	}

	describeBounds({from, to, low, high}) {
		const {heat} = this, bounds = formatBounds(heat.bounds[low][0], heat.bounds[high][1], this.isOffset);
		return `${formatSpan(heat.start, heat.starts[from], heat.ends[to - 1])}, ${bounds}`;
	}

	updateChosen() {
		const {heat, region} = this, whole = {from: 0, to: heat.starts.length, low: 0, high: heat.bounds.length - 1};
		const sums = sumRegion(heat, region || whole, this.shown);
		this.clear.disabled = !region;
		this.chosen.replaceChildren();
		if (region)
			this.chosen.append(make('strong', {text: this.describeBounds(region)}), ' ',
				make('span', {class: 'heat-count', text: this.amount(add(sums))}));
		this.keyList.update(sums);
		this.keyList.element.hidden = heat.keys.length === 1 && !heat.keys[0].length;
		this.updateRows();
		this.stacks.show(sums, region);
		if (this.options.chosen)
			this.options.chosen(heat, region, this.shown);
	}

	updateRows() {
		const {heat, region} = this;
		if (!this.rowsElement.open)
			return;
		const sums = sumRows(heat, region ? region.from : 0, region ? region.to : heat.starts.length, this.shown), rows = [];
		for (let row = sums.length - 1; row >= 0; row--)
			if (sums[row])
				rows.push(make('tr', {}, make('th', {scope: 'row', text: formatBounds(...heat.bounds[row], this.isOffset)}),
					make('td', {text: formatNumber(sums[row])})));
		this.rowTable.replaceChildren(...rows);
	}
}

// Adds a heat map to CONTAINER: MAP is one of a picture, FRAMES as of readFrames() and GRAPHS are the picture's.
// OTHERS are maps and aggregations whose stacks may belong to its columns. OPTIONS: mode, "rank" or "linear"; hue(i), the
// first hue of keys number I; lateStacks: stacks are drawn when cells are chosen, as all of them are drawn elsewhere; chosen(heat, region, shown), called when other cells or keys are chosen.
// Returns {update({frames, graphs, map, others}), destroy()}.
export function heatMap(container, data, options = {}) {
	const view = new HeatView(container, options);
	view.update(data);
	return {update: data => view.update(data), destroy: () => view.destroy()};
}
