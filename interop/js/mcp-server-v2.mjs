// A server made with the second TypeScript SDK of MCP, which speaks both eras: its tools ask in rounds, report, log,
// wait to be cancelled, and change the server.
import { acceptedContent, createRequestStateCodec, fromJsonSchema, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (said) => ({ content: [{ type: 'text', text: said }] });
const state = createRequestStateCodec({ key: 'a key of thirty-two bytes or more', ttlSeconds: 60 });
const form = (field) => ({ type: 'object', properties: { [field]: { type: 'string' } }, required: [field] });

serveStdio(() => {
	const mcp = new McpServer({ name: 'second', version: '2' }, {
		capabilities: { logging: {}, tools: { listChanged: true } },
		requestState: { verify: state.verify },
	});

	mcp.registerTool('add', {
		description: 'Adds two numbers',
		inputSchema: fromJsonSchema({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }),
		outputSchema: fromJsonSchema({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }),
	}, ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));

	mcp.registerTool('fail', { description: 'Fails' }, () => { throw new Error('this tool always fails'); });

	// consult asks three things at once, and then, knowing the answers, one more.
	mcp.registerTool('consult', { description: 'Asks in two rounds' }, async (ctx) => {
		const first = ctx.mcpReq.requestState();
		const responses = ctx.mcpReq.inputResponses;
		if (first === undefined && responses === undefined) {
			return inputRequired({ inputRequests: {
				name: inputRequired.elicit({ message: 'Who are you?', requestedSchema: form('name') }),
				model: inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'How much?' } }], maxTokens: 7 }),
				roots: inputRequired.listRoots(),
			} });
		}
		if (first === undefined) {
			const { name } = acceptedContent(responses, 'name');
			const model = [inputResponse(responses, 'model').result.content].flat()[0].text;
			const roots = inputResponse(responses, 'roots').roots.map((root) => root.uri);
			return inputRequired({
				inputRequests: { color: inputRequired.elicit({ message: `Which color, ${name}?`, requestedSchema: form('color') }) },
				requestState: await state.mint([name, model, ...roots]),
			});
		}
		return text([...first, acceptedContent(responses, 'color').color].join(', '));
	});

	mcp.registerTool('report', { description: 'Reports and logs' }, async ({ mcpReq }) => {
		for (const progress of [1, 2]) {
			await mcpReq.notify({
				method: 'notifications/progress', params: { progressToken: mcpReq._meta?.progressToken, progress, total: 2 },
			});
		}
		await mcpReq.log('notice', 'reported', 'second');
		return text('reported');
	});

	// wait says that it runs, and logs to stderr that it was cancelled, when it was.
	mcp.registerTool('wait', { description: 'Waits to be cancelled' }, async ({ mcpReq }) => {
		const aborted = new Promise((resolve) => { mcpReq.signal.addEventListener('abort', resolve); });
		await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: mcpReq._meta.progressToken, progress: 1 } });
		await aborted;
		console.error('wait: cancelled');
		return text('too late');
	});

	mcp.registerTool('grow', { description: 'Adds a tool' }, () => {
		mcp.registerTool('grown', { description: 'Came later' }, () => text('grown'));
		return text('done');
	});
	return mcp;
});
