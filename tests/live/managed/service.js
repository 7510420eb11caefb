// SPDX-License-Identifier: Apache-2.0
// A web service whose answer comes from PostgreSQL, whose protocol (version 3) it speaks by itself.
const http = require('http'), net = require('net');

function message(type, text) {
	const body = Buffer.from(text + '\0'), head = Buffer.alloc(5);
	head.write(type);
	head.writeInt32BE(body.length + 4, 1);
	return Buffer.concat([head, body]);
}

const waiting = [];
const database = net.connect(process.argv[2]);
const start = Buffer.from('\0\x03\0\0user\0pg\0database\0postgres\0\0');
const length = Buffer.alloc(4);
length.writeInt32BE(start.length + 4);
database.write(Buffer.concat([length, start]));
let pending = Buffer.alloc(0), ready = false;
database.on('data', function onAnswer(data) {
	pending = Buffer.concat([pending, data]);
	while (pending.length > 4 && pending.length > pending.readInt32BE(1)) {
		const type = String.fromCharCode(pending[0]), size = pending.readInt32BE(1) + 1;
		if (type === 'D' && waiting.length)
			waiting[0].rows.push(pending.toString('latin1', 11, size));
		if (type === 'Z') {
			if (ready) {
				const request = waiting.shift();
				request.done(request.rows);
			}
			ready = true;
		}
		pending = pending.subarray(size);
	}
});

function query(text, done) {
	waiting.push({rows: [], done});
	database.write(message('Q', text));
}

function renderRows(rows) {
	let page = '';
	for (let i = 0; i < 40; i++)
		page += rows.map(r => `<td>${r.replace(/[<&]/g, '?')}</td>`).sort().join('');
	return page;
}

http.createServer(function handleRequest(request, response) {
	query('select relname from pg_class limit 200', rows => response.end(renderRows(rows)));
}).listen(0, '127.0.0.1', function () {
	console.log(this.address().port);
});
