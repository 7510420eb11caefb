// SPDX-License-Identifier: Apache-2.0
// The list of a heat map's keys: which are shown, with which hue, and their counts in the chosen cells.
import {make} from './dom.js';
import {formatNumber, formatShare} from './format.js';
import {swatchColour} from './heat_canvas.js';
import {HUES} from './heat_colour.js';
import {sumKeys} from './heat_data.js';

const MOST_KEYS = 100; // rows of the list

export function keysText(keys) {
	return keys.length ? keys.join(', ') : 'all';
}

class KeyList {
	constructor(view) {
		this.view = view;
		this.filter = make('input', {
			type: 'search', 'aria-label': 'Find keys', placeholder: 'Find keys', spellcheck: 'false', autocomplete: 'off',
			input: () => this.update(),
		});
		this.all = make('button', {type: 'button', text: 'Show all', click: () => view.showKeys(() => true)});
		this.body = make('tbody', {});
		this.note = make('p', {class: 'heat-note'});
		this.table = make('table', {class: 'heat-keys'},
			make('thead', {}, make('tr', {}, ...['Key', 'Count', 'Share', ''].map(text => make('th', {scope: 'col', text})))), this.body);
		this.element = make('div', {class: 'heat-key-list'}, make('p', {class: 'heat-key-tools'}, this.filter, ' ', this.all), this.table, this.note);
	}

	// SUMS: the counts by series of the chosen cells, or of all.
	update(sums = this.sums) {
		const {view} = this, {heat} = view, text = this.filter.value.toLowerCase();
		const counts = sumKeys(heat, sums), whole = counts.reduce((sum, {count}) => sum + count, 0);
		const seen = new Set(counts.map(({keys}) => keys));
		heat.keys.forEach((names, keys) => {
			if (!seen.has(keys) && (!view.shown[keys] || !view.region))
				counts.push({keys, count: 0});
		});
		const found = counts.filter(({keys}) => !text || keysText(heat.keys[keys]).toLowerCase().includes(text));
		this.sums = sums;
		this.all.disabled = view.shown.every(Boolean);
		this.body.replaceChildren(...found.slice(0, MOST_KEYS).map(({keys, count}) => this.row(keys, count, whole)));
		this.note.textContent = found.length > MOST_KEYS ? `${formatNumber(found.length - MOST_KEYS)} more keys are not listed.` : '';
	}

	row(keys, count, whole) {
		const {view} = this, name = keysText(view.heat.keys[keys]), shown = view.shown[keys];
		const isolated = shown && view.shown.filter(Boolean).length === 1 && view.heat.keys.length > 1;
		const only = make('button', {
			type: 'button', text: 'Only', 'aria-pressed': String(isolated), 'aria-label': `Show only ${name}`, 'data-only': keys,
			click: () => this.act(`[data-only="${keys}"]`, () => view.showKeys(isolated ? () => true : other => other === keys)),
		});
		const hide = make('button', {
			type: 'button', text: 'Hide', 'aria-pressed': String(!shown), 'aria-label': `Hide ${name}`, 'data-hide': keys,
			click: () => this.act(`[data-hide="${keys}"]`, () => view.showKeys(other => other === keys ? !shown : view.shown[other])),
		});
		return make('tr', {class: shown ? '' : 'hidden-key'}, make('th', {scope: 'row', text: name}),
			make('td', {text: formatNumber(count)}), make('td', {text: formatShare(count, whole)}),
			make('td', {}, only, ' ', hide, ' ', this.hueMenu(keys, name)));
	}

	hueMenu(keys, name) {
		const {view} = this, hue = view.hues[keys];
		const menu = make('select', {
			'aria-label': `Hue of ${name}`, 'data-hue': keys,
			change: () => this.act(`[data-hue="${keys}"]`, () => view.setHue(keys, Number(menu.value))),
		}, make('option', {value: 0, text: 'no hue'}), ...HUES.map(({name: text}, i) => make('option', {value: i + 1, text})));
		menu.value = String(hue);
		if (hue)
			menu.style.borderColor = menu.style.outlineColor = swatchColour(HUES[hue - 1].colour);
		return menu;
	}

	// The list is made anew; the focus stays where it was.
	act(selector, change) {
		change();
		const element = this.body.querySelector(selector);
		if (element)
			element.focus();
	}
}

export function addKeyList(view) {
	return new KeyList(view);
}
