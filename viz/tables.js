// SPDX-License-Identifier: Apache-2.0
// Shows aggregations as tables, and distributions as bars.
import {shownText} from './data.js';
import {make} from './dom.js';
import {formatNumber} from './format.js';
import {graphTitle} from './flames.js';

const MOST = 50; // rows of a table, the largest
const LOW = -(2 ** 63), HIGH = 2 ** 63; // ends of buckets that have none

// Returns the bounds of a bucket in words.
export function bucketTitle([low, high]) {
	if (low <= LOW)
		return `up to ${formatNumber(high)}`;
	if (high >= HIGH)
		return `from ${formatNumber(low)}`;
	return low === high ? formatNumber(low) : `${formatNumber(low)} to ${formatNumber(high)}`;
}

// Returns the rows of a table as they are shown: the last one of the text output first.
export function shownRows(table) {
	return table.rows.slice(-MOST).reverse();
}

// Returns the text of a key; a stack is its frames, innermost first.
export function keyText(key) {
	return Array.isArray(key) ? key.map(shownText).join('\n') : shownText(key);
}

// The innermost frame of a stack, and below it the others if the user opens it: OPEN has the texts of the stacks that are open.
function stackView(key, open) {
	const text = keyText(key), frames = key.map(shownText);
	const view = make('details', {
		class: 'stack', open: open.has(text), toggle: () => {
			if (view.open)
				open.add(text);
			else if (view.isConnected) // not one that was replaced
				open.delete(text);
		},
	}, make('summary', {text: frames[0]}), make('ol', {}, ...frames.slice(1).map(frame => make('li', {text: frame}))));
	view.stack = text;
	return view;
}

function keyView(key, open) {
	if (!Array.isArray(key) || key.length < 2)
		return make('span', {text: keyText(key)});
	return stackView(key, open);
}

function scalarRow(row, open) {
	return make('tr', {}, ...row.keys.map(key => make('td', {}, keyView(key, open))),
		make('td', {class: 'number', text: formatNumber(row.value)}));
}

function bar(count, most) {
	const element = make('div', {class: 'bar'});
	element.style.width = 100 * count / most + '%';
	return element;
}

function distributionRows(row, open) {
	const most = Math.max(1, ...row.buckets.map(bucket => Math.abs(bucket[2])));
	const keys = row.keys.flatMap((key, i) => i ? [', ', keyView(key, open)] : [keyView(key, open)]);
	const title = row.keys.length ? [make('tr', {}, make('th', {colspan: 3, scope: 'rowgroup'}, ...keys))] : [];
	return title.concat(row.buckets.map(bucket => make('tr', {},
		make('td', {class: 'number', text: bucketTitle(bucket)}),
		make('td', {class: 'bars'}, bar(Math.abs(bucket[2]), most)),
		make('td', {class: 'number', text: formatNumber(bucket[2])}))));
}

function fillTable(element, table, open) {
	const rows = shownRows(table);
	const more = table.total > rows.length ? `, the largest ${rows.length} of ${table.total}` : '';
	const active = element.contains(document.activeElement) ? document.activeElement.parentElement.stack : undefined;
	element.replaceChildren(make('caption', {text: graphTitle(table) + more}),
		make('tbody', {}, ...rows.flatMap(row => row.buckets ? distributionRows(row, open) : [scalarRow(row, open)])));
	const again = active !== undefined && [...element.querySelectorAll('.stack')].find(view => view.stack === active);
	if (again)
		again.querySelector('summary').focus();
}

// Adds the tables of DATA to CONTAINER. Returns {update(data)}.
export function showTables(container, data) {
	const elements = new Map(), open = new Set();
	const update = ({tables}) => {
		for (const table of tables) {
			const name = graphTitle(table);
			if (!elements.has(name)) {
				elements.set(name, make('table', {class: 'aggregation'}));
				container.append(elements.get(name));
			}
			fillTable(elements.get(name), table, open);
		}
	};
	update(data);
	return {update};
}
