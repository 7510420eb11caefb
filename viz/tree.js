// SPDX-License-Identifier: Apache-2.0
// Trees of stacks as arrays, and where their frames lie in a picture. Nothing here needs a browser.
//
// A tree has parents and frames (Int32Array), values (a Float64Array for each measure: what ends at the node itself) and names
// (of the measures). Node 0 is the root; its parent and frame are -1. Parents have lower numbers than their children, and
// siblings are in the order in which they are drawn. first and next (Int32Array) link them: the first child and the next
// sibling of a node, -1 if there is none.
import {readNumbers} from './data.js';

function linkNodes(tree) {
	const n = tree.parents.length;
	tree.first = new Int32Array(n).fill(-1);
	tree.next = new Int32Array(n).fill(-1);
	for (let i = n - 1; i > 0; i--) {
		tree.next[i] = tree.first[tree.parents[i]];
		tree.first[tree.parents[i]] = i;
	}
	return tree;
}

// Returns the tree of a graph of a picture. Its nodes can also be an array of numbers. A tree is returned as it is.
export function readGraph(graph) {
	if (graph.parents)
		return graph.first ? graph : linkNodes({...graph});
	const names = graph.values, step = 2 + names.length;
	const numbers = typeof graph.nodes === 'string' ? readNumbers(graph.nodes) : graph.nodes;
	const n = numbers.length / step + 1, path = [0];
	const tree = {
		parents: new Int32Array(n).fill(-1),
		frames: new Int32Array(n).fill(-1),
		values: names.map(() => new Float64Array(n)),
		names,
	};
	for (let node = 1, at = 0, depth = 0; node < n; node++, at += step) {
		depth += 1 - numbers[at];
		tree.parents[node] = path[depth - 1];
		tree.frames[node] = numbers[at + 1];
		tree.values.forEach((list, k) => { list[node] = numbers[at + 2 + k]; });
		path[depth] = node;
	}
	return linkNodes(tree);
}

// Returns the numbers of all nodes with what is below them, from SELF, those of the nodes themselves.
export function addUp(tree, self) {
	const total = Float64Array.from(self);
	for (let i = total.length - 1; i > 0; i--)
		total[tree.parents[i]] += total[i];
	return total;
}

// ---- reversing

// Returns for each node the last key on its path, itself or the root: the keys of an aggregation are the outermost frames.
function keyNodes(tree, frames) {
	const keys = new Int32Array(tree.parents.length);
	for (let i = 1; i < keys.length; i++) {
		const parent = tree.parents[i];
		keys[i] = frames[tree.frames[i]].kind === 'key' && keys[parent] === parent ? i : keys[parent];
	}
	return keys;
}

function rankFrames(frames) {
	const order = frames.map((frame, i) => i), rank = new Int32Array(frames.length);
	order.sort((a, b) => frames[a].name < frames[b].name ? -1 : frames[a].name > frames[b].name ? 1 : a - b);
	order.forEach((frame, i) => { rank[frame] = i; });
	return rank;
}

// Adds the nodes of a reversed tree. A group is a part [from, to) of `at`: stacks with the same inner frames; each has got to
// the node at[i] on its way out, and ends[i] is the node where it began.
class Reverser {
	constructor(tree, frames) {
		this.tree = tree;
		this.rank = rankFrames(frames);
		this.keys = keyNodes(tree, frames);
		this.parents = [-1];
		this.frames = [-1];
		this.values = tree.names.map(() => [0]);
		this.seen = new Int32Array(frames.length).fill(-1);
		this.room = new Int32Array(frames.length);
		this.groups = [];
	}

	add(parent, frame) {
		this.parents.push(parent);
		this.frames.push(frame);
		for (const list of this.values)
			list.push(0);
		return this.parents.length - 1;
	}

	count(to, from) {
		this.values.forEach((list, k) => { list[to] += this.tree.values[k][from]; });
	}

