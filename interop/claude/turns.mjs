// Has the Claude Agent SDK start an agent and talk with it for several turns, and prints what came of it as one JSON
// value.
//
//	node turns.mjs path/to/agent
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const summary = { turns: [], permissions: [], hooks: [], tools: [], interrupts: [], aborted: [] };

// Leaves the agent without an answer and interrupts the turn, so that the agent takes its question back.
const interrupted = (what, signal) => new Promise((_, reject) => {
	signal.addEventListener('abort', () => {
		summary.aborted.push(what);
		reject(new Error('taken back'));
	});
	conversation.interrupt().then((answer) => summary.interrupts.push(answer));
});

const calc = createSdkMcpServer({
	name: 'calc',
	version: '1.0.0',
	tools: [
		tool('add', 'adds two numbers', { a: z.number(), b: z.number() }, async ({ a, b }) => {
			summary.tools.push({ add: [a, b] });
			return { content: [{ type: 'text', text: `${a + b}` }] };
		}),
		tool('slow', 'waits until it is stopped', {}, (_, { signal }) => interrupted('slow', signal)),
	],
});

// What the user says next waits for the end of the turn.
let ended;

async function* user() {
	for (const content of [
		'hello',
		'Bash {"command":"ls"}',
		'Bash {"command":"rm -rf /"}',
		'mcp__calc__add {"a":2,"b":3}',
		'mcp__calc__nosuch {}',
		'mcp__nosuch__add {}',
		'Wait {}',
		'mcp__calc__slow {}',
		'still there?',
	]) {
		const end = new Promise((resolve) => { ended = resolve; });
		yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
		summary.turns.push({ said: content, ...await end });
	}
	// The agent does not know this one.
	summary.refused = await conversation.setModel('another').catch((err) => err.message);
}

const conversation = query({
	prompt: user(),
	options: {
		pathToClaudeCodeExecutable: process.argv[2],
		settingSources: [],
		mcpServers: { calc },
		hooks: {
			PreToolUse: [{
				matcher: 'Bash',
				hooks: [async ({ hook_event_name: event, tool_name: name, tool_input: input }, id) => {
					summary.hooks.push({ event, name, input, id });
					return {};
				}],
			}],
		},
		canUseTool: async (name, input, { signal }) => {
			summary.permissions.push({ name, input });
			if (name === 'Wait') {
				await interrupted('Wait', signal);
			}
			if (input.command?.startsWith('rm')) {
				return { behavior: 'deny', message: 'not that' };
			}
			return { behavior: 'allow', updatedInput: name === 'Bash' ? { ...input, timeout: 5 } : input };
		},
		stderr: (text) => process.stderr.write(text),
	},
});

let heard = [];
for await (const event of conversation) {
	if (event.type === 'result') {
		const { subtype, is_error: failed, result, errors } = event;
		ended({ heard, subtype, failed, result, errors });
		heard = [];
	} else {
		heard.push(event.type, ...event.message.content);
	}
}
console.log(JSON.stringify(summary));
