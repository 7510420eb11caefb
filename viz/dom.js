// SPDX-License-Identifier: Apache-2.0
// Makes elements. Text is always set as text, never parsed as markup.

// Returns a new element TAG. PROPERTIES are attributes, except `text`, its text, and functions, which listen to the event of
// that name. CHILDREN are elements.
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name === 'text')
			element.textContent = value;
		else if (typeof value === 'function')
			element.addEventListener(name, value);
		else if (value === true)
			element.setAttribute(name, '');
		else if (value !== false && value !== undefined)
			element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

// Returns a labelled <select> and the element to append. CHOICES: [[value, text], ...]; CHANGED is called with the value.
export function makeSelect(label, choices, value, changed) {
	const select = make('select', {change: () => changed(select.value)});
	for (const [choice, text] of choices)
		select.append(make('option', {value: choice, text}));
	select.value = value;
	return {select, element: make('label', {}, make('span', {text: label}), select)};
}

// Returns a button that is on or off; CHANGED is called with its new state.
export function makeSwitch(text, on, changed) {
	const button = make('button', {
		type: 'button', text, 'aria-pressed': String(on),
		click: () => {
			on = !on;
			button.setAttribute('aria-pressed', String(on));
			changed(on);
		},
	});
	return button;
}
