// SPDX-License-Identifier: Apache-2.0
// The page of a fleet: asks the server that it came from (src/fleet/request.h), and shows what comes.
import {shownText} from './data.js';
import {make} from './dom.js';
import {makeFilters, makeForm, partsOf} from './fleet_form.js';
import {makeParts} from './fleet_parts.js';
import {FleetStacks} from './fleet_stacks.js';
import {isDistribution, putFilters, readState, shownFilters, timeOf, writeState} from './fleet_state.js';
import {heatMap} from './heat.js';

const WAIT = 200; // ms between a choice and its question

function local(seconds) {
	const date = new Date((seconds - new Date(seconds * 1000).getTimezoneOffset() * 60) * 1000);
	return date.toISOString().slice(0, 19);
}

class Fleet {
	constructor(container, picture) {
		this.list = [];
		this.state = readState(window.location.hash.slice(1));
		this.turns = {};
		this.status = make('p', {class: 'status', role: 'status', text: 'Asking'});
		this.form = make('div', {class: 'fleet-form', role: 'toolbar', 'aria-label': 'What is shown'});
		this.filters = make('ul', {class: 'fleet-filters', 'aria-label': 'Filters'});
		this.note = make('p', {class: 'heat-note'});
		this.map = make('article', {});
		this.parts = make('section', {class: 'fleet-parts', 'aria-label': 'Hosts and keys'});
		this.stacks = new FleetStacks(this);
		container.append(make('p', {class: 'fleet-url', text: picture.url}), this.status, this.form, this.filters, this.note, this.map, this.parts,
			this.stacks.element);
		window.addEventListener('hashchange', () => this.show());
		this.watch();
		this.reload();
	}

	// Says when dtrace ends.
	watch() {
		const source = new EventSource('events');
		source.addEventListener('end', () => {
			source.close();
			this.say('dtrace has ended');
		});
	}

	say(text) {
		this.status.textContent = text;
	}

	// Returns the answer to the question PARAMETERS, or null if it failed or a later one of the same KIND was asked.
	async ask(kind, parameters) {
		const turn = this.turns[kind] = (this.turns[kind] || 0) + 1;
		let answer;
		parameters.set('shards', this.state.shards);
		this.say('Asking');
		try {
			const response = await fetch('ask?' + parameters);
			answer = response.ok ? await response.json() : {error: (await response.text()).trim()};
		} catch (error) {
			answer = {error: 'dtrace does not answer'};
		}
		if (turn !== this.turns[kind])
			return null;
		this.say(answer.error ? shownText(answer.error) : '');
		this.status.classList.toggle('problem', Boolean(answer.error));
		// what a shard that is down leads to has different texts, and this status
		if (answer.error && this.state.shards === 'all' && answer.error.endsWith('(HTTP status 500)'))
			this.status.append(' ', make('button', {type: 'button', text: 'Ask without shards that do not answer', click: () => this.showOthers()}));
		return answer.error ? null : answer;
	}

	// Leaves out the shards that are down.
	showOthers() {
		this.state = {...this.state, shards: 'up'};
		history.replaceState(null, '', '#' + writeState(this.state));
		this.reload();
	}

	// Shows another state; AFTER, which shows all that is different, is called if only the stacks are.
	go(changes, after = null) {
		const state = {...this.state, ...changes};
		if (after) {
			this.state = state;
			history.replaceState(null, '', '#' + writeState(state));
			after();
		} else {
			window.location.hash = writeState(state);
		}
	}

	// The times that are shown, for fields that begin with them.
	lastTimes() {
		const [from, to] = this.time || timeOf({range: '600'}, Math.floor(Date.now() / 1000));
		return {from: local(from), to: local(to)};
	}

	async reload() {
		const answer = await this.ask('list', new URLSearchParams({what: 'list'}));
		if (answer) {
			this.list = answer.aggregations;
			this.show();
		} else if (!this.list.length) {
			this.form.replaceChildren(make('button', {type: 'button', text: 'Ask again', click: () => this.reload()}));
		}
		performance.mark('asked');
	}

	// ---- what is shown

