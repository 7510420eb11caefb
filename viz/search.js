// SPDX-License-Identifier: Apache-2.0
// Finds frames by name.

// Returns the name with the object, as D prints a frame.
export function fullName(frame) {
	return (frame.object ? frame.object + '`' : '') + frame.name;
}

// Returns a function that says if a frame matches TEXT: the text is in its name, or the name matches it as a regular
// expression. Case counts if TEXT has a capital letter. `isText` is true if it is no expression.
export function makeMatcher(text) {
	const fold = text === text.toLowerCase();
	let expression = null;
	try {
		expression = new RegExp(text, fold ? 'iu' : 'u');
	} catch (error) {
		try {
			expression = new RegExp(text, fold ? 'i' : '');
		} catch (second) {
			/* only text */
		}
	}
	const matches = name => (fold ? name.toLowerCase() : name).includes(text) || (expression && expression.test(name));
	const matcher = frame => Boolean(matches(frame.name) || matches(fullName(frame)));
	matcher.isText = !expression;
	return matcher;
}

// Returns {frames, value}: which frames match (Uint8Array), and the part of the tree that is in them. A stack counts once,
// however many of its frames match. TOTAL as of addUp().
export function search(tree, frames, total, text) {
	const matcher = makeMatcher(text), found = new Uint8Array(frames.length), inside = new Uint8Array(total.length);
	frames.forEach((frame, i) => { found[i] = matcher(frame); });
	let value = 0;
	for (let i = 1; i < total.length; i++) {
		if (inside[tree.parents[i]]) {
			inside[i] = 1;
		} else if (found[tree.frames[i]]) {
			inside[i] = 1;
			value += total[i];
		}
	}
	return {frames: found, value, isText: matcher.isText};
}
