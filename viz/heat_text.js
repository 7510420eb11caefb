// SPDX-License-Identifier: Apache-2.0
// Writes the times and values of heat maps for people, and finds the places of axis labels. Nothing here needs a browser.

const LEAST_VALUE = -(2n ** 63n), MOST_VALUE = 2n ** 63n - 1n, SECOND = 1000000000;

// Steps of time axes, in ns.
const STEPS = [];
for (let unit = 1; unit < SECOND; unit *= 10)
	STEPS.push(unit, 2 * unit, 5 * unit);
for (const seconds of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400])
	STEPS.push(seconds * SECOND);

function two(n) {
	return String(n).padStart(2, '0');
}

// Returns "12:34:56" for TIME (BigInt, ns since 1970), in local time, with as many decimals as differences of STEP ns need.
export function formatClock(time, step = SECOND) {
	const date = new Date(Number(time / 1000000n)), rest = String(time % 1000000000n).padStart(9, '0');
	let text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
	const digits = step >= SECOND ? 0 : Math.min(9, Math.ceil(Math.log10(SECOND / step)));
	if (digits)
		text += '.' + rest.slice(0, digits);
	return text;
}

// Returns "2026-11-22".
export function formatDate(time) {
	const date = new Date(Number(time / 1000000n));
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

// Returns "12:34:56.250 to 12:34:56.500" for the ns FROM to TO after START.
export function formatSpan(start, from, to) {
	const step = Math.max(1, (to - from) / 10);
	return `${formatClock(start + BigInt(Math.round(from)), step)} to ${formatClock(start + BigInt(Math.round(to)), step)}`;
}

// Returns a BigInt with its digits in groups.
function grouped(n) {
	return n.toLocaleString('en');
}

// Returns the values from LOW to HIGH (BigInt) in words; offsets are parts of a second.
export function formatBounds(low, high, isOffset) {
	if (isOffset)
		return `${formatOffset(low)} to ${formatOffset(high + 1n)}`;
	if (low === LEAST_VALUE)
		return `${grouped(high)} and less`;
	if (high === MOST_VALUE)
		return `${grouped(low)} and more`;
	return low === high ? grouped(low) : `${grouped(low)} to ${grouped(high)}`;
}

function formatOffset(ns) {
	return Number(ns) / 1e6 + ' ms';
}

// Returns a short text for LOW, the least value of a row.
export function formatShort(low, high, isOffset) {
	if (isOffset)
		return formatOffset(low);
	if (low === LEAST_VALUE)
		return `< ${shortNumber(high + 1n)}`;
	return shortNumber(low);
}

function shortNumber(n) {
	const units = ['', 'k', 'M', 'G', 'T', 'P', 'E'], value = Number(n);
	if (Math.abs(value) < 10000)
		return String(value);
	const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3));
	return Number((value / 1000 ** unit).toPrecision(3)) + units[unit];
}

// Returns {step, ticks}: at most MOST_TICKS places (ns after START) that are round in local time.
export function timeTicks(start, from, to, mostTicks) {
	const step = STEPS.find(candidate => (to - from) / candidate <= mostTicks) || STEPS[STEPS.length - 1];
	const zone = BigInt(new Date(Number(start / 1000000n)).getTimezoneOffset()) * 60n * 1000000000n, ticks = [];
	const rest = Number((start - zone) % BigInt(step));
	for (let at = Math.ceil((from + rest) / step) * step - rest; at <= to && ticks.length <= mostTicks; at += step)
		ticks.push(at);
	return {step, ticks};
}
