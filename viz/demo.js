// SPDX-License-Identifier: Apache-2.0
// A page that shows each component alone, with made-up data: make viz-demo, and open build/viz/demo.html.
import {make} from './dom.js';
import {flameGraph} from './flame.js';
import {heatMap} from './heat.js';
import {addPageHead} from './page.js';

// Returns {frames, graph} as flameGraph() takes them. STACKS: [[frame, ..., numbers], ...]; a frame is "kind name" or
// "kind object`name".
function madeGraph(values, stacks, members = {}) {
	const frames = [], numbers = new Map(), nodes = [], root = {children: new Map(), own: []};
	for (const stack of stacks) {
		let node = root;
		for (const text of stack.slice(0, -1)) {
			if (!numbers.has(text)) {
				const [, kind, object, name] = /^(\S+) (?:([^`]*)`)?([^]*)$/.exec(text);
				numbers.set(text, frames.push({name, object: object || '', file: '', line: 0, kind}) - 1);
			}
			if (!node.children.has(text))
				node.children.set(text, {children: new Map(), own: []});
			node = node.children.get(text);
		}
		node.own = stack[stack.length - 1];
	}
	let depth = 0;
	const put = (parent, level) => {
		for (const [text, node] of parent.children) {
			nodes.push(depth + 1 - level, numbers.get(text), ...values.map((value, k) => node.own[k] || 0));
			depth = level;
			put(node, level + 1);
		}
	};
	put(root, 1);
	return {frames, graph: {name: 'demo', function: 'count', values, nodes, ...members}};
}

const KINDS_DEMO = madeGraph(['count'], [
	['key bash', 'program bash`main', 'program bash`execute_command', 'library libc.so.6`fork', 'kernel do_syscall_64', 'kernel kernel_clone', [40]],
	['key bash', 'program bash`main', 'program bash`execute_command', 'inlined bash`hash_lookup', [12]],
	['key node', 'program node`main', 'jit [jit]`render', 'jit [jit]`template', [60]],
	['key node', 'program node`main', 'jit [jit]`render', 'unknown 0x7f0012345678', [9]],
]);

const DIFFERENCE = madeGraph(['count', 'old count'], [
	['program main', 'program parse', [50, 40]],
	['program main', 'program read_slow', [0, 60]],
	['program main', 'program read_fast', [20, 0]],
	['program main', 'program write', [30, 30]],
]);

const MEASURES = madeGraph(['count', 'sum'], [
	['program main', 'library often', [900, 1800]],
	['program main', 'library slow', [3, 60000]],
], {function: 'quantize', about: true});

const NAMES = madeGraph(['count'], ['operator<<', 'std::function<void ()>::operator()() const', '<\/script><script>alert(1)<\/script>',
	'\\x1b[31mred\\x80', 'x'.repeat(4096), '\u6f22\u5b57\u306e\u540d\u524d'].map(name => ['program ' + name, [1]]));

// Stacks that share their outer frames; the same ones each time.
function manyStacks(count, depth) {
	let seed = 7;
	const random = n => (seed = seed * 48271 % 2147483647) % n, made = [];
	const frame = () => `${random(3) ? 'program server' : 'library libc.so.6'}\`function_${random(400)}`;
	for (let i = 0; i < count; i++) {
		const base = made.length ? made[random(made.length)].slice(0, -1) : [], keep = Math.max(0, base.length - 1 - random(6));
		made.push([...base.slice(0, keep), ...Array.from({length: 1 + random(Math.max(1, depth - keep))}, frame), [1 + random(50)]]);
	}
	return madeGraph(['count'], made);
}

const FLAME_DEMOS = [
	['Flame graph: kinds of frames', KINDS_DEMO],
	['Flame graph: difference', DIFFERENCE],
	['Flame graph: two measures', MEASURES],
	['Flame graph: names', NAMES],
	['Flame graph: icicle, reversed', KINDS_DEMO, {icicle: true, reversed: true}],
	['Flame graph: many stacks', manyStacks(3000, 24)],
];

// The same program a moment later: frames have other numbers, one is gone and one is new.
const LATER = madeGraph(['count'], [
	['key node', 'program node`main', 'jit [jit]`render', 'jit [jit]`template', [80]],
	['key node', 'program node`main', 'jit [jit]`render', 'jit [jit]`new', [20]],
	['key bash', 'program bash`main', 'program bash`execute_command', 'library libc.so.6`fork', 'kernel do_syscall_64', 'kernel kernel_clone', [50]],
]);

addPageHead(document.body, 'Components of pictures');
for (const [title, data, options] of FLAME_DEMOS) {
	const place = make('div');
	document.body.append(make('h2', {text: title}), place);
	flameGraph(place, data, options);
}

function showUpdates() {
	const place = make('div'), flame = flameGraph(place, KINDS_DEMO);
	document.body.append(make('h2', {text: 'Flame graph: other data'}), make('p', {},
		make('button', {type: 'button', text: 'Later', click: () => flame.update(LATER)}), ' ',
		make('button', {type: 'button', text: 'Remove', click: () => flame.destroy()})), place);
}
showUpdates();

// The list of numbers that src/pictures/picture.h describes.
function madeList(numbers) {
	const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
	let text = '';
	for (let n of numbers) {
		for (; n > 31; n = Math.floor(n / 32))
			text += digits[32 | n % 32];
		text += digits[n];
	}
	return text;
}

// A hundred seconds of two keys, one of which gets slower for a while; there is a gap in the middle.
function madeHeat() {
	const columns = [], cells = [];
	for (let i = 0; i < 100; i++) {
		const slow = 9 + Math.round(4 * Math.sin(Math.PI * Math.min(1, i / 60)));
		columns.push(i === 50 ? 8e9 : 0, 1e9);
		cells.push(i ? 1 : 0, 5, 6, 0, 20 + i % 7, 7, 0, 60, 8, 0, 9, slow, 1, 5 + i % 3, slow + 1, 1, 1);
	}
	return {
		name: 'demo', function: 'quantize', shows: 'printed', negative: 0, start: '1700000000000000000', columns: madeList(columns),
		rows: Array.from({length: 15}, (none, i) => [String(2 ** i), String(2 ** (i + 1) - 1)]), keys: [['bash'], ['node']],
		series: madeList([0, 6, 1, 11]), cells: madeList(cells), graph: 0,
	};
}

function showHeat() {
	const {frames, graph} = KINDS_DEMO;
	for (const [title, map, options] of [['Heat map', madeHeat()], ['Heat map: coloured by count, without stacks', {...madeHeat(), graph: undefined},
		{mode: 'linear'}]]) {
		const place = make('div');
		document.body.append(make('h2', {text: title}), place);
		heatMap(place, {frames, graphs: [graph], map}, options);
	}
}
showHeat();
performance.mark('shown');
