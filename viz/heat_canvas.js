// SPDX-License-Identifier: Apache-2.0
// Draws the cells and the axes of a heat map on a canvas.
import {make} from './dom.js';
import {packRamp, rampOf} from './heat_colour.js';
import {hueOf, lowerBound, pickLevel, shadesOf} from './heat_data.js';
import {formatClock, formatShort, timeTicks} from './heat_text.js';

const LEFT = 76, RIGHT = 40, TOP = 8, BOTTOM = 26, TICK_FROM = 110, LABEL_FROM = 16;
const UNMEASURED = {light: '#e2e4e8', dark: '#34363c'}; // what no column has

// Returns the height of the plot for ROWS rows, in CSS pixels.
function plotHeight(rows) {
	return Math.min(480, Math.max(160, rows * 14));
}

export function isDark() {
	const {theme} = document.documentElement.dataset;
	return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

// Draws the state of a HeatView: heat, levels, view {from, to} in ns, mode, cursor and region.
export class HeatCanvas {
	constructor(view) {
		this.view = view;
		this.element = make('canvas', {class: 'heat-canvas', tabindex: 0, role: 'application', 'aria-roledescription': 'heat map'});
		this.cells = document.createElement('canvas');
		this.ramps = new Map();
	}

	// The size in CSS pixels, and of a pixel of the screen.
	measure() {
		const ratio = window.devicePixelRatio || 1, width = this.element.parentElement.clientWidth || 800;
		const height = plotHeight(this.view.heat.bounds.length);
		this.ratio = ratio;
		this.plot = {left: LEFT, top: TOP, width: Math.max(50, width - LEFT - RIGHT), height};
		this.element.style.height = height + TOP + BOTTOM + 'px';
		this.element.width = Math.round(width * ratio);
		this.element.height = Math.round((height + TOP + BOTTOM) * ratio);
	}

	// The time (ns from the start of the map) and the row at a place of the canvas, in CSS pixels.
	timeAt(x) {
		const {from, to} = this.view.view;
		return from + (x - this.plot.left) / this.plot.width * (to - from);
	}

	rowAt(y) {
		const rows = this.view.heat.bounds.length, row = Math.floor((this.plot.top + this.plot.height - y) / this.plot.height * rows);
		return Math.min(rows - 1, Math.max(0, row));
	}

	xOf(time) {
		const {from, to} = this.view.view;
		return this.plot.left + (time - from) / (to - from) * this.plot.width;
	}

	yOf(row) {
		return this.plot.top + this.plot.height * (1 - row / this.view.heat.bounds.length);
	}

	level() {
		const {from, to} = this.view.view;
		return pickLevel(this.view.levels, (to - from) / this.plot.width);
	}

	ramp(hue) {
		const {theme} = this, key = theme + hue;
		if (!this.ramps.has(key))
			this.ramps.set(key, packRamp(rampOf(theme, hue)));
		return this.ramps.get(key);
	}

	draw() {
		const context = this.element.getContext('2d');
		if (!this.plot)
			this.measure();
		this.theme = isDark() ? 'dark' : 'light';
		context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		context.clearRect(0, 0, this.element.width, this.element.height);
		this.drawCells(context);
		this.drawAxes(context);
		this.drawMarks(context);
	}

	// One pixel wide and high for each pixel column and row of cells; the canvas makes it as high as it should be.
	drawCells(context) {
		const {plot, ratio} = this, rows = this.view.heat.bounds.length, width = Math.round(plot.width * ratio);
		const image = context.createImageData(width, rows), pixels = new Uint32Array(image.data.buffer);
		this.paint(pixels, width, rows);
		this.cells.width = width;
		this.cells.height = rows;
		this.cells.getContext('2d').putImageData(image, 0, 0);
		context.fillStyle = UNMEASURED[this.theme];
		context.fillRect(plot.left, plot.top, plot.width, plot.height);
		context.imageSmoothingEnabled = false;
		context.drawImage(this.cells, plot.left, plot.top, plot.width, plot.height);
	}

	paint(pixels, width, rows) {
		const {view} = this, {from, to} = view.view, level = this.level(), shades = shadesOf(level, view.mode), strongest = new Uint8Array(pixels.length);
		const scale = width / (to - from), plain = this.ramp(0), measured = plain[0];
		for (let column = lowerBound(level.ends, from); column < level.columns && level.starts[column] < to; column++) {
			const left = Math.max(0, Math.round((level.starts[column] - from) * scale));
			const right = Math.min(width, Math.max(left + 1, Math.round((level.ends[column] - from) * scale)));
			for (let row = 0; row < rows; row++)
				for (let x = left; x < right; x++)
					pixels[row * width + x] = pixels[row * width + x] || measured;
			for (let cell = level.first[column]; cell < level.first[column + 1]; cell++) {
				const at = (rows - 1 - level.rows[cell]) * width, shade = shades[cell];
				const colour = (level.nhues ? this.ramp(hueOf(level, cell)) : plain)[shade];
				for (let x = left; x < right; x++) {
					if (strongest[at + x] >= shade)
						continue;
					strongest[at + x] = shade;
					pixels[at + x] = colour;
				}
			}
		}
	}

	drawAxes(context) {
		const {plot, view} = this, {heat} = view, isOffset = heat.shows === 'offsets', rows = heat.bounds.length;
		const each = Math.max(1, Math.ceil(LABEL_FROM / (plot.height / rows)));
		context.fillStyle = context.strokeStyle = getComputedStyle(this.element).color;
		context.lineWidth = 1;
		context.font = '12px system-ui, sans-serif';
		context.strokeRect(plot.left - 0.5, plot.top - 0.5, plot.width + 1, plot.height + 1);
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		for (let row = 0; row < rows; row += each)
			context.fillText(formatShort(...heat.bounds[row], isOffset), plot.left - 8, this.yOf(row) - Math.min(7, plot.height / rows / 2));
		context.textAlign = 'center';
		context.textBaseline = 'top';
		const {step, ticks} = timeTicks(heat.start, view.view.from, view.view.to, Math.floor(plot.width / TICK_FROM));
		for (const tick of ticks) {
			const x = Math.round(this.xOf(tick)) + 0.5;
			context.fillRect(x, plot.top + plot.height, 1, 4);
			context.fillText(formatClock(heat.start + BigInt(Math.round(tick)), step), x, plot.top + plot.height + 8);
		}
	}

	// Outlines cells from the start of a column to the end of another one.
	outline(context, {from, to, low, high}, width) {
		const {plot} = this, {heat} = this.view;
		const left = Math.max(plot.left, this.xOf(heat.starts[from])), right = Math.min(plot.left + plot.width, this.xOf(heat.ends[to - 1]));
		if (right < plot.left || left > plot.left + plot.width)
			return;
		const top = this.yOf(high + 1), height = this.yOf(low) - top;
		const dark = this.theme === 'dark', lines = [[dark ? '#000' : '#fff', width + 2], [dark ? '#9ecbff' : '#0a4fd0', width]];
		for (const [colour, thick] of lines) {
			context.strokeStyle = colour;
			context.lineWidth = thick;
			context.strokeRect(left - 1, top - 1, Math.max(2, right - left) + 2, height + 2);
		}
	}

	drawMarks(context) {
		const {region, cursor} = this.view;
		if (region)
			this.outline(context, region, 2);
		if (cursor && document.activeElement === this.element)
			this.outline(context, {from: cursor.from, to: cursor.to, low: cursor.row, high: cursor.row}, 1);
	}
}

// Returns a CSS colour for the swatch of a hue.
export function swatchColour([r, g, b]) {
	return `rgb(${r}, ${g}, ${b})`;
}
