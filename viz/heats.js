// SPDX-License-Identifier: Apache-2.0
// Shows the heat maps of a picture, below each other.
import {readFrames} from './data.js';
import {make} from './dom.js';
import {graphTitle} from './flames.js';
import {heatMap} from './heat.js';

// Adds the heat maps of PICTURE to CONTAINER, with OPTIONS as of heatMap(). Returns {update(picture)}: the same maps, or more of them, with other numbers.
export function showHeatMaps(container, picture, options = {}) {
	const views = new Map();
	const update = ({frames, graphs, heatmaps, stacks = []}) => {
		const read = readFrames(frames), others = [...heatmaps, ...stacks];
		for (const map of heatmaps) {
			const title = graphTitle(map), data = {frames: read, graphs, map, others};
			if (views.has(title)) {
				views.get(title).update(data);
			} else {
				const element = make('article', {}, make('h2', {text: title}));
				container.append(element);
				views.set(title, heatMap(element, data, options));
			}
		}
	};
	update(picture);
	return {update};
}
