// SPDX-License-Identifier: Apache-2.0
// The stacks of the chosen cells of a heat map as a flame graph: those among its own keys, or those of another aggregation in the
// same columns.
import {make, makeSelect} from './dom.js';
import {flameGraph} from './flame.js';
import {graphTitle} from './flames.js';
import {isSameTicks, readHeat, readTicks, sumStacks, sumTimes} from './heat_data.js';
import {readGraph} from './tree.js';

export class HeatStacks {
	// OPTIONS as of heatMap().
	constructor(options = {}) {
		this.options = options;
		this.element = make('div', {class: 'heat-flame'});
		this.chosen = null; // title of the aggregation
	}

	// HEAT is MAP as read; OTHERS are maps and aggregations with stacks.
	update({frames, graphs, map, others = []}, heat) {
		const ticks = readTicks(map);
		Object.assign(this, {frames, graphs, map, heat});
		this.sources = new Map(map.graph === undefined ? [] : [[graphTitle(map), map]]);
		for (const other of others)
			if (other !== map && other.graph !== undefined && isSameTicks(ticks, readTicks(other)))
				this.sources.set(graphTitle(other), other);
		if (!this.sources.has(this.chosen))
			this.choose([...this.sources.keys()][0]);
		else
			this.choose(this.chosen);
		this.updateHead();
	}

	choose(title) {
		const source = this.sources.get(title);
		this.chosen = title;
		this.source = source && {
			own: source === this.map, heat: source === this.map ? this.heat : readHeat(source), tree: readGraph(this.graphs[source.graph]),
		};
	}

	updateHead() {
		const titles = [...this.sources.keys()], text = titles.join('\n');
		if (text === this.titles)
			return;
		this.titles = text;
		const old = this.head;
		this.head = make('div', {}, make('h3', {text: 'Stacks of these cells'}));
		if (titles.length > 1 || (titles.length && !this.source.own))
			this.head.append(make('p', {class: 'heat-stacks'}, makeSelect('Aggregation', titles.map(title => [title, title]), this.chosen, title => {
				this.choose(title);
				this.show(this.sums, this.region);
			}).element, ' ', this.note = make('span', {class: 'heat-note'})));
		if (old)
			old.replaceWith(this.head);
		else if (titles.length)
			this.element.prepend(this.head);
	}

	// SUMS: the counts by series of the chosen cells; REGION: their columns and rows, or null, which is all of them.
	show(sums, region) {
		this.sums = sums;
		this.region = region;
		this.element.hidden = Boolean(this.options.lateStacks && !region);
		if (!this.source || this.element.hidden)
			return;
		const {source, heat} = this, from = region ? region.from : 0, to = region ? region.to : heat.starts.length;
		const counts = source.own ? sums : sumTimes(source.heat, heat, from, to);
		const data = {frames: this.frames, graph: sumStacks(source.heat, source.tree, counts)};
		if (this.note)
			this.note.textContent = source.own ? '' : 'All of it in the same columns, whatever the rows and keys.';
		if (this.flame)
			this.flame.update(data);
		else
			this.flame = flameGraph(this.element, data);
	}
}
