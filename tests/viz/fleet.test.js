// SPDX-License-Identifier: Apache-2.0
// The page of a fleet: its state in the address, filters, times, and what it asks for stacks.
// @needs node
import assert from 'node:assert/strict';
import test from 'node:test';
import {partsOf} from '../../viz/fleet_form.js';
import {exclude, filterText, isolate, oldTimeOf, putFilters, readState, shownFilters, timeOf, withoutFilter, writeState} from '../../viz/fleet_state.js';
import {sourcesOf, stackQuestion} from '../../viz/fleet_stacks.js';

process.env.TZ = 'UTC';
const LAT = {prog: 'io', agg: 'lat', function: 'quantize', types: 'string, int64_t', stack: 0};
const CPU = {prog: 'io', agg: 'cpu', function: 'count', types: 'stack', stack: 1};
const SLOW = {prog: 'io', agg: 'slow', function: 'quantize', types: 'ustack, string', stack: 1};
const LONGEST = {prog: 'io', agg: 'longest', function: 'max', types: 'stack', stack: 1};

test('a state comes back from its address, whatever the names are', () => {
	let state = {...readState(''), prog: "'); DROP TABLE numbers; --", agg: '<b>&#=', by: '1'};
	state = exclude(isolate(isolate(state, 0, 'web1'), 1, 'a:b&c'), 0, '\uef80');
	assert.deepEqual(readState(writeState(state)), state);
	assert.equal(writeState(readState('')), '');
	assert.equal(writeState(readState('shards=up')), 'shards=up');
	assert.deepEqual(readState('only=9:x&only=web1&prog=p&__proto__=1').only, []);
});

test('isolate replaces, exclude adds', () => {
	let state = isolate(isolate(readState(''), 0, 'a'), 0, 'b');
	assert.deepEqual(state.only, [{part: 0, text: 'b'}]);
	state = exclude(exclude(exclude(state, 1, 'x'), 1, 'y'), 1, 'x');
	assert.deepEqual(state.without.map(({text}) => text), ['y', 'x']);
	assert.deepEqual(withoutFilter(state, 'without', 0).without.map(({text}) => text), ['x']);
	assert.equal(filterText('only', {part: 0, text: 'a\u001b'}), 'only host a\\x1b');
	assert.equal(filterText('without', {part: 2, text: 'b'}), 'without key 2 b');
});

test('times', () => {
	assert.deepEqual(timeOf(readState('range=3600'), 10000), [6400, 10000]);
	assert.deepEqual(timeOf(readState('range=other&from=1970-01-01T00:00:10&to=1970-01-01T00:01'), 0), [10, 60]);
	assert.equal(timeOf(readState('range=other&from=1970-01-01T00:01&to=1970-01-01T00:00:10'), 0), null);
	assert.equal(timeOf(readState('range=other'), 0), null);
	assert.equal(oldTimeOf(readState(''), [100, 200]), null);
	assert.deepEqual(oldTimeOf(readState('compare=before'), [100, 200]), [0, 100]);
	assert.deepEqual(oldTimeOf(readState('compare=day'), [86500, 86600]), [100, 200]);
	assert.deepEqual(oldTimeOf(readState('compare=hosts'), [100, 200]), [100, 200]);
});

test('hidden groups become filters', () => {
	assert.deepEqual(shownFilters(1, ['a', 'b'], [true, true, true]), {only: [], without: []});
	assert.deepEqual(shownFilters(1, ['a', 'b'], [true, false, true]), {only: [], without: [{part: 1, text: 'a'}]});
	assert.deepEqual(shownFilters(0, ['a', 'b'], [false, false, true]), {only: [{part: 0, text: 'b'}], without: []});
	const parameters = new URLSearchParams();
	putFilters(parameters, {only: [{part: 0, text: 'b&c'}], without: []}, 'old_');
	assert.equal(parameters.toString(), 'old_only=0%3Ab%26c');
});

test('parts are the host and the keys that are no stacks', () => {
	assert.deepEqual(partsOf(LAT), [[0, 'host'], [1, 'key 1 (string)'], [2, 'key 2 (int64_t)']]);
	assert.deepEqual(partsOf(SLOW), [[0, 'host'], [2, 'key 2 (string)']]);
});

test('stacks come from the aggregation itself, or from another one of the same hosts', () => {
	const list = [LAT, CPU, SLOW, LONGEST, {...CPU, prog: 'other'}];
	assert.deepEqual(sourcesOf(list, LAT), [CPU, SLOW]);
	assert.deepEqual(sourcesOf(list, SLOW), [SLOW, CPU]);
	const filters = {only: [{part: 1, text: 'k'}], without: [{part: 0, text: 'h'}]};
	const cells = {from: 1, to: 2, low: '8', high: '15', filters, hosts: ['web1', 'web2']};
	const question = (state, ...rest) => stackQuestion(readState(state), ...rest).toString();
	assert.equal(question('', LAT, CPU, cells),
		'what=flame&prog=io&agg=cpu&table=numbers&from=1&to=2&low=8&high=15&through=lat&only=1%3Ak&without=0%3Ah');
	assert.equal(question('', SLOW, SLOW, cells),
		'what=flame&prog=io&agg=slow&table=distributions&from=1&to=2&low=8&high=15&only=1%3Ak&without=0%3Ah');
	assert.equal(question('', CPU, SLOW, {...cells, low: null}), 'what=flame&prog=io&agg=slow&table=distributions&from=1&to=2&without=0%3Ah');
	assert.match(question('compare=rest', LAT, CPU, cells), /&old_from=1&old_to=2&old_without=0%3Aweb1&old_without=0%3Aweb2$/);
	assert.match(question('compare=hosts&old_hosts=a,+b', SLOW, SLOW, cells), /&old_from=1&old_to=2&old_only=0%3Aa&old_only=0%3Ab$/);
	assert.match(question('compare=before', SLOW, SLOW, cells), /&old_from=0&old_to=1&old_only=1%3Ak&old_without=0%3Ah$/);
});
