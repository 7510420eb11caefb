// SPDX-License-Identifier: Apache-2.0
// The line below a flame graph that describes one frame.
import {make} from './dom.js';
import {formatNumber, formatShare} from './format.js';
import {KIND_LABELS} from './palette.js';
import {addUp, measureLabel} from './tree.js';

function change(by) {
	return by === 0 ? 'the same' : `${by > 0 ? '+' : '-'}${formatNumber(Math.abs(by))}`;
}

class Details {
	constructor(view) {
		this.view = view;
		this.name = make('strong', {class: 'flame-name'});
		this.list = make('span', {class: 'flame-facts'});
		this.element = make('p', {class: 'flame-details'}, this.name, ' ', this.list);
		view.element.append(this.element);
	}

	// Returns [label, text] of what is known of NODE.
	factsOf(node) {
		const {view} = this, {total, self, now, old} = view.numbers, {parents} = view.tree, frame = view.frameOf(node);
		const facts = [];
		if (frame && frame.object)
			facts.push(['in', frame.object]);
		if (frame && frame.file)
			facts.push(['at', frame.file + (frame.line ? ':' + frame.line : '')]);
		if (frame)
			facts.push(['kind', KIND_LABELS[frame.kind]]);
		facts.push([view.isDiff ? 'width' : measureLabel(view.graph, view.options.measure), formatNumber(total[node])]);
		facts.push(['of all', formatShare(total[node], total[0])]);
		if (parents[node] > 0)
			facts.push(['of its parent', formatShare(total[node], total[parents[node]])]);
		facts.push(['itself', formatNumber(self[node])]);
		if (now)
			facts.push(['before', formatNumber(old[node])], ['now', formatNumber(now[node])], ['change', change(now[node] - old[node])]);
		for (const name of view.forward.names)
			if (name !== view.options.measure && !view.isDiff)
				facts.push([measureLabel(view.graph, name), formatNumber(this.otherTotal(name)[node])]);
		return facts;
	}

	// The totals of a measure that is not drawn.
	otherTotal(name) {
		const {tree} = this.view;
		if (this.tree !== tree) {
			this.tree = tree;
			this.totals = {};
		}
		return this.totals[name] = this.totals[name] || addUp(tree, tree.values[tree.names.indexOf(name)]);
	}

	// NODE -1: the one that has the focus.
	show(node) {
		const {view} = this, which = node >= 0 ? node : view.focused;
		this.name.textContent = view.nameOf(which);
		this.list.replaceChildren(...this.factsOf(which).map(([label, text]) =>
			make('span', {class: 'fact'}, make('span', {class: 'fact-label', text: label}), ' ', make('span', {text}))));
	}
}

// Adds the line to the element of VIEW.
export function addDetails(view) {
	return new Details(view);
}
