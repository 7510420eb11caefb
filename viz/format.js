// SPDX-License-Identifier: Apache-2.0
// Writes numbers for people.

const GROUPED = new Intl.NumberFormat('en', {maximumFractionDigits: 1});

// Returns "1,234,567"; at most one decimal.
export function formatNumber(n) {
	return GROUPED.format(n);
}

// Returns "12.34 %" for PART of WHOLE.
export function formatShare(part, whole) {
	const percent = whole > 0 ? 100 * part / whole : 0;
	if (percent > 0 && percent < 0.01)
		return '< 0.01 %';
	return percent.toFixed(2) + ' %';
}
