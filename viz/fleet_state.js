// SPDX-License-Identifier: Apache-2.0
// What the page of a fleet shows, as the fragment of its address: links and the browser's history work. Nothing here needs a browser.
import {shownText} from './data.js';

const DEFAULTS = {
	prog: '', agg: '', range: '600', from: '', to: '', by: 'none', rows: 'auto', shards: 'all', stacks: '', compare: 'no', old_from: '', old_to: '', old_hosts: '',
};

const DISTRIBUTIONS = ['quantize', 'lquantize', 'llquantize'];

export function isDistribution(aggregation) {
	return DISTRIBUTIONS.includes(aggregation.function);
}

// Returns the state that FRAGMENT, without its #, describes; only and without are lists of {part, text}.
export function readState(fragment) {
	const parameters = new URLSearchParams(fragment), state = {...DEFAULTS};
	for (const name of Object.keys(DEFAULTS))
		if (parameters.has(name))
			state[name] = parameters.get(name);
	for (const name of ['only', 'without'])
		state[name] = parameters.getAll(name).filter(text => /^[0-4]:/.test(text))
			.map(text => ({part: Number(text[0]), text: text.slice(2)}));
	return state;
}

export function writeState(state) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(DEFAULTS))
		if (state[name] !== value)
			parameters.set(name, state[name]);
	for (const name of ['only', 'without'])
		for (const {part, text} of state[name])
			parameters.append(name, `${part}:${text}`);
	return parameters.toString();
}

// Returns STATE with rows of TEXT alone in PART, or without them.
export function isolate(state, part, text) {
	return {...state, only: [...state.only.filter(filter => filter.part !== part), {part, text}]};
}

export function exclude(state, part, text) {
	return {...state, without: [...state.without.filter(filter => filter.part !== part || filter.text !== text), {part, text}]};
}

// Returns STATE without filter number I of list NAME.
export function withoutFilter(state, name, i) {
	return {...state, [name]: state[name].filter((filter, k) => k !== i)};
}

export function partName(part) {
	return part ? `key ${part}` : 'host';
}

export function filterText(name, {part, text}) {
	return `${name} ${partName(part)} ${shownText(text)}`;
}

// Returns [from, to] in seconds since 1970 for STATE at the time NOW, or null if the user has not said.
export function timeOf(state, now) {
	if (state.range !== 'other')
		return [now - Number(state.range), now];
	const times = [state.from, state.to].map(text => Math.floor(new Date(text).getTime() / 1000));
	return times.every(Number.isFinite) && times[0] < times[1] ? times : null;
}

// Returns the time that the time [FROM, TO] is compared with, or null.
export function oldTimeOf(state, [from, to]) {
	switch (state.compare) {
	case 'before':
		return [from - (to - from), from];
	case 'day':
		return [from - 86400, to - 86400];
	case 'other':
		return timeOf({range: 'other', from: state.old_from, to: state.old_to}, 0);
	case 'hosts':
	case 'rest':
		return [from, to];
	default:
		return null;
	}
}

// Appends filters to the URLSearchParams of a question; PREFIX is "old_" or "".
export function putFilters(parameters, filters, prefix = '') {
	for (const name of ['only', 'without'])
		for (const {part, text} of filters[name])
			parameters.append(prefix + name, `${part}:${text}`);
}

// Returns the filters that the keys which are SHOWN mean: VALUES are the texts of the groups, whose number 0 is all others.
export function shownFilters(part, values, shown) {
	const filters = {only: [], without: []};
	values.forEach((text, i) => {
		if (shown[0] && !shown[i + 1])
			filters.without.push({part, text});
		else if (!shown[0] && shown[i + 1])
			filters.only.push({part, text});
	});
	return filters;
}
