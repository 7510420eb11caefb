// SPDX-License-Identifier: Apache-2.0
// Shows the results of a running session as its server sends them (src/pictures/live.c).
import {make} from './dom.js';
import {showFlameGraphs} from './flames.js';
import {showHeatMaps} from './heats.js';
import {showTables} from './tables.js';

class Live {
	constructor(container) {
		this.status = make('p', {class: 'status', role: 'status', text: 'Waiting for data'});
		this.parts = {};
		container.append(this.status);
		for (const name of ['heatmap', 'flamegraph', 'tables']) {
			this.parts[name] = {section: make('section', {class: 'live-' + name}), view: null};
			container.append(this.parts[name].section);
		}
	}

	say(text) {
		if (this.status.textContent !== text)
			this.status.textContent = text;
	}

	// Show the document DATA with SHOW, which adds a view to a section and returns it.
	put(name, data, show) {
		const part = this.parts[name];
		if (part.view)
			part.view.update(data);
		else
			part.view = show(part.section, data);
		this.say('Live');
	}

	end() {
		this.say('Tracing has ended');
	}
}

// The page draws each flame graph once: the stacks of a map come when cells are chosen.
function showLiveMaps(container, picture) {
	return showHeatMaps(container, picture, {lateStacks: true});
}

export function showLive(container, picture) {
	const live = new Live(container), source = new EventSource(picture.events || 'events');
	const shows = {tables: showTables, flamegraph: showFlameGraphs, heatmap: showLiveMaps};
	for (const [name, show] of Object.entries(shows))
		source.addEventListener(name, event => live.put(name, JSON.parse(event.data), show));
	source.addEventListener('end', () => {
		source.close(); // it would connect again
		live.end();
	});
	source.addEventListener('error', () => {
		if (source.readyState === EventSource.CLOSED)
			live.say('The connection is lost');
		else
			live.say('Connecting');
	});
}
