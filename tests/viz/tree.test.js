// SPDX-License-Identifier: Apache-2.0
// Trees: reading, sums, layout, reversing, differences.
// @needs node
import assert from 'node:assert/strict';
import test from 'node:test';
import {addUp, foldTree, growth, layout, measure, measureLabel, pathOf, readGraph, reverseTree} from '../../viz/tree.js';
import {search} from '../../viz/search.js';

const NAMES = ['k', 'main', 'f', 'g', 'h'];
const FRAMES = NAMES.map(name => ({name, object: '', file: '', line: 0, kind: name === 'k' ? 'key' : 'program'}));

// Returns a tree from {'main;f;g': 3, ...} or lists of numbers, and the names of the numbers.
function treeOf(stacks, values = ['count']) {
	const numbers = [];
	const root = {children: new Map(), own: []};
	for (const [path, own] of Object.entries(stacks)) {
		let node = root;
		for (const name of path.split(';')) {
			if (!node.children.has(name))
				node.children.set(name, {children: new Map(), own: []});
			node = node.children.get(name);
		}
		node.own = [own].flat();
	}
	let before = 0;
	const put = (node, depth) => {
		for (const [name, child] of [...node.children].sort()) {
			numbers.push(before + 1 - (depth + 1), NAMES.indexOf(name), ...values.map((v, k) => child.own[k] || 0));
			before = depth + 1;
			put(child, depth + 1);
		}
	};
	put(root, 0);
	return readGraph({values, nodes: numbers});
}

// The stacks of a tree, as treeOf() takes them.
function stacksOf(tree) {
	const stacks = {};
	for (let i = 1; i < tree.parents.length; i++) {
		const own = tree.values.map(list => list[i]);
		if (own.some(n => n))
			stacks[pathOf(tree, i).map(node => NAMES[tree.frames[node]]).join(';')] = own.length === 1 ? own[0] : own;
	}
	return stacks;
}

test('a list of numbers is a tree', () => {
	// base 32, lowest digit first: 40 = 8 + 32 is "oB"
	const tree = readGraph({values: ['count'], nodes: 'ABA' + 'ACoB' + 'BDB'});
	assert.deepEqual([...tree.parents], [-1, 0, 1, 1]);
	assert.deepEqual([...tree.frames], [-1, 1, 2, 3]);
	assert.deepEqual([...tree.values[0]], [0, 0, 40, 1]);
	assert.deepEqual([...addUp(tree, tree.values[0])], [41, 41, 40, 1]);
});

test('recursion is folded, through other functions, too', () => {
	const fold = stacks => stacksOf(foldTree(treeOf(stacks), FRAMES));
	assert.deepEqual(fold({'main;f;f;f;g': 3, 'main;f;g': 4, 'main;f': 5, 'main;f;f': 6}), {'main;f': 11, 'main;f;g': 7});
	assert.deepEqual(fold({'main;f;g;f;g;h': 2, 'main;f;g;h': 1, 'main;f;g;f': 4}), {'main;f': 4, 'main;f;g;h': 3});
	// a key of the same name is no caller, and what is under another key is another call
	assert.deepEqual(fold({'k;f;k;f': 1, 'k;f;f': 2}), {'k;f': 2, 'k;f;k;f': 1});
	const tree = foldTree(treeOf({'main;f;f': [1, 2], 'main;f': [3, 4]}, ['count', 'sum']), FRAMES);
	assert.deepEqual(stacksOf(tree), {'main;f': [4, 6]});
	assert.deepEqual([...tree.parents], [-1, 0, 1]);
});

test('a tree is read as it is', () => {
	const tree = treeOf({'main;f': 1});
	assert.equal(readGraph(tree), tree);
	const bare = readGraph({parents: tree.parents, frames: tree.frames, values: tree.values, names: tree.names});
	assert.deepEqual(bare.first, tree.first);
});

test('boxes fill the width of their parents', () => {
	const tree = treeOf({'main;f': 3, 'main;g;h': 5, main: 2}), total = addUp(tree, tree.values[0]);
	const boxes = layout(tree, total).map(box => [box.node ? NAMES[tree.frames[box.node]] : 'all', box.depth, box.left, box.width]);
	assert.deepEqual(boxes, [['all', 0, 0, 1], ['main', 1, 0, 1], ['f', 2, 0, 0.3], ['g', 2, 0.3, 0.5], ['h', 3, 0.3, 0.5]]);
});

test('narrow boxes are left out, with what is in them, and keep their place', () => {
	const tree = treeOf({'main;f;h': 1, 'main;g': 99}), total = addUp(tree, tree.values[0]);
	const boxes = layout(tree, total, {least: 0.02});
	assert.deepEqual(boxes.map(box => [box.depth, box.left, box.width, box.position, box.siblings]),
		[[0, 0, 1, 1, 1], [1, 0, 1, 1, 1], [2, 0.01, 0.99, 1, 1]]);
});