	show() {
		const state = readState(window.location.hash.slice(1)), {list} = this;
		if (!list.some(({prog}) => prog === state.prog))
			state.prog = list.length ? list[0].prog : '';
		const own = list.filter(({prog}) => prog === state.prog);
		if (!own.some(({agg}) => agg === state.agg))
			state.agg = (own.find(isDistribution) || own[0] || {agg: ''}).agg;
		// answers to what was shown before, and the next question about it, come too late
		clearTimeout(this.timer);
		for (const kind of Object.keys(this.turns))
			this.turns[kind]++;
		this.state = state;
		this.aggregation = own.find(({agg}) => agg === state.agg);
		this.form.replaceChildren(...makeForm(this, state));
		this.filters.replaceChildren(...makeFilters(this, state));
		this.parts.replaceChildren();
		this.stacks.clear();
		this.asked = '';
		if (!this.aggregation)
			return this.say('There are no aggregations yet.');
		this.time = timeOf(state, Math.ceil(Date.now() / 1000));
		if (!this.time)
			return this.say('The time ends before it begins.');
		return isDistribution(this.aggregation) ? this.showMap() : this.showNumbers();
	}

	question(what) {
		const {prog, agg} = this.state, [from, to] = this.time;
		return new URLSearchParams({what, prog, agg, from, to});
	}

	async showMap() {
		const parameters = this.question('heat'), {state} = this;
		parameters.set('by', state.by);
		parameters.set('rows', state.rows);
		putFilters(parameters, state);
		const answer = await this.ask('map', parameters);
		if (!answer)
			return;
		if (answer.empty || !answer.heatmaps.length) {
			this.clearMap();
			this.say('There are no values in this time.');
			return;
		}
		const [map] = answer.heatmaps, {values} = answer;
		if (values.length)
			map.keys = [['(all others)'], ...values.map(value => [value])];
		map.function = this.aggregation.function;
		this.values = values;
		this.note.textContent = `Columns of ${answer.width} s, from rows ${answer.rows === 'raw' ? 'as sent' : 'by ' + answer.rows}.`;
		const data = {frames: [], graphs: [], map, others: []};
		if (this.heat)
			this.heat.update(data);
		else
			this.heat = heatMap(this.map, data, {hue: i => i, chosen: (...args) => this.choose(...args)});
		performance.mark('shown');
	}

	clearMap() {
		if (this.heat)
			this.heat.destroy();
		this.heat = null;
		this.note.textContent = '';
	}

	// The cells REGION of HEAT are chosen, and the keys that are SHOWN.
	choose(heat, region, shown) {
		if (!region) {
			clearTimeout(this.timer);
			this.asked = '';
			this.parts.replaceChildren(make('p', {class: 'heat-note', text: 'Choose cells to see their hosts, keys and stacks.'}));
			this.stacks.clear();
			return;
		}
		const seconds = ns => Number((heat.start + BigInt(Math.round(ns))) / 1000000000n), {state} = this;
		const more = this.values.length ? shownFilters(Number(state.by), this.values, shown) : {only: [], without: []};
		const chosen = {
			from: seconds(heat.starts[region.from]), to: seconds(heat.ends[region.to - 1]),
			low: String(heat.bounds[region.low][0]), high: String(heat.bounds[region.high][1]),
			filters: {only: [...state.only, ...more.only], without: [...state.without, ...more.without]},
		};
		const text = JSON.stringify(chosen);
		if (text === this.asked)
			return; // the question is asked, or the timer will ask it
		clearTimeout(this.timer);
		this.asked = text;
		this.timer = setTimeout(() => this.showChosen(chosen), WAIT);
	}

	// Shows the hosts and keys of the cells that are CHOSEN, and their stacks.
	async showChosen(chosen) {
		const {aggregation} = this, parameters = this.question('cells');
		parameters.set('from', chosen.from);
		parameters.set('to', chosen.to);
		parameters.set('table', isDistribution(aggregation) ? 'distributions' : 'numbers');
		if (chosen.low !== null) {
			parameters.set('low', chosen.low);
			parameters.set('high', chosen.high);
		}
		putFilters(parameters, chosen.filters);
		const answer = await this.ask('cells', parameters);
		if (!answer)
			return;
		const parts = answer.empty ? [] : answer.parts;
		this.parts.replaceChildren(...makeParts(this, parts, partsOf(aggregation)));
		if (!parts.length)
			this.parts.replaceChildren(make('p', {class: 'heat-note', text: 'There are no values.'}));
		await this.stacks.show(aggregation, {...chosen, hosts: (parts[0] || []).map(([text]) => text)});
	}

	async showNumbers() {
		const {aggregation, state} = this, [from, to] = this.time, filters = {only: state.only, without: state.without};
		this.clearMap();
		if (aggregation.function === 'min' || aggregation.function === 'max') {
			this.say('');
			this.note.textContent = `${aggregation.function}() does not add up: docs/fleet.md has queries for it.`;
			return;
		}
		await this.showChosen({from, to, low: null, high: null, filters});
		performance.mark('shown');
	}
}

export function showFleet(container, picture) {
	return new Fleet(container, picture);
}
