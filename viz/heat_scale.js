// SPDX-License-Identifier: Apache-2.0
// The scale of a heat map: its colours, and the counts that they stand for.
import {make} from './dom.js';
import {formatNumber} from './format.js';
import {rampOf} from './heat_colour.js';
import {SHADES, shadesOf} from './heat_data.js';

// Returns the counts of the cells with the lowest, the middle and the highest shade of LEVEL; [] if there is no cell.
export function scaleCounts(level, mode) {
	const shades = shadesOf(level, mode), {counts} = level, wanted = [1, (1 + SHADES) / 2, SHADES];
	if (!counts.length)
		return [];
	return wanted.map(shade => {
		let best = 0;
		for (let i = 1; i < counts.length; i++)
			if (Math.abs(shades[i] - shade) < Math.abs(shades[best] - shade))
				best = i;
		return counts[best];
	});
}

class HeatScale {
	constructor(view) {
		this.view = view;
		this.canvas = make('canvas', {width: SHADES, height: 1, role: 'img', 'aria-label': 'The colours from the lowest to the highest count'});
		this.least = make('span', {});
		this.most = make('span', {});
		this.element = make('p', {class: 'heat-scale'}, make('span', {text: 'Values in a cell'}), this.least, this.canvas, this.most);
	}

	// Draws the colours of the shades, and the counts of what is drawn.
	draw() {
		const {view} = this, ramp = rampOf(view.canvas.theme), context = this.canvas.getContext('2d');
		const counts = scaleCounts(view.canvas.level(), view.mode);
		ramp.slice(1).forEach(([r, g, b], i) => {
			context.fillStyle = `rgb(${r}, ${g}, ${b})`;
			context.fillRect(i, 0, 1, 1);
		});
		this.element.hidden = !counts.length;
		if (!counts.length)
			return;
		this.least.textContent = formatNumber(counts[0]);
		this.most.textContent = `${formatNumber(counts[2])}, in the middle ${formatNumber(counts[1])}`;
	}
}

export function addHeatScale(view) {
	return new HeatScale(view);
}
