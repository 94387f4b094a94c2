// Drives `parley serve --reference --framing header` with vscode-jsonrpc, the library under VS Code's language
// clients, and prints what came of it as one JSON value.
//
//	node vscode-client.mjs path/to/parley
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import rpc from 'vscode-jsonrpc/node';

const server = spawn(process.argv[2], ['serve', '--reference', '--framing', 'header'], {
	stdio: ['pipe', 'pipe', 'inherit'],
});
const exited = once(server, 'exit');
const peer = rpc.createMessageConnection(
	new rpc.StreamMessageReader(server.stdout),
	new rpc.StreamMessageWriter(server.stdin),
);

const progress = [];
peer.onUnhandledProgress(({ token, value }) => progress.push({ token, value }));
peer.onRequest('ask', ({ name }) => `hello ${name}`);
peer.onRequest('refuse', () => {
	throw new rpc.ResponseError(-32050, 'not today', { until: 'tomorrow' });
});
peer.onError(([err]) => { throw err; });
peer.listen();

// refusal is the error that a call ends with.
const refusal = (call) => call.then(
	(result) => ({ unexpected: result }),
	({ code, message, data }) => ({ code, message, data }),
);

const summary = {};

// The library counts ids from 0, so that this one is 0: an id like any other, here and in the cancellation.
const cancel = new rpc.CancellationTokenSource();
const slept = refusal(peer.sendRequest('sleep', { ms: 60_000 }, cancel.token));
await peer.sendRequest('nil');
cancel.cancel();
summary.cancelled = await slept;

summary.echoObject = await peer.sendRequest('echo', { text: 'a\u2028b 列出 \u{1F600}', list: [1, null, 1.5] });
summary.echoArray = await peer.sendRequest('echo', 1, 'two', null);
summary.echoNothing = await peer.sendRequest('echo');
summary.addByName = await peer.sendRequest('add', { a: 3, b: 5 });
summary.addByPosition = await peer.sendRequest('add', 3, 5);

for (let i = 1; i <= 5; i++) {
	peer.sendNotification('note', { i });
}
summary.notes = await peer.sendRequest('notes');

summary.callback = await peer.sendRequest('callback', { method: 'ask', params: { name: 'parley' } });
summary.callbackRefused = await refusal(peer.sendRequest('callback', { method: 'refuse' }));
summary.callbackUnknown = await refusal(peer.sendRequest('callback', { method: 'nosuch' }));

summary.progressResult = await peer.sendRequest('progress', { n: 5 });
summary.progress = progress.map(({ value }) => value);
summary.progressTokens = new Set(progress.map(({ token }) => token)).size;

summary.unknown = await refusal(peer.sendRequest('nosuch'));
summary.badParams = await refusal(peer.sendRequest('add', { a: 'three', b: 5 }));
summary.boom = await refusal(peer.sendRequest('boom'));

// Each answer must find its own call, however many are open; the last call here is the first to end.
const naps = Array.from({ length: 100 }, (_, i) => 100 - i);
const answers = await Promise.all(naps.map((ms) => peer.sendRequest('sleep', { ms })));
summary.paired = naps.every((ms, i) => answers[i] === `slept ${ms}`);
summary.blob = (await peer.sendRequest('blob', { bytes: 1_000_000 })).length;

// The end of its input is what ends the server.
peer.end();
[summary.exit] = await exited;
console.log(JSON.stringify(summary));
