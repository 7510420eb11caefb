// SPDX-License-Identifier: Apache-2.0
// The colours of heat maps. Lightness changes evenly with the shade, so that they can be told apart without hues; the
// first shade differs from the background. Nothing here needs a browser.
import {SHADES} from './heat_data.js';

// Stops of the ramp from the lowest to the highest shade; heat_colour() of src/pictures/heat.c has those of light pages.
const RAMPS = {
	light: [[253, 212, 130], [245, 155, 79], [200, 64, 90], [107, 29, 110], [31, 12, 58]],
	dark: [[84, 36, 120], [143, 48, 122], [212, 81, 79], [245, 155, 60], [253, 240, 160]],
};

export const BACKGROUNDS = {light: [255, 255, 255], dark: [24, 25, 28]};

// Hues that colour-blind people can tell apart, for keys; their names are those of the menu.
export const HUES = [
	{name: 'blue', colour: [0, 114, 178]}, {name: 'orange', colour: [213, 94, 0]}, {name: 'green', colour: [0, 158, 115]},
	{name: 'pink', colour: [204, 121, 167]}, {name: 'sky', colour: [86, 180, 233]}, {name: 'yellow', colour: [200, 170, 20]},
];

function mix(a, b, part) {
	return a.map((n, i) => Math.round(n + (b[i] - n) * part));
}

function stopsOf(theme, hue) {
	if (!hue)
		return RAMPS[theme];
	const {colour} = HUES[hue - 1], white = [255, 255, 255], black = [0, 0, 0];
	return theme === 'light'
		? [mix(white, colour, 0.45), colour, mix(colour, black, 0.6)]
		: [mix(colour, black, 0.35), colour, mix(colour, white, 0.75)];
}

// Returns [r, g, b] for shades 0, the background, to SHADES. HUE 0: the ramp; else number HUE - 1 of HUES.
export function rampOf(theme, hue = 0) {
	const stops = stopsOf(theme, hue), list = [BACKGROUNDS[theme]];
	for (let shade = 1; shade <= SHADES; shade++) {
		const at = (shade - 1) / (SHADES - 1) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at));
		list.push(mix(stops[i], stops[i + 1], at - i));
	}
	return list;
}

// Returns the colours as words of an ImageData's buffer.
export function packRamp(ramp) {
	return Uint32Array.from(ramp, ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0);
}
