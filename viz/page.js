// SPDX-License-Identifier: Apache-2.0
// The head of a page with a picture.
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

// Adds the title and the controls of the whole page to CONTAINER.
export function addPageHead(container, title) {
	container.append(make('header', {class: 'page'}, make('h1', {text: title}), themeButton()));
}
