// SPDX-License-Identifier: Apache-2.0
// The controls above a flame graph, and its legend.
import {make, makeSelect, makeSwitch} from './dom.js';
import {formatNumber, formatShare} from './format.js';
import {KINDS} from './data.js';
import {KIND_LABELS} from './palette.js';
import {measureLabel} from './tree.js';

// Notes what the numbers do not say by themselves.
function notesOf(view) {
	const {graph, options, isDiff, numbers} = view, notes = [];
	if (graph.about && options.measure === 'sum')
		notes.push('The sum is an estimate: each value counts as the middle of its bucket.');
	if (graph.negative)
		notes.push(`Not drawn: ${formatNumber(graph.negative)} ${graph.negative === 1 ? 'number' : 'numbers'} below zero.`);
	if (isDiff && numbers && options.normalised && numbers.scale !== 1)
		notes.push(`The older numbers are multiplied by ${numbers.scale.toPrecision(3)} to the same whole.`);
	return notes.join(' ');
}

class Toolbar {
	constructor(view) {
		this.view = view;
		this.input = make('input', {
			type: 'search', 'aria-label': 'Search: text or regular expression', placeholder: 'Search  ( / )', spellcheck: 'false',
			autocomplete: 'off', input: () => view.search(this.input.value),
		});
		this.result = make('output', {class: 'flame-result', 'aria-live': 'polite'});
		this.backButton = make('button', {type: 'button', text: 'Back', title: 'Esc', click: () => view.goBack()});
		this.resetButton = make('button', {type: 'button', text: 'Whole graph', title: 'Home', click: () => view.reset()});
		this.choices = make('span', {class: 'flame-choices'});
		this.legend = make('p', {class: 'flame-legend'});
		this.notes = make('p', {class: 'flame-notes'});
		this.element = make('div', {class: 'flame-toolbar', role: 'toolbar', 'aria-label': 'Flame graph'},
			this.input, this.result, this.backButton, this.resetButton, this.choices);
		view.element.append(this.element, this.legend, this.notes);
	}

	// The controls are made anew only if others are needed: one can have the focus.
	update() {
		const {view} = this, shape = JSON.stringify([view.forward.names, view.graph.function, view.graph.about]);
		if (shape !== this.shape)
			this.choices.replaceChildren(...this.makeChoices());
		this.shape = shape;
		this.updateLegend();
	}

	makeChoices() {
		const {view} = this, {options, isDiff} = view, set = name => value => view.setOption(name, value);
		const names = view.forward.names.filter(name => !name.startsWith('old ')), list = [];
		if (names.length > 1)
			list.push(makeSelect('Width', names.map(name => [name, measureLabel(view.graph, name)]), options.measure, set('measure')).element);
		if (isDiff) {
			list.push(makeSelect('Width of', [['both', 'the larger one'], ['now', 'now'], ['old', 'before']],
				options.width, set('width')).element);
			list.push(makeSwitch('Normalised', options.normalised, set('normalised')));
		}
		const colours = [['kind', 'kind'], ['name', 'name']];
		if (isDiff)
			colours.unshift(['difference', 'difference']);
		list.push(makeSelect('Colour by', colours, view.colour(), set('colour')).element);
		list.push(makeSwitch('Reversed', options.reversed, set('reversed')));
		list.push(makeSwitch('Fold recursion', options.folded, set('folded')));
		list.push(makeSwitch('Icicle', options.icicle, set('icicle')));
		return list;
	}

	updateLegend() {
		const {view} = this, colour = view.colour(), items = [];
		const add = (name, text) => items.push(make('span', {}, make('i', {class: 'swatch swatch-' + name}), text));
		if (colour === 'kind') {
			const kinds = new Set(view.frames.map(frame => frame.kind));
			for (const kind of KINDS)
				if (kinds.has(kind))
					add(kind, KIND_LABELS[kind]);
		} else if (colour === 'difference') {
			add('grown', 'more than before');
			add('shrunk', 'less than before');
			add('same', 'the same');
		}
		this.legend.replaceChildren(...items);
		this.notes.textContent = notesOf(view);
	}

	setQuery(text) {
		this.input.value = text;
		this.view.search(text);
	}

	showFound() {
		const {found, numbers} = this.view, total = numbers.total[0];
		this.result.textContent = !found ? '' :
			`${formatShare(found.value, total)} matched, ${formatNumber(found.value)}${found.isText ? ' (as text)' : ''}`;
	}

	showZoom() {
		this.backButton.disabled = !this.view.back.length;
		this.resetButton.disabled = !this.view.root;
		this.notes.textContent = notesOf(this.view);
	}
}

// Adds the controls to the element of VIEW.
export function addToolbar(view) {
	return new Toolbar(view);
}
