// SPDX-License-Identifier: Apache-2.0
// The colours of frames. The colours of kinds are variables of the style sheet, which come from src/pictures/palette.def.

export const KIND_LABELS = {
	key: 'key', kernel: 'kernel', library: 'library', program: 'program', interpreted: 'interpreted', baseline: 'baseline', jit: 'JIT', inlined: 'inlined', unknown: 'unknown',
};

// FNV-1a.
function hashText(text) {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash >>> 0;
}

// Returns a warm colour that depends on NAME only.
export function warmColour(name) {
	const hash = hashText(name), shade = `${hash % 56} ${70 + (hash >>> 8) % 26}%`;
	return `light-dark(hsl(${shade} 70%), hsl(${shade} 24%))`;
}

// Returns the colour of a difference, as growth() gives it.
export function growthColour(by) {
	const percent = Math.round(Math.abs(by) * 100);
	return `color-mix(in srgb, var(${by < 0 ? '--shrunk' : '--grown'}) ${percent}%, var(--same))`;
}
