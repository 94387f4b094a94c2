// Connects to an MCP server with one of the TypeScript SDKs of MCP, of which the second speaks both eras. The scripts
// that import this are written once for all of them.
//
//	WHICH is one of
//	v1            @modelcontextprotocol/sdk
//	v2            @modelcontextprotocol/client, as it is by default: with initialize
//	2026-07-28    @modelcontextprotocol/client in the modern era
import * as v1 from '@modelcontextprotocol/sdk/client/index.js';
import * as v1stdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as schemas from '@modelcontextprotocol/sdk/types.js';
import * as v2 from '@modelcontextprotocol/client';
import * as v2stdio from '@modelcontextprotocol/client/stdio';

// The first SDK knows methods by the schemas of their requests.
const v1schemas = {
	'sampling/createMessage': schemas.CreateMessageRequestSchema,
	'elicitation/create': schemas.ElicitRequestSchema,
	'roots/list': schemas.ListRootsRequestSchema,
	'notifications/message': schemas.LoggingMessageNotificationSchema,
	'notifications/tools/list_changed': schemas.ToolListChangedNotificationSchema,
	'notifications/prompts/list_changed': schemas.PromptListChangedNotificationSchema,
	'notifications/resources/updated': schemas.ResourceUpdatedNotificationSchema,
};

// connect starts the server, answers what it asks with the functions in requests, and gives its notes to those in
// notes. The client that it returns has callTool(params, options) in all SDKs, and notes what went wrong in odd.
export async function connect(which, [command, ...args], { requests = {}, notes = {} } = {}) {
	const sdk = which === 'v1' ? v1 : v2;
	const { StdioClientTransport } = which === 'v1' ? v1stdio : v2stdio;
	// Before the modern era the second SDK asks another process of the same command what it speaks, unless the transport
	// is a class of its own. There is one process to record.
	class OneProcess extends StdioClientTransport {}
	const name = (method) => (which === 'v1' ? v1schemas[method] : method);
	const capabilities = {};
	for (const method of Object.keys(requests)) {
		capabilities[method.split('/')[0]] = {};
	}
	const client = new sdk.Client({ name: 'parley-interop', version: '1' }, {
		capabilities,
		versionNegotiation: { mode: which === 'v1' || which === 'v2' ? 'legacy' : { pin: which } },
	});
	const odd = [];
	client.onerror = (err) => {
		// See reports. Whether a report came too late is for the audit of the transcript to say.
		if (!String(err).includes('progress notification for an unknown token')) {
			odd.push(String(err));
		}
	};
	for (const [method, handler] of Object.entries(requests)) {
		client.setRequestHandler(name(method), ({ params }) => handler(params));
	}
	for (const [method, handler] of Object.entries(notes)) {
		client.setNotificationHandler(name(method), ({ params }) => handler(params));
	}
	await client.connect(new OneProcess({ command, args, stderr: 'inherit' }));
	return {
		client,
		odd,
		callTool: (params, options) => (which === 'v1' ? client.callTool(params, undefined, options) : client.callTool(params, options)),
	};
}

// refusal is the error that a call ends with. The SDKs put their own words before the message.
export const refusal = (call) => call.then((result) => ({ unexpected: result }), ({ code, data }) => ({ code, data }));

// said is what a tool has said, on one line.
export const said = ({ content, isError }) => ({ text: content.map((block) => block.text ?? block.type).join('|'), isError });

// reports makes a call and returns what it reports, of which there is as much as n. The SDKs drop a report that they read
// in one piece with the result, as happens on a busy machine; then the call is made again.
export async function reports(n, call) {
	for (;;) {
		const seen = [];
		await call((report) => seen.push(report));
		if (seen.length >= n) {
			return seen;
		}
	}
}

// noted returns a function that keeps what it is given, and one that waits for the next of these.
export function noted() {
	const kept = [];
	let wake = () => {};
	return {
		keep: (params) => { kept.push(params); wake(); },
		next: async () => {
			while (kept.length === 0) {
				await new Promise((resolve) => { wake = resolve; });
			}
			return kept.shift();
		},
	};
}
