// Goes through the tools of `parley serve --tools FILE` with a client of the TypeScript SDKs of MCP, and prints what
// came of it as one JSON value. Near the end it adds a tool to the file.
//
//	node mcp-tools.mjs WHICH FILE COMMAND ARGS…      WHICH: see mcp-connect.mjs
import { appendFileSync } from 'node:fs';
import { connect, noted, refusal, reports, said } from './mcp-connect.mjs';

const [which, file, ...command] = process.argv.slice(2);
const modern = which === '2026-07-28';

const logs = [];
const changes = noted();
const { client, odd, callTool } = await connect(which, command, {
	notes: {
		'notifications/message': ({ level, data }) => logs.push([level, data?.msg ?? data]),
		'notifications/tools/list_changed': changes.keep,
	},
});
const call = async (name, args, options) => said(await callTool({ name, arguments: args }, options));
const summary = {};

const { tools } = await client.listTools();
summary.tools = tools.map(({ name, description, inputSchema }) => [name, description, ...(inputSchema.required ?? [])].join(': '));
summary.hostile = {};
for (const name of ['Bob', '$(id)', '; rm -rf x', '{name}', 'two\nlines', '列出 \u{1F600}', '-rf']) {
	const { text, isError } = await call('greet', { name });
	summary.hostile[name] = isError ? 'refused' : text;
}
const numbers = await callTool({ name: 'numbers', arguments: { n: 7 } });
summary.structured = numbers.structuredContent;
summary.default = (await callTool({ name: 'numbers' })).structuredContent;
summary.fail = (await call('fail')).isError;
summary.wrongType = (await call('numbers', { n: 'seven' })).isError;
summary.missing = (await call('greet')).isError;
summary.unknownTool = (await refusal(callTool({ name: 'nosuch' }))).code;

summary.progress = await reports(3, async (onprogress) => { summary.count = await call('count', {}, { onprogress }); });

let wantLogs;
if (modern) {
	wantLogs = { 'io.modelcontextprotocol/logLevel': 'debug' };
} else {
	await client.setLoggingLevel('debug');
}
logs.splice(0); // without a level, what is told is for the server to say
await callTool({ name: 'grumble', _meta: wantLogs });
summary.logs = logs.splice(0);

// The call is taken back when its first report shows that it runs.
const abort = new AbortController();
const taken = callTool({ name: 'wait' }, { signal: abort.signal, onprogress: () => abort.abort('enough') });
summary.cancelled = await taken.then(() => 'answered', () => 'cancelled');

const subscription = modern ? await client.listen({ toolsListChanged: true }) : undefined;
appendFileSync(file, '  - { name: late, description: Came later, run: [echo, late] }\n');
await changes.next();
summary.late = await call('late');
summary.now = (await client.listTools()).tools.length - tools.length;
await subscription?.close();

await client.close();
summary.odd = odd;
console.log(JSON.stringify(summary));
