// SPDX-License-Identifier: Apache-2.0
// The pointer and the keys on a heat map.
import {lowerBound} from './heat_data.js';

const CLICK = 4; // a pointer that moved less, in pixels, clicked

// Returns the column of LEVEL at TIME, the nearest one.
export function columnAt(level, time) {
	return Math.min(level.columns - 1, lowerBound(level.ends, Math.max(time, 0) + 1e-6));
}

class Pointer {
	constructor(view, canvas) {
		this.view = view;
		this.canvas = canvas;
		const {element} = canvas;
		element.addEventListener('pointerdown', event => this.down(event));
		element.addEventListener('pointermove', event => this.move(event));
		element.addEventListener('pointerup', event => this.up(event));
		element.addEventListener('pointerleave', () => view.showTip(null));
		element.addEventListener('pointercancel', () => { this.start = null; });
		element.addEventListener('wheel', event => this.wheel(event), {passive: false});
	}

	place(event) {
		const box = this.canvas.element.getBoundingClientRect();
		return {x: event.clientX - box.left, y: event.clientY - box.top};
	}

	down(event) {
		const place = this.place(event), {plot} = this.canvas;
		if (event.button)
			return;
		this.start = {...place, view: {...this.view.view}, moved: false};
		this.start.pans = event.shiftKey !== this.view.pans || place.y > plot.top + plot.height;
		this.canvas.element.setPointerCapture(event.pointerId);
	}

	move(event) {
		const {start, view, canvas} = this, place = this.place(event);
		view.showTip(place);
		if (!start)
			return;
		start.moved = start.moved || Math.hypot(place.x - start.x, place.y - start.y) >= CLICK;
		if (!start.moved)
			return;
		const {from, to} = start.view;
		if (start.pans)
			view.setView(from - (place.x - start.x) / canvas.plot.width * (to - from), to - from);
		else
			view.setRegion(this.regionTo(place), false);
	}

	regionTo(place) {
		const {start, canvas} = this, level = canvas.level();
		const a = columnAt(level, canvas.timeAt(start.x)), b = columnAt(level, canvas.timeAt(place.x));
		const c = canvas.rowAt(start.y), d = canvas.rowAt(place.y);
		return {
			from: level.from[Math.min(a, b)], to: level.from[Math.max(a, b) + 1], low: Math.min(c, d), high: Math.max(c, d),
		};
	}

	up(event) {
		const {start, view} = this, place = this.place(event);
		this.start = null;
		if (!start || (start.moved && start.pans))
			return;
		this.start = start;
		const region = this.regionTo(start.moved ? place : start);
		this.start = null;
		view.cursor = {from: region.from, to: region.to, row: region.high};
		view.setRegion(region, true);
	}

	wheel(event) {
		const {view, canvas} = this, {from, to} = view.view, width = to - from;
		if (event.ctrlKey || event.metaKey)
			return;
		event.preventDefault();
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			view.setView(from + event.deltaX / canvas.plot.width * width, width);
		else
			view.zoom(Math.exp(event.deltaY / 400), canvas.timeAt(this.place(event).x));
	}
}

// Moves the cursor by columns of what is drawn, and by rows.
function moveCursor(view, columns, rows, extend) {
	const level = view.canvas.level(), last = view.heat.bounds.length - 1;
	const now = view.cursor || view.firstCell(), old = lowerBound(level.from, now.from + 1, 0, level.columns) - 1;
	const column = Math.min(level.columns - 1, Math.max(0, old + columns));
	view.setCursor({
		from: level.from[column], to: level.from[column + 1],
		row: Math.min(last, Math.max(0, now.row + rows)),
	}, extend);
}

const MOVES = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-Infinity, 0], End: [Infinity, 0]};

// Returns true if EVENT did something.
function pressed(view, event) {
	const {from, to} = view.view, width = to - from;
	if (MOVES[event.key]) {
		moveCursor(view, ...MOVES[event.key], event.shiftKey);
		return true;
	}
	switch (event.key) {
	case 'Enter':
	case ' ':
		view.chooseCursor();
		return true;
	case '+':
	case '=':
		view.zoom(0.5);
		return true;
	case '-':
		view.zoom(2);
		return true;
	case '0':
		view.showAll();
		return true;
	case 'PageUp':
		view.setView(from - width * 0.9, width);
		return true;
	case 'PageDown':
		view.setView(from + width * 0.9, width);
		return true;
	case 'Escape':
		view.setRegion(null, true);
		return true;
	default:
		return false;
	}
}

export function addHeatInput(view, canvas) {
	const pointer = new Pointer(view, canvas);
	canvas.element.addEventListener('keydown', event => {
		if (!event.ctrlKey && !event.altKey && !event.metaKey && pressed(view, event))
			event.preventDefault();
	});
	canvas.element.addEventListener('focus', () => canvas.draw());
	canvas.element.addEventListener('blur', () => canvas.draw());
	return pointer;
}