test('the zoomed frame and what is around it are as wide as the picture', () => {
	const tree = treeOf({'main;f': 3, 'main;g;h': 5, 'main;g;f': 5}), total = addUp(tree, tree.values[0]);
	const g = [...tree.frames].indexOf(NAMES.indexOf('g'));
	const boxes = layout(tree, total, {root: g}).map(box => [box.node ? NAMES[tree.frames[box.node]] : 'all', box.left, box.width, Boolean(box.outer)]);
	assert.deepEqual(boxes, [['all', 0, 1, true], ['main', 0, 1, true], ['g', 0, 1, false], ['f', 0, 0.5, false], ['h', 0.5, 0.5, false]]);
});

test('a graph whose numbers are all zero has a root', () => {
	const tree = treeOf({main: 0});
	assert.equal(layout(tree, addUp(tree, tree.values[0])).length, 1);
});

test('reversed: callers of a function are merged', () => {
	const tree = treeOf({'main;f;h': 3, 'main;g;h': 5, 'main;g': 2});
	assert.deepEqual(stacksOf(reverseTree(tree, FRAMES)), {'g;main': 2, 'h;f;main': 3, 'h;g;main': 5});
});

test('reversed: keys stay outermost, and the numbers of all measures', () => {
	const tree = treeOf({'k;main;f': [3, 30], k: [1, 2], 'k;f': [0, 9], 'k;main;main;f': [4, 0]}, ['count', 'sum']);
	assert.deepEqual(stacksOf(reverseTree(tree, FRAMES)),
		{k: [1, 2], 'k;f': [0, 9], 'k;f;main': [3, 30], 'k;f;main;main': [4, 0]});
});

test('reversed twice is the same tree', () => {
	let seed = 1;
	const random = n => (seed = seed * 48271 % 2147483647) % n, stacks = {};
	for (let i = 0; i < 2000; i++)
		stacks[(random(2) ? 'k;' : '') + Array.from({length: 1 + random(12)}, () => NAMES[1 + random(4)]).join(';')] = 1 + random(100);
	const tree = treeOf(stacks), reversed = reverseTree(tree, FRAMES);
	assert.deepEqual(stacksOf(reverseTree(reversed, FRAMES)), stacksOf(tree));
	assert.equal(addUp(reversed, reversed.values[0])[0], addUp(tree, tree.values[0])[0]);
	for (const text of ['f', 'k', 'main', 'g|h']) {
		const share = t => search(t, FRAMES, addUp(t, t.values[0]), text).value;
		assert.equal(share(reversed), share(tree), text);
	}
});

test('search: a stack counts once', () => {
	const tree = treeOf({'main;f;g;f': 3, 'main;g': 5, 'main;h': 2}), total = addUp(tree, tree.values[0]);
	assert.equal(search(tree, FRAMES, total, 'f').value, 3);
	assert.equal(search(tree, FRAMES, total, '^(f|g)$').value, 8);
	assert.equal(search(tree, FRAMES, total, 'nothing').value, 0);
});

test('differences: widths, vanished stacks, normalising', () => {
	const tree = treeOf({'main;f': [10, 40], 'main;g': [10, 0], 'main;h': [0, 10]}, ['count', 'old count']);
	const both = measure(tree, {width: 'both', normalised: true});
	assert.equal(both.scale, 0.4);
	assert.deepEqual([...both.old], [20, 20, 16, 0, 4]);
	assert.deepEqual([...both.total], [30, 30, 16, 10, 4]);
	assert.deepEqual([...measure(tree, {width: 'now'}).total], [20, 20, 10, 10, 0]);
	assert.deepEqual([...measure(tree, {width: 'old', normalised: false}).total], [50, 50, 40, 0, 10]);
	assert.deepEqual([growth(10, 0), growth(0, 4), growth(10, 40), growth(5, 5), growth(0, 0)], [1, -1, -0.75, 0, 0]);
});

test('40,000 stacks, 40 frames deep, are reversed', () => {
	const frames = [], parents = [-1], own = [0], list = [-1];
	for (let i = 0; i < 500; i++)
		frames.push({name: 'f' + i, object: '', file: '', line: 0, kind: 'program'});
	for (let i = 0; i < 40000; i++) {
		let node = 0;
		for (let d = 0; d < 40; d++) {
			list.push((i * 7 + d * 13 + i % 11 * d) % 500);
			own.push(d === 39 ? 1 : 0);
			node = parents.push(node) - 1;
		}
	}
	const tree = readGraph({parents: Int32Array.from(parents), frames: Int32Array.from(list), values: [Float64Array.from(own)], names: ['count']});
	const reversed = reverseTree(tree, frames);
	assert.equal(addUp(reversed, reversed.values[0])[0], 40000);
});

test('the word for a number is that of its function', () => {
	assert.equal(measureLabel({function: 'sum'}, 'count'), 'sum');
	assert.equal(measureLabel({function: 'count'}, 'count'), 'count');
	assert.equal(measureLabel({function: 'avg'}, 'count'), 'count');
	assert.equal(measureLabel({function: 'avg'}, 'sum'), 'sum');
	assert.equal(measureLabel({function: 'quantize', about: true}, 'sum'), 'sum (estimate)');
});
