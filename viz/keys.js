// SPDX-License-Identifier: Apache-2.0
// The keys of a flame graph.

// Returns the widest drawn child of NODE, or -1.
function widestChild(view, node) {
	let best = -1;
	for (const box of view.boxes)
		if (view.tree.parents[box.node] === node && (best === -1 || view.numbers.total[box.node] > view.numbers.total[best]))
			best = box.node;
	return best;
}

// Returns the drawn neighbour of NODE in its row, STEP boxes to the right, or -1.
function neighbour(view, node, step) {
	const own = view.boxes.find(box => box.node === node);
	if (!own)
		return -1;
	const row = view.boxes.filter(box => box.depth === own.depth).sort((a, b) => a.left - b.left);
	const other = row[row.indexOf(own) + step];
	return other ? other.node : -1;
}

function moveTo(view, key) {
	const outwards = view.options.icicle ? 'ArrowUp' : 'ArrowDown', node = view.focused;
	switch (key) {
	case 'ArrowLeft': return neighbour(view, node, -1);
	case 'ArrowRight': return neighbour(view, node, 1);
	case outwards: return view.tree.parents[node];
	default: return widestChild(view, node);
	}
}

// Returns true if KEY, pressed in the frames, did something.
function pressedInFrames(view, key) {
	switch (key) {
	case 'ArrowLeft':
	case 'ArrowRight':
	case 'ArrowUp':
	case 'ArrowDown':
		view.focus(moveTo(view, key));
		return true;
	case 'Enter':
	case ' ':
		view.zoom(view.focused);
		return true;
	case 'Home':
		view.reset();
		return true;
	default:
		return false;
	}
}

// Esc in the search field clears it; elsewhere it goes back, and clears the search if there is no way back.
function pressedEscape(view, inSearch) {
	if (inSearch || !view.goBack()) {
		view.toolbar.setQuery('');
		if (inSearch)
			view.focus(view.focused);
	}
}

// Returns {remove()}. Of several flame graphs on a page, the first one gets the keys that are pressed outside of all.
export function addKeys(view) {
	const pressed = event => {
		const target = event.target, inside = view.element.contains(target);
		const typing = target.closest && target.closest('input, select, textarea');
		if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (!inside && (typing || (target.closest && target.closest('.flame'))))
			return;
		if (event.key === 'Escape')
			pressedEscape(view, target === view.toolbar.input);
		else if (event.key === '/' && !typing)
			view.toolbar.input.focus();
		else if (event.key === 'Enter' && target === view.toolbar.input)
			view.focus(view.focused);
		else if (!view.canvas.contains(target) || !pressedInFrames(view, event.key))
			return;
		event.preventDefault();
	};
	document.addEventListener('keydown', pressed);
	return {remove: () => document.removeEventListener('keydown', pressed)};
}
