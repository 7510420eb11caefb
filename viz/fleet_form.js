// SPDX-License-Identifier: Apache-2.0
// The controls of a fleet's page: which program, aggregation, time and decomposition; and the filters.
import {shownText} from './data.js';
import {make, makeSelect} from './dom.js';
import {filterText, isDistribution, withoutFilter} from './fleet_state.js';

const RANGES = [['600', 'last 10 minutes'], ['3600', 'last hour'], ['86400', 'last day'], ['604800', 'last week'], ['other', 'from ... to']];
const ROWS = [['auto', 'chosen'], ['raw', 'as sent'], ['1s', 'by second'], ['1m', 'by minute'], ['10m', 'by 10 minutes']];

export function makeTime(label, value, changed) {
	const input = make('input', {type: 'datetime-local', step: 1, value, 'aria-label': label, change: () => changed(input.value)});
	return input;
}

// Returns the parts of AGGREGATION, [[number, name], ...], without keys that are stacks.
export function partsOf(aggregation) {
	const types = aggregation.types ? aggregation.types.split(', ') : [];
	const parts = [[0, 'host']];
	types.slice(0, 4).forEach((type, i) => {
		if (type !== 'stack' && type !== 'ustack')
			parts.push([i + 1, `key ${i + 1} (${shownText(type)})`]);
	});
	return parts;
}

// Returns the elements of the form for STATE. PAGE has list, the aggregations; go(changes) shows another state.
export function makeForm(page, state) {
	const {list} = page, programs = [...new Set(list.map(({prog}) => prog))];
	const own = list.filter(({prog}) => prog === state.prog), chosen = own.find(({agg}) => agg === state.agg);
	const set = name => value => page.go({[name]: value});
	const elements = [
		makeSelect('Program', programs.map(prog => [prog, shownText(prog)]), state.prog, prog => page.go({prog, agg: '', by: 'none', stacks: '', only: [], without: []})).element,
		makeSelect('Aggregation', own.map(({agg, function: name}) => [agg, `@${agg === '_' ? '' : shownText(agg)} ${name}()`]), state.agg,
			agg => page.go({agg, by: 'none', only: [], without: []})).element,
		makeSelect('Time', RANGES, state.range, range => page.go(range === 'other' ? {range, ...page.lastTimes()} : {range})).element,
	];
	if (state.range === 'other')
		elements.push(make('span', {}, makeTime('From', state.from, set('from')), ' to ', makeTime('To', state.to, set('to'))));
	if (chosen && isDistribution(chosen))
		elements.push(makeSelect('Decompose by', [['none', 'nothing'], ...partsOf(chosen)], state.by, set('by')).element,
			makeSelect('Rows', ROWS, state.rows, set('rows')).element);
	elements.push(make('button', {type: 'button', text: 'Ask again', click: () => page.reload()}));
	return elements;
}

function makeFilter(text, remove) {
	return make('li', {}, make('span', {text}), ' ', make('button', {type: 'button', text: 'Remove', 'aria-label': `Remove: ${text}`, click: remove}));
}

// Returns the filters of STATE, each with a button that removes it.
export function makeFilters(page, state) {
	const filters = ['only', 'without'].flatMap(name => state[name].map((filter, i) =>
		makeFilter(filterText(name, filter), () => page.go(withoutFilter(state, name, i)))));
	if (state.shards === 'up')
		filters.unshift(makeFilter('only shards that answer: the hosts of others are missing', () => page.go({shards: 'all'})));
	return filters;
}
