// Drives an MCP server with the client of the TypeScript SDK of MCP, and prints what came of it as one JSON value.
//
//	node mcp-client.mjs COMMAND ARGS…
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
	CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema, ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

const client = new Client({ name: 'mcp-client.mjs', version: '1' }, {
	capabilities: { roots: {}, sampling: {}, elicitation: {} },
});
const [command, ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
const odd = [];
client.onerror = (err) => odd.push(String(err));

client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///project', name: 'the only root' }] }));
client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
	role: 'assistant', model: 'a test', stopReason: 'endTurn',
	content: { type: 'text', text: `${params.messages[0].content.text} ${params.maxTokens}.` },
}));
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: '\u2028 列出 \u{1F600}' } }));
const logged = new Promise((resolve) => {
	client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params));
});

// refusal is the error that a call ends with. The SDK puts its own words before the message.
const refusal = (call) => call.then((result) => ({ unexpected: result }), ({ code, data }) => ({ code, data }));
const text = ({ content, isError }) => ({ text: content.map((block) => block.text).join('|'), isError });

const summary = {};

await client.connect(transport);
summary.server = client.getServerVersion();
summary.capabilities = client.getServerCapabilities();
summary.ping = await client.ping();
summary.setLevel = await client.setLoggingLevel('info');
summary.tools = (await client.listTools()).tools.map(({ name, inputSchema }) => `${name}: ${inputSchema.type}`);
summary.echo = text(await client.callTool({ name: 'echo', arguments: { text: 'a\nb\u2028 列出 \u{1F600}' } }));
summary.fail = text(await client.callTool({ name: 'fail' }));
summary.unknownTool = await refusal(client.callTool({ name: 'nosuch' }));
summary.unknownMethod = await refusal(client.request({ method: 'nosuch' }, ResultSchema));

const progress = [];
summary.count = text(await client.callTool({ name: 'count', arguments: { n: 3 } }, undefined, {
	onprogress: (report) => progress.push(report),
}));
summary.progress = progress;
summary.consult = text(await client.callTool({ name: 'consult' }));

// The call is taken back when its first report shows that it runs; the log shows that it was stopped.
const abort = new AbortController();
const waited = client.callTool({ name: 'wait' }, undefined, { signal: abort.signal, onprogress: () => abort.abort('enough') });
summary.cancelled = await waited.then(() => 'answered', () => 'cancelled');
summary.logged = await logged;
summary.after = text(await client.callTool({ name: 'echo', arguments: { text: 'still here' } }));

await client.close();
summary.odd = odd;
console.log(JSON.stringify(summary));
