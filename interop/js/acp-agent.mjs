// An agent made with the TypeScript SDK of ACP. It does what ours/acp.go says, and ends with its input.
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';

const sessions = new Map(); // the AbortController of the turn of each

const app = agent({ name: 'acp-agent.mjs' })
	.onRequest(methods.agent.initialize, () => ({
		protocolVersion: PROTOCOL_VERSION,
		agentCapabilities: {},
		agentInfo: { name: 'theirs', version: '1' },
	}))
	.onRequest(methods.agent.session.new, ({ params }) => {
		if (!params.cwd.startsWith('/')) {
			throw RequestError.invalidParams(params.cwd);
		}
		const sessionId = `session-${sessions.size + 1}`;
		sessions.set(sessionId, undefined);
		return { sessionId };
	})
	.onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort())
	.onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client, signal }) => {
		if (!sessions.has(sessionId)) {
			throw RequestError.resourceNotFound(sessionId);
		}
		const turn = new AbortController();
		sessions.set(sessionId, turn);
		const report = (update) => client.notify(methods.client.session.update, { sessionId, update });
		const say = (text) => report({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
		const end = (stopReason) => ({ stopReason });

		// wait waits for the end of the turn: by session/cancel, or because the call is taken back.
		const wait = async () => {
			await say('I wait.');
			await new Promise((resolve) => {
				for (const s of [turn.signal, signal]) {
					s.addEventListener('abort', resolve);
					if (s.aborted) {
						resolve();
					}
				}
			});
			signal.throwIfAborted();
			return end('cancelled');
		};

		const [word, path] = prompt[0].text.split(' ');
		switch (word) {
		case 'read': {
			const toolCall = { toolCallId: 'call-1', title: `Read ${path}` };
			await report({ sessionUpdate: 'tool_call', kind: 'read', status: 'pending', ...toolCall });
			const { outcome } = await client.request(methods.client.session.requestPermission, {
				sessionId, toolCall,
				options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }, { optionId: 'no', name: 'Reject', kind: 'reject_once' }],
			});
			if (outcome.outcome === 'cancelled') {
				return wait();
			}
			if (outcome.optionId !== 'yes') {
				await say('I may not read it.');
				return end('end_turn');
			}
			const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
			await report({ sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed' });
			await say(content);
			return end('end_turn');
		}
		case 'wait':
			return wait();
		}
		return end('refusal');
	});

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
