// SPDX-License-Identifier: Apache-2.0
// The flame graph of a fleet's stacks, merged over hosts; and what changed between two times or two groups of hosts.
import {readFrames, shownText} from './data.js';
import {make, makeSelect} from './dom.js';
import {flameGraph} from './flame.js';
import {makeTime} from './fleet_form.js';
import {isDistribution, oldTimeOf, putFilters} from './fleet_state.js';
import {formatNumber} from './format.js';

const COMPARE = [['no', 'nothing'], ['before', 'the time just before'], ['day', 'the day before'], ['other', 'another time'],
	['hosts', 'other hosts, by name']];
const REST = ['rest', 'all hosts without these cells'];

// Returns the aggregations of LIST whose stacks can be drawn for AGGREGATION, its own first.
export function sourcesOf(list, aggregation) {
	const adds = ({stack, function: name}) => stack && name !== 'min' && name !== 'max';
	const others = list.filter(other => other.prog === aggregation.prog && other !== aggregation && adds(other));
	return adds(aggregation) ? [aggregation, ...others] : others;
}

function hostsOf(filters) {
	return {only: filters.only.filter(({part}) => !part), without: filters.without.filter(({part}) => !part)};
}

// Returns STATE without a comparison that is of cells alone, if there are none.
function comparable(state, chosen) {
	return state.compare === 'rest' && chosen.low === null ? {...state, compare: 'no'} : state;
}

// Returns the filters of the older side, or of the same hosts.
function oldFilters(state, chosen, filters) {
	const host = text => ({part: 0, text});
	if (state.compare === 'hosts')
		return {only: state.old_hosts.split(/[\s,]+/).filter(Boolean).map(host), without: []};
	if (state.compare === 'rest')
		return {only: [], without: chosen.hosts.map(host)};
	return filters;
}

// Returns the question for the stacks of SOURCE. CHOSEN: {from, to, low, high, filters, hosts} of the cells, low is null if they have
// no values.
export function stackQuestion(state, aggregation, source, chosen) {
	const own = source === aggregation, isCells = chosen.low !== null;
	const through = !own && isCells;
	const filters = own || through ? chosen.filters : hostsOf(chosen.filters);
	const parameters = new URLSearchParams({
		what: 'flame', prog: source.prog, agg: source.agg, table: isDistribution(source) ? 'distributions' : 'numbers',
		from: chosen.from, to: chosen.to,
	});
	if (isCells) {
		parameters.set('low', chosen.low);
		parameters.set('high', chosen.high);
	}
	if (through)
		parameters.set('through', aggregation.agg);
	putFilters(parameters, filters);
	const old = oldTimeOf(state, [chosen.from, chosen.to]);
	if (old) {
		parameters.set('old_from', old[0]);
		parameters.set('old_to', old[1]);
		putFilters(parameters, oldFilters(state, chosen, through ? {only: [], without: []} : filters), 'old_');
	}
	return parameters;
}

export class FleetStacks {
	constructor(page) {
		this.page = page;
		this.head = make('div', {});
		this.note = make('p', {class: 'heat-note', role: 'status'});
		this.view = make('div', {});
		this.element = make('section', {class: 'fleet-stacks', hidden: true, 'aria-label': 'Stacks'}, this.head, this.note, this.view);
	}

	clear() {
		this.element.hidden = true;
		this.chosen = null;
	}

	// Shows the stacks of the cells that are CHOSEN of AGGREGATION.
	async show(aggregation, chosen) {
		const {page} = this, state = comparable(page.state, chosen), sources = sourcesOf(page.list, aggregation);
		if (!sources.length)
			return this.clear();
		const source = sources.find(({agg}) => agg === state.stacks) || sources[0];
		this.element.hidden = false;
		this.aggregation = aggregation;
		this.state = state;
		this.chosen = chosen;
		this.head.replaceChildren(make('h3', {text: 'Stacks'}), this.makeControls(state, sources, source));
		this.note.textContent = 'Waiting for stacks';
		const data = await page.ask('stacks', stackQuestion(state, aggregation, source, chosen));
		if (data && this.chosen === chosen)
			this.draw(data, aggregation, source);
		return undefined;
	}

	makeControls(state, sources, source) {
		const {page} = this, again = changes => page.go(changes, () => this.show(this.aggregation, this.chosen));
		const compares = this.chosen.low === null ? COMPARE : [...COMPARE, REST], controls = [];
		if (sources.length > 1)
			controls.push(makeSelect('Aggregation', sources.map(({agg, function: name}) => [agg, `@${agg === '_' ? '' : shownText(agg)} ${name}()`]), source.agg,
				stacks => again({stacks})).element);
		controls.push(makeSelect('Compare with', compares, state.compare, compare => again({compare})).element);
		if (state.compare === 'other')
			controls.push(make('span', {}, makeTime('From', state.old_from, value => again({old_from: value})), ' to ',
				makeTime('To', state.old_to, value => again({old_to: value}))));
		if (state.compare === 'hosts') {
			const input = make('input', {type: 'text', value: state.old_hosts, 'aria-label': 'Hosts', placeholder: 'host host ...',
				change: () => again({old_hosts: input.value})});
			controls.push(input);
		}
		return make('p', {class: 'fleet-form'}, ...controls);
	}

	draw(data, aggregation, source) {
		if (data.empty) {
			this.note.textContent = 'There are no stacks.';
			this.view.hidden = true;
			return;
		}
		const notes = [`${formatNumber(data.stacks)} stacks, of rows ${data.rows === 'raw' ? 'as sent' : 'by ' + data.rows}.`];
		if (data.cut)
			notes.push('Only the largest are drawn.');
		if (source !== aggregation && this.chosen.low !== null)
			notes.push('All of the hosts that have values in these cells, in the same time.');
		if (data.graphs[0].values.length > 1 && (this.state.compare === 'rest' || this.state.compare === 'hosts'))
			notes.push('“Before” means the other hosts.');
		this.note.textContent = notes.join(' ');
		this.view.hidden = false;
		const shown = {frames: readFrames(data.frames), graph: data.graphs[0]};
		// a graph with an older side has other controls
		if (this.flame && this.compared === (data.graphs[0].values.length > 1)) {
			this.flame.update(shown);
			return;
		}
		if (this.flame)
			this.flame.destroy();
		this.compared = data.graphs[0].values.length > 1;
		this.flame = flameGraph(this.view, shown);
	}
}