	// The keys stay as they are. Stacks are sorted by the key that they belong to.
	start() {
		const {tree, keys} = this, n = keys.length, made = new Int32Array(n), room = new Int32Array(n + 1);
		const isStack = i => keys[i] !== i && tree.values.some(list => list[i] !== 0);
		for (let i = 0; i < n; i++) {
			if (isStack(i))
				room[keys[i] + 1]++;
			if (keys[i] === i) {
				made[i] = i ? this.add(made[tree.parents[i]], tree.frames[i]) : 0;
				this.count(made[i], i);
			}
		}
		for (let i = 0; i < n; i++) {
			if (room[i + 1])
				this.groups.push([made[i], room[i], room[i] + room[i + 1]]);
			room[i + 1] += room[i];
		}
		this.at = new Int32Array(room[n]);
		for (let i = 0; i < n; i++)
			if (isStack(i))
				this.at[room[keys[i]]++] = i;
		this.ends = Int32Array.from(this.at);
		this.spare = [new Int32Array(this.at.length), new Int32Array(this.at.length)];
	}

	// One stack: its frames have no company any more.
	goAlone(node, i) {
		const {tree, keys} = this, stop = keys[this.ends[i]];
		for (let at = this.at[i]; at !== stop; at = tree.parents[at])
			node = this.add(node, tree.frames[at]);
		this.count(node, this.ends[i]);
	}

	// Stacks that end are counted; the rest of [from, to) goes on.
	advance(node, from, to) {
		const {tree, keys, at, ends} = this;
		let rest = from;
		for (let i = from; i < to; i++) {
			const parent = tree.parents[at[i]], end = ends[i];
			if (parent === keys[end]) {
				this.count(node, end);
			} else {
				at[rest] = parent;
				ends[rest++] = end;
			}
		}
		if (rest > from)
			this.groups.push([node, from, rest]);
	}

	split(node, from, to) {
		const {tree, at, ends, seen, room, rank} = this, [spareAt, spareEnds] = this.spare, found = [];
		for (let i = from; i < to; i++) {
			const frame = tree.frames[at[i]];
			if (seen[frame] !== node) {
				seen[frame] = node;
				room[frame] = 0;
				found.push(frame);
			}
			room[frame]++;
		}
		found.sort((a, b) => rank[a] - rank[b]);
		let sum = from;
		for (const frame of found) {
			const n = room[frame];
			room[frame] = sum;
			sum += n;
		}
		for (let i = from; i < to; i++) {
			const to = room[tree.frames[at[i]]]++;
			spareAt[to] = at[i];
			spareEnds[to] = ends[i];
		}
		at.set(spareAt.subarray(from, to), from);
		ends.set(spareEnds.subarray(from, to), from);
		const made = found.map(frame => this.add(node, frame));
		for (let i = 0, start = from; i < found.length; i++) {
			const end = room[found[i]];
			this.advance(made[i], start, end);
			start = end;
		}
	}

	run() {
		this.start();
		while (this.groups.length) {
			const [node, from, to] = this.groups.pop();
			if (to - from === 1)
				this.goAlone(node, from);
			else
				this.split(node, from, to);
		}
		return linkNodes({
			parents: Int32Array.from(this.parents),
			frames: Int32Array.from(this.frames),
			values: this.values.map(list => Float64Array.from(list)),
			names: this.tree.names,
		});
	}
}

// Returns the tree of the same stacks from their innermost frame on; keys stay outermost. FRAMES as of readFrames().
export function reverseTree(tree, frames) {
	return new Reverser(tree, frames).run();
}

// ---- layout

// Returns the nodes from below the root to NODE.
export function pathOf(tree, node) {
	const path = [];
	for (; node > 0; node = tree.parents[node])
		path.push(node);
	return path.reverse();
}

