// Drives `parley serve --reference` with json-rpc-2.0, which leaves the lines to its user, and prints what came of
// it as one JSON value.
//
//	node jsonrpc2-client.mjs path/to/parley
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { JSONRPCClient, JSONRPCErrorException, JSONRPCServer, JSONRPCServerAndClient } from 'json-rpc-2.0';

const server = spawn(process.argv[2], ['serve', '--reference'], { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = once(server, 'exit');

// Strings as ids, because the other clients here use numbers.
let calls = 0;
const send = (message) => { server.stdin.write(JSON.stringify(message) + '\n'); };
const peer = new JSONRPCServerAndClient(
	new JSONRPCServer({ errorListener: () => {} }), // it would log what its own methods throw
	new JSONRPCClient(send, () => `call-${++calls}`),
);

// node:readline would also end a line at U+2028, which is an ordinary character inside a JSON string.
let rest = '';
let arrays = 0;
server.stdout.setEncoding('utf8').on('data', (text) => {
	const lines = (rest + text).split('\n');
	rest = lines.pop();
	for (const message of lines.map((line) => JSON.parse(line))) {
		arrays += Array.isArray(message);
		peer.receiveAndSend(message);
	}
});

const progress = [];
peer.addMethod('$/progress', (params) => { progress.push(params); });
peer.addMethod('ask', ({ name }) => `hello ${name}`);
peer.addMethod('refuse', () => {
	throw new JSONRPCErrorException('not today', -32050, { until: 'tomorrow' });
});

// refusal is the error that a call ends with.
const refusal = (call) => call.then(
	(result) => ({ unexpected: result }),
	({ code, message, data }) => ({ code, message, data }),
);

const summary = {};

summary.echoObject = await peer.request('echo', { text: 'a\u2028b 列出 \u{1F600}', list: [1, null, 1.5] });
summary.echoNothing = await peer.request('echo');
summary.addByName = await peer.request('add', { a: 3, b: 5 });
summary.addByPosition = await peer.request('add', [3, 5]);

for (let i = 1; i <= 5; i++) {
	peer.notify('note', { i });
}
summary.notes = await peer.request('notes');

summary.callback = await peer.request('callback', { method: 'ask', params: { name: 'parley' } });
summary.callbackRefused = await refusal(peer.request('callback', { method: 'refuse' }));
summary.callbackUnknown = await refusal(peer.request('callback', { method: 'nosuch' }));

summary.progressResult = await peer.request('progress', { n: 3 });
summary.progressToken = `call-${calls}`;
summary.progress = [...progress];

summary.unknown = await refusal(peer.request('nosuch'));
summary.badParams = await refusal(peer.request('add', { a: 'three', b: 5 }));
summary.boom = await refusal(peer.request('boom'));

// Its answers come in one array, in any order; the library returns them in the order of the calls.
const jsonrpc = '2.0';
summary.batch = await peer.requestAdvanced([
	{ jsonrpc, id: 'first', method: 'add', params: [3, 5] },
	{ jsonrpc, method: 'note', params: ['in a batch'] },
	{ jsonrpc, id: 'second', method: 'multiply', params: [6, 7] },
	{ jsonrpc, id: 'third', method: 'nosuch' },
]);
summary.arrays = arrays;
summary.noteOfBatch = (await peer.request('notes')).at(-1);

// Each answer must find its own call, however many are open; the last call here is the first to end.
const naps = Array.from({ length: 100 }, (_, i) => 100 - i);
const answers = await Promise.all(naps.map((ms) => peer.request('sleep', { ms })));
summary.paired = naps.every((ms, i) => answers[i] === `slept ${ms}`);

// The end of its input is what ends the server. What it left unread would show as a rest.
server.stdin.end();
[summary.exit] = await exited;
summary.rest = rest;
console.log(JSON.stringify(summary));
