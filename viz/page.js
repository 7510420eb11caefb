// SPDX-License-Identifier: Apache-2.0
// The head of a page with a picture.
import {shownText} from './data.js';
import {make} from './dom.js';

// Returns a button that changes between light and dark, and forgets it with the page.
function themeButton() {
	const root = document.documentElement, dark = window.matchMedia('(prefers-color-scheme: dark)');
	const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches;
	const button = make('button', {
		type: 'button', class: 'theme',
		click: () => {
			const theme = isDark() ? 'light' : 'dark';
			if ((theme === 'dark') === dark.matches)
				delete root.dataset.theme;
			else
				root.dataset.theme = theme;
			show();
		},
	});
	const show = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
	dark.addEventListener('change', show);
	show();
	return button;
}

// Returns the line that says where the picture is from: ABOUT has what is known of program, command, host, the file that had the
// results, and the time, which is in seconds since 1970.
function originOf({program, command, host, saved, time}) {
	const date = time && new Date(1000 * time);
	const parts = [['Program', program], ['Command', command], ['Host', host], ['Time', date && date.toLocaleString('sv')], ['File', saved]];
	return make('p', {class: 'origin'}, ...parts.filter(([, text]) => text).map(([label, text]) =>
		make('span', {}, make('span', {class: 'fact-label', text: label}), ' ', make('code', {text: text.trim().replace(/\t/g, '    ').split('\n').map(shownText).join('\n')}))));
}

// Adds the title, what the picture is ABOUT, and the controls of the whole page to CONTAINER.
export function addPageHead(container, title, about) {
	container.append(make('header', {class: 'page'}, make('h1', {text: title}), themeButton()));
	if (about)
		container.append(originOf(about));
}
