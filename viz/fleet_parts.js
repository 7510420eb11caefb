// SPDX-License-Identifier: Apache-2.0
// The hosts and keys of the cells that are chosen, with what each has of the whole.
import {shownText} from './data.js';
import {make} from './dom.js';
import {partName, exclude, isolate, writeState} from './fleet_state.js';
import {formatNumber, formatShare} from './format.js';

const MOST_PARTS = 200; // LIMIT of ASK_CELLS

function makePartRow(page, part, [text, count], whole) {
	const name = shownText(text) || '(empty)', {state} = page;
	const link = make('a', {href: '#' + writeState(isolate(state, part, text)), text: name, title: `Show only this ${part ? 'key' : 'host'}`});
	const without = make('button', {
		type: 'button', text: 'Without', 'aria-label': `Leave out ${name}`, click: () => page.go(exclude(state, part, text)),
	});
	return make('tr', {}, make('th', {scope: 'row'}, link), make('td', {text: formatNumber(count)}),
		make('td', {text: formatShare(count, whole)}), make('td', {}, without));
}

function makePartTable(page, part, name, rows) {
	const whole = rows.reduce((sum, [, count]) => sum + count, 0);
	const heads = [name, 'Count', 'Share', ''].map(text => make('th', {scope: 'col', text}));
	const note = rows.length === MOST_PARTS ? [make('p', {class: 'heat-note', text: `Only the ${MOST_PARTS} largest are listed.`})] : [];
	return make('div', {class: 'fleet-part'}, make('table', {class: 'heat-keys', 'data-part': part}, make('thead', {}, make('tr', {}, ...heads)),
		make('tbody', {}, ...rows.map(row => makePartRow(page, part, row, whole)))), ...note);
}

// Returns tables for PARTS, lists of [text, count] by part. NAMES: [[part, name], ...] of those to show.
export function makeParts(page, parts, names) {
	return names.filter(([part]) => parts[part] && parts[part].length)
		.map(([part, name]) => makePartTable(page, part, part ? name : partName(0), parts[part]));
}