// Returns the boxes to draw, parents before children and from left to right: [{node, depth, left, width, position, siblings,
// outer}, ...]. left and width are parts of the picture's width, 0 to 1, which ROOT fills. Its ancestors, which are `outer`,
// are as wide. A box narrower than LEAST is left out. position counts from 1 among the siblings that are drawn. TOTAL as of
// addUp().
export function layout(tree, total, {root = 0, least = 0} = {}) {
	const boxes = [];
	const outer = root ? [0, ...pathOf(tree, root).slice(0, -1)] : [];
	outer.forEach((node, depth) => boxes.push({node, depth, left: 0, width: 1, position: 1, siblings: 1, outer: true}));
	const whole = total[root], todo = [{node: root, depth: outer.length, left: 0, width: 1, position: 1, siblings: 1}];
	while (todo.length) {
		const box = todo.pop(), children = [];
		let left = box.left;
		boxes.push(box);
		for (let node = tree.first[box.node]; node !== -1; node = tree.next[node]) {
			const width = total[node] / whole;
			if (width >= least && width > 0)
				children.push({node, depth: box.depth + 1, left, width, position: children.length + 1, siblings: 0});
			left += width || 0;
		}
		for (let i = children.length; i--;) {
			children[i].siblings = children.length;
			todo.push(children[i]);
		}
	}
	return boxes;
}

// ---- recursion

// Returns the node of FRAME among NODE and those above it up to a key, or 0.
function callerNode(node, frame, parents, list, isKey) {
	while (node > 0 && list[node] !== frame)
		node = isKey(list[node]) ? 0 : parents[node];
	return node;
}

// Returns TREE with one node for each function that calls itself, directly or through others: what such a call does, its first
// caller does. Keys stay.
export function foldTree(tree, frames) {
	const parents = [-1], list = [-1], values = tree.names.map(() => [0]), known = [new Map()];
	const node = new Int32Array(tree.parents.length), isKey = frame => frames[frame].kind === 'key';
	for (let i = 1; i < node.length; i++) {
		const parent = node[tree.parents[i]], frame = tree.frames[i];
		const caller = isKey(frame) ? 0 : callerNode(parent, frame, parents, list, isKey);
		if (caller) {
			node[i] = caller;
		} else if (known[parent].has(frame)) {
			node[i] = known[parent].get(frame);
		} else {
			node[i] = parents.push(parent) - 1;
			list.push(frame);
			known.push(new Map());
			known[parent].set(frame, node[i]);
			values.forEach(numbers => numbers.push(0));
		}
		values.forEach((numbers, k) => { numbers[node[i]] += tree.values[k][i]; });
	}
	return linkNodes({
		parents: Int32Array.from(parents), frames: Int32Array.from(list), values: values.map(numbers => Float64Array.from(numbers)), names: tree.names,
	});
}

// ---- differences

// Returns the word for measure NAME of GRAPH: "count" is the first number of a function, which for sum() is a sum.
export function measureLabel(graph, name) {
	if (name === 'count' && graph.function === 'sum')
		return 'sum';
	return name === 'sum' && graph.about ? 'sum (estimate)' : name;
}

// Returns the numbers of MEASURE, "count" or "sum": {self, total, now, old}; now and old are the totals of the two pictures
// if there are two, self and total what the widths show. WIDTH "now" and "old" are those of one picture. "both" has the larger one for
// each stack, so that nothing is hidden. NORMALISED: the older picture's are scaled to the same whole.
export function measure(tree, {measure = tree.names[0], width = 'both', normalised = true} = {}) {
	const now = tree.values[tree.names.indexOf(measure)];
	const before = tree.values[tree.names.indexOf('old ' + measure)];
	if (!before)
		return {self: now, total: addUp(tree, now)};
	const sumNow = addUp(tree, now), sumOld = addUp(tree, before);
	const scale = normalised && sumNow[0] > 0 && sumOld[0] > 0 ? sumNow[0] / sumOld[0] : 1;
	const old = before.map(n => n * scale);
	const self = width === 'now' ? now : width === 'old' ? old : now.map((n, i) => Math.max(n, old[i]));
	return {self, total: addUp(tree, self), now: sumNow, old: sumOld.map(n => n * scale), scale};
}

// Returns how much NOW is more than OLD, as a part of the larger one: 1 = new, -1 = vanished.
export function growth(now, old) {
	const larger = Math.max(now, old);
	return larger > 0 ? (now - old) / larger : 0;
}
