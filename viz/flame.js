// SPDX-License-Identifier: Apache-2.0
// Draws flame graphs: frames are elements whose place is a part of the picture's width.
//
// Only frames at least half a pixel wide are elements; zooming and resizing draws anew. Numbers and searches are always
// of the whole tree.
import {addDetails} from './details.js';
import {make} from './dom.js';
import {formatNumber, formatShare} from './format.js';
import {addKeys} from './keys.js';
import {growthColour, warmColour} from './palette.js';
import {fullName, search} from './search.js';
import {addToolbar} from './toolbar.js';
import {foldTree, growth, layout, measure, pathOf, readGraph, reverseTree} from './tree.js';

const LEAST = 0.5, TEXT_FROM = 24, SEPARATOR_FROM = 4;

// Identifies a frame when numbers have changed.
function frameKey(frame) {
	return [frame.kind, frame.line, frame.name, frame.object, frame.file].join('\n');
}

class FlameView {
	constructor(container, options) {
		this.options = {measure: '', width: 'both', normalised: true, reversed: false, folded: false, icicle: false, colour: '', ...options};
		this.root = 0;
		this.focused = 0;
		this.query = '';
		this.back = [];
		this.elements = new Map();
		this.canvas = make('div', {class: 'flame-frames', role: 'tree', 'aria-label': 'Flame graph'});
		this.element = make('section', {class: 'flame'});
		this.toolbar = addToolbar(this);
		this.element.append(this.canvas);
		this.details = addDetails(this);
		container.append(this.element);
		this.keys = addKeys(this);
		this.listen();
	}

	listen() {
		const nodeOf = event => {
			const element = event.target.closest('[data-node]');
			return element ? Number(element.dataset.node) : -1;
		};
		this.canvas.addEventListener('click', event => {
			const node = nodeOf(event);
			if (node >= 0)
				this.zoom(node);
		});
		this.canvas.addEventListener('pointerover', event => this.details.show(nodeOf(event)));
		this.canvas.addEventListener('pointerleave', () => this.details.show(-1));
		this.canvas.addEventListener('focusin', event => {
			this.setFocused(nodeOf(event));
			this.details.show(-1);
		});
		this.observer = new ResizeObserver(() => {
			if (this.canvas.clientWidth !== this.drawnWidth)
				this.draw();
		});
		this.observer.observe(this.canvas);
	}

	destroy() {
		this.observer.disconnect();
		this.keys.remove();
		this.element.remove();
	}

	// ---- data

	update({frames, graph}) {
		const keys = this.tree ? [this.root, this.focused, ...this.back].map(node => this.keysOf(node)) : [];
		this.frames = frames;
		this.graph = graph;
		this.forward = readGraph(graph);
		this.made = {}; // trees that options ask for
		this.isDiff = this.forward.names.some(name => name.startsWith('old '));
		if (!this.forward.names.includes(this.options.measure))
			this.options.measure = this.forward.names[0];
		this.toolbar.update();
		this.prepare();
		[this.root = 0, this.focused = 0, ...this.back] = keys.map(list => this.nodeAt(list));
		this.draw();
	}

	// Choose the tree and the numbers that the options ask for.
	prepare() {
		const {reversed, folded} = this.options, {made, frames} = this;
		let tree = this.forward;
		if (folded)
			tree = made.folded = made.folded || foldTree(tree, frames);
		if (reversed)
			tree = folded ? made.both = made.both || reverseTree(tree, frames) : made.backward = made.backward || reverseTree(tree, frames);
		this.tree = tree;
		this.numbers = measure(this.tree, this.options);
		this.found = this.query ? search(this.tree, this.frames, this.numbers.total, this.query) : null;
	}

	keysOf(node) {
		return pathOf(this.tree, node).map(inner => frameKey(this.frames[this.tree.frames[inner]]));
	}

	// Returns the node of these frames, or of the outer ones of them that are there.
	nodeAt(keys) {
		const {tree, frames} = this;
		let found = 0;
		for (const key of keys) {
			let node = tree.first[found];
			while (node !== -1 && frameKey(frames[tree.frames[node]]) !== key)
				node = tree.next[node];
			if (node === -1)
				break;
			found = node;
		}
		return found;
	}

	setOption(name, value) {
		this.options[name] = value;
		if (name === 'reversed' || name === 'folded') {
			this.back = [];
			this.root = this.focused = 0;
		}
		this.prepare();
		this.draw();
		this.toolbar.update();
	}

	// ---- names and numbers of a node

	frameOf(node) {
		return node > 0 ? this.frames[this.tree.frames[node]] : null;
	}

	nameOf(node) {
		const frame = this.frameOf(node);
		return frame ? frame.name : 'all';
	}

	growthOf(node) {
		return growth(this.numbers.now[node], this.numbers.old[node]);
	}

