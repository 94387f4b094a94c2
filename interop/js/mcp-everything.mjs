// Goes through examples/everything with a client of the TypeScript SDKs of MCP, and prints what came of it as one JSON
// value: what it lists, and what each thing in the lists says.
//
//	node mcp-everything.mjs WHICH COMMAND ARGS…      WHICH: see mcp-connect.mjs
import { connect, noted, refusal, reports, said } from './mcp-connect.mjs';

const [which, ...command] = process.argv.slice(2);
const modern = which === '2026-07-28';

const asked = [];
const logs = [];
const tools = noted();
const prompts = noted();
const resources = noted();
const { client, odd, callTool } = await connect(which, command, {
	requests: {
		'roots/list': () => ({ roots: [{ uri: 'file:///project', name: 'the only root' }] }),
		'sampling/createMessage': ({ messages, maxTokens }) => ({
			role: 'assistant', model: 'a test', stopReason: 'endTurn',
			content: { type: 'text', text: `Said to ${[messages[0].content].flat()[0].text} (${maxTokens})` },
		}),
		'elicitation/create': ({ message, requestedSchema }) => {
			asked.push(message);
			return { action: 'accept', content: fill(requestedSchema) };
		},
	},
	notes: {
		'notifications/message': ({ level, data }) => logs.push([level, data?.msg ?? data]),
		'notifications/tools/list_changed': tools.keep,
		'notifications/prompts/list_changed': prompts.keep,
		'notifications/resources/updated': resources.keep,
	},
});

// fill fills in a form: the default of each field, or its first choice, or something of its type.
function fill({ properties }) {
	const filled = {};
	for (const [name, field] of Object.entries(properties)) {
		const choice = (f) => f.enum?.[0] ?? (f.oneOf ?? f.anyOf)?.[0].const;
		const plain = { string: `my ${name} \u2028 列出`, integer: 1, number: 1.5, boolean: true }[field.type];
		filled[name] = field.default ?? choice(field) ?? (field.type === 'array' ? [choice(field.items)] : plain);
	}
	return filled;
}

const call = async (name, args, options) => said(await callTool({ name, arguments: args }, options));
const summary = {};

summary.server = client.getServerVersion()?.name;
summary.capabilities = Object.keys(client.getServerCapabilities()).sort();
summary.tools = (await client.listTools()).tools.map((tool) => tool.name);
summary.described = (await client.listTools()).tools.every((tool) => tool.description && tool.inputSchema.type === 'object');
summary.resources = (await client.listResources()).resources.map(({ uri, name, mimeType }) => [uri, name, mimeType].join(' '));
summary.templates = (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate);
summary.prompts = (await client.listPrompts()).prompts.map((p) => [p.name, ...(p.arguments ?? []).map((arg) => arg.name)].join(' '));

summary.said = {};
for (const name of summary.tools.filter((tool) => /^test_(simple|image|audio|embedded|multiple|error)/.test(tool))) {
	summary.said[name] = await call(name);
}
summary.unknownTool = (await refusal(callTool({ name: 'nosuch' }))).code;
summary.missingArgument = (await call('test_sampling', {})).isError;

const read = async (uri) => (await client.readResource({ uri })).contents.map((c) => `${c.uri} ${c.mimeType} ${c.text ?? c.blob.slice(0, 8)}`);
summary.text = await read('test://static-text');
summary.binary = await read('test://static-binary');
summary.template = await read('test://template/123/data');
summary.noResource = (await refusal(client.readResource({ uri: 'test://nosuch' }))).code;

const get = async (name, args) => said({ content: (await client.getPrompt({ name, arguments: args })).messages.map((m) => m.content) }).text;
summary.simplePrompt = await get('test_simple_prompt');
summary.promptWithArguments = await get('test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' });
summary.promptWithResource = await get('test_prompt_with_embedded_resource', { resourceUri: 'test://x' });
summary.promptWithImage = await get('test_prompt_with_image');
summary.noPrompt = (await refusal(client.getPrompt({ name: 'nosuch' }))).code;
summary.completion = (await client.complete({
	ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'par' },
})).completion.values;

summary.progress = await reports(3, (onprogress) => call('test_tool_with_progress', {}, { onprogress }));

// In the legacy era a level holds for the connection, in the modern one each request that wants logs says so.
await call('test_logging_tool');
const unasked = logs.splice(0).length;
summary.logsUnasked = modern ? unasked : undefined;
let wantLogs;
if (modern) {
	wantLogs = { 'io.modelcontextprotocol/logLevel': 'info' };
} else {
	await client.setLoggingLevel('info');
}
await callTool({ name: 'test_tool_with_logging', _meta: wantLogs });
summary.logs = logs.splice(0);

summary.sampling = await call('test_sampling', { prompt: 'How much?' });
summary.elicitation = await call('test_elicitation', { message: 'Who are you?' });
summary.defaults = await call('test_elicitation_sep1034_defaults');
summary.choices = await call('test_elicitation_sep1330_enums');
summary.asking = {};
for (const name of summary.tools.filter((tool) => /input_required|missing_capability|streaming/.test(tool))) {
	summary.asking[name] = await call(name);
}
summary.askingPrompt = await get('test_input_required_result_prompt');
summary.asked = asked;

// The call is taken back when its first report shows that it runs.
const abort = new AbortController();
const taken = callTool({ name: 'wait' }, { signal: abort.signal, onprogress: () => abort.abort('enough') });
summary.cancelled = await taken.then(() => 'answered', () => 'cancelled');

let subscription;
if (modern) {
	subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['test://watched-resource'] });
	summary.honoured = subscription.honoredFilter;
} else {
	await client.subscribeResource({ uri: 'test://watched-resource' });
}
await call('touch_watched_resource');
summary.updated = (await resources.next()).uri;
await call('test_trigger_tool_change');
await tools.next();
summary.extraTool = (await client.listTools()).tools.some((tool) => tool.name === 'extra');
await call('test_trigger_prompt_change');
await prompts.next();
await subscription?.close();
summary.after = await call('test_simple_text');

await client.close();
summary.odd = odd;
console.log(JSON.stringify(summary));
