// SPDX-License-Identifier: Apache-2.0
// Shows the flame graphs of a picture, one at a time.
import {readFrames} from './data.js';
import {make, makeSelect} from './dom.js';
import {flameGraph} from './flame.js';

// Returns "@name count()" for a graph.
export function graphTitle(graph) {
	if (!graph.function)
		return 'recorded stacks';
	return `@${graph.name === '_' ? '' : graph.name} ${graph.function}()`;
}

// Returns a sentence on what the widths of a graph's frames are.
function unitOf(graph) {
	if (!graph.function)
		return 'Width: how often the stack was recorded.';
	if (graph.function === 'count')
		return 'Width: how often the probe fired.';
	return graph.function === 'sum' ? 'Width: the sum of the values.' : `Width: how many values ${graph.function}() got, or their sum.`;
}

// Adds the flame graphs of PICTURE to CONTAINER. Returns {update(picture)}: the same graphs, or more of them, with other numbers.
export function showFlameGraphs(container, picture) {
	const head = make('div', {}), unit = make('p', {class: 'unit'}), view = make('div', {});
	let frames, graphs, titles = [], shown = 0, flame = null;
	const show = () => {
		unit.textContent = unitOf(graphs[shown]);
		if (flame)
			flame.update({frames, graph: graphs[shown]});
		else
			flame = flameGraph(view, {frames, graph: graphs[shown]});
	};
	const choose = () => make('p', {class: 'graphs'}, makeSelect('Aggregation', titles.map((title, i) => [i, title]), shown, i => {
		shown = Number(i);
		show();
	}).element);
	const update = next => {
		const old = titles.join('\n');
		frames = readFrames(next.frames);
		graphs = next.graphs;
		titles = graphs.map(graphTitle);
		if (titles.join('\n') !== old)
			head.replaceChildren(titles.length > 1 ? choose() : make('h2', {text: titles[0]}));
		show();
	};
	container.append(head, unit, view);
	update(picture);
	return {update};
}
