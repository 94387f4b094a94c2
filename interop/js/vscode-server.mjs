// A server made with vscode-jsonrpc, the library under VS Code's language servers. It speaks header framing on
// stdin and stdout and ends with its input.
import { setTimeout } from 'node:timers/promises';
import rpc from 'vscode-jsonrpc/node';

const peer = rpc.createMessageConnection(
	new rpc.StreamMessageReader(process.stdin),
	new rpc.StreamMessageWriter(process.stdout),
);

peer.onRequest('echo', (params) => params);
peer.onRequest('fail', () => {
	throw new rpc.ResponseError(-32050, 'as you wish', { wish: 'fail' });
});

// count sends n notes before its answer.
peer.onRequest('count', ({ n }) => {
	for (let i = 1; i <= n; i++) {
		peer.sendNotification('tick', { i });
	}
	return n;
});

// later answers after a while, unless it is taken back.
peer.onRequest('later', async ({ id, ms }, token) => {
	const cancelled = new AbortController();
	token.onCancellationRequested(() => cancelled.abort());
	await setTimeout(ms, undefined, { signal: cancelled.signal }).catch(() => {
		peer.sendNotification('cancelled', { id });
		throw new rpc.ResponseError(-32800, 'taken back');
	});
	return id;
});

// ask calls the caller back and returns what it answered.
peer.onRequest('ask', ({ method, params }) => peer.sendRequest(method, params));

// askInVain calls the caller back, takes that back, and returns the code that it got.
peer.onRequest('askInVain', async ({ method }) => {
	const cancel = new rpc.CancellationTokenSource();
	const asked = peer.sendRequest(method, {}, cancel.token).then(() => 0, ({ code }) => code);
	await peer.sendRequest('begun');
	cancel.cancel();
	return asked;
});

peer.listen();