	labelOf(node) {
		const {total} = this.numbers, frame = this.frameOf(node);
		let label = `${frame ? fullName(frame) : 'all'}, ${formatShare(total[node], total[0])}, ${formatNumber(total[node])}`;
		if (this.isDiff)
			label += `, before ${formatNumber(this.numbers.old[node])}, now ${formatNumber(this.numbers.now[node])}`;
		return label;
	}

	colour() {
		return this.options.colour || (this.isDiff ? 'difference' : 'kind');
	}

	// ---- zoom and search

	zoom(node) {
		if (node !== this.root)
			this.back.push(this.root);
		this.show(node);
	}

	// Returns false if there is nothing to go back to.
	goBack() {
		if (!this.back.length)
			return false;
		this.show(this.back.pop());
		return true;
	}

	reset() {
		this.back = [];
		this.show(0);
	}

	show(node) {
		this.root = this.focused = node;
		this.draw();
	}

	search(query) {
		this.query = query;
		this.found = query ? search(this.tree, this.frames, this.numbers.total, query) : null;
		this.markFound();
	}

	markFound() {
		const {found, tree} = this;
		this.toolbar.showFound();
		this.canvas.classList.toggle('searched', Boolean(found));
		for (const [node, element] of this.elements)
			element.classList.toggle('found', Boolean(found && node > 0 && found.frames[tree.frames[node]]));
	}

	// ---- focus

	setFocused(node) {
		const old = this.elements.get(this.focused), element = this.elements.get(node);
		if (!element)
			return;
		if (old)
			old.tabIndex = -1;
		element.tabIndex = 0;
		this.focused = node;
	}

	focus(node, options) {
		const element = this.elements.get(node);
		if (element)
			element.focus(options);
	}

	// ---- drawing

	draw() {
		const hadFocus = this.canvas.contains(document.activeElement);
		const width = this.canvas.clientWidth || 1000;
		this.drawnWidth = this.canvas.clientWidth;
		this.boxes = layout(this.tree, this.numbers.total, {root: this.root, least: LEAST / width});
		this.rows = 1 + this.boxes.reduce((deepest, box) => Math.max(deepest, box.depth), 0);
		this.elements = new Map();
		const children = new Set(this.boxes.map(box => this.tree.parents[box.node]));
		const list = this.boxes.map(box => this.drawBox(box, width, children));
		this.canvas.style.setProperty('--rows', this.rows);
		this.canvas.replaceChildren(...list);
		this.setFocused(this.elements.has(this.focused) ? this.focused : this.root);
		if (hadFocus)
			this.focus(this.focused, {preventScroll: true});
		this.markFound();
		this.toolbar.showZoom();
		this.details.show(-1);
	}

	drawBox(box, width, parents) {
		const {node, depth} = box, {tree, options} = this, pixels = box.width * width;
		const element = make('div', {
			class: this.classOf(box, pixels),
			role: 'treeitem',
			tabindex: -1,
			'data-node': node,
			'aria-level': depth + 1,
			'aria-posinset': box.position,
			'aria-setsize': box.siblings,
			'aria-expanded': tree.first[node] === -1 ? undefined : String(parents.has(node)),
			'aria-label': this.labelOf(node),
		});
		const style = element.style;
		style.left = 100 * box.left + '%';
		style.width = 100 * box.width + '%';
		style.top = `calc(var(--row) * ${options.icicle ? depth : this.rows - 1 - depth})`;
		this.paint(style, node);
		if (pixels >= TEXT_FROM)
			element.textContent = this.nameOf(node);
		this.elements.set(node, element);
		return element;
	}

	classOf(box, pixels) {
		const frame = this.frameOf(box.node);
		let name = 'flame-frame kind-' + (frame ? frame.kind : 'root');
		if (box.outer)
			name += ' outer';
		if (pixels < SEPARATOR_FROM)
			name += ' thin';
		return name;
	}

	// Colours by kind are the style sheet's.
	paint(style, node) {
		if (node <= 0)
			return;
		if (this.colour() === 'name')
			style.backgroundColor = warmColour(this.nameOf(node));
		else if (this.colour() === 'difference' && this.isDiff)
			style.backgroundColor = growthColour(this.growthOf(node));
	}
}

// Adds a flame graph to CONTAINER. FRAMES as of readFrames(); GRAPH is one of a picture, or a tree as readGraph() returns it.
// OPTIONS set the first state: measure (one of the graph's values), reversed, folded, icicle, colour ("kind", "name", "difference"),
// and of differences width ("both", "now", "old") and normalised.
// Returns {update({frames, graph}), destroy()}: other data in place of these, with the same search, and the same zoom where
// the frames are still there; and the end.
export function flameGraph(container, {frames, graph}, options = {}) {
	const view = new FlameView(container, options);
	view.update({frames, graph});
	return {update: data => view.update(data), destroy: () => view.destroy()};
}
