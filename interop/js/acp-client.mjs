// Drives an agent with the client of the TypeScript SDK of ACP, and prints what came of it as one JSON value. ours/acp.go
// says what such an agent does.
//
//	node acp-client.mjs COMMAND ARGS…
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = once(child, 'exit');
const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));

// What the user says to a request for permission: "yes", "no", or a function that is awaited.
let answer;
let updates = [];
let heard = () => {}; // is called with each update
const app = client({ name: 'acp-client.mjs' })
	.onRequest(methods.client.session.requestPermission, async ({ params }) => {
		const optionId = typeof answer === 'function' ? await answer(params) : answer;
		return { outcome: optionId ? { outcome: 'selected', optionId } : { outcome: 'cancelled' } };
	})
	.onRequest(methods.client.fs.readTextFile, ({ params }) => {
		if (params.path !== '/project/notes.txt') {
			throw RequestError.resourceNotFound(params.path);
		}
		return { content: 'two\nlines \u2028 列出 \u{1F600}' };
	})
	.onNotification(methods.client.session.update, ({ params: { update } }) => {
		updates.push(update.content?.text ?? `${update.sessionUpdate} ${update.status}`);
		heard(update);
	});

// refusal is the error that a call ends with.
const refusal = (call) => call.then((result) => ({ unexpected: result }), ({ code, data }) => ({ code, data }));

const summary = {};

await app.connectWith(stream, async (agent) => {
	summary.initialize = await agent.request(methods.agent.initialize, {
		protocolVersion: PROTOCOL_VERSION,
		clientCapabilities: { fs: { readTextFile: true, writeTextFile: false } },
	});
	summary.relative = await refusal(agent.request(methods.agent.session.new, { cwd: 'project', mcpServers: [] }));
	const { sessionId } = await agent.request(methods.agent.session.new, { cwd: '/project', mcpServers: [] });

	const prompt = (text, options) => {
		updates = [];
		return agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }, options);
	};
	const turn = async (text, says) => {
		answer = says;
		const { stopReason } = await prompt(text);
		return { stopReason, updates };
	};
	const cancel = () => agent.notify(methods.agent.session.cancel, { sessionId });

	summary.allowed = await turn('read /project/notes.txt', 'yes');
	summary.rejected = await turn('read /project/notes.txt', 'no');
	answer = 'yes';
	summary.missing = await refusal(prompt('read /project/nosuch.txt'));

	// A turn that is cancelled while it waits for a person, and one that is while it works.
	summary.dismissed = await turn('read /project/notes.txt', cancel);
	heard = cancel;
	summary.cancelled = await turn('wait');

	// The call itself is taken back, with $/cancel_request.
	const abort = new AbortController();
	heard = () => abort.abort();
	summary.takenBack = await refusal(prompt('wait', { cancellationSignal: abort.signal }));
	heard = () => {};

	summary.noSession = await refusal(agent.request(methods.agent.session.prompt, { sessionId: 'nosuch', prompt: [] }));
	summary.unknownMethod = await refusal(agent.request('_nosuch', {}));
	summary.refused = await turn('sing');
});

// The end of its input is what ends the agent.
child.stdin.end();
[summary.exit] = await exited;
console.log(JSON.stringify(summary));
