// A server made with the TypeScript SDK of MCP that does what server-everything does not: it pings its client, logs at
// once, and notices that a call is taken back.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const mcp = new McpServer({ name: 'pinger', version: '1' }, { capabilities: { logging: {} } });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

mcp.registerTool('ping-back', {}, async () => text(await mcp.server.ping()));

mcp.registerTool('log', {}, async () => {
	await mcp.server.sendLoggingMessage({ level: 'notice', logger: 'js', data: { msg: 'logged', n: 1 } });
	return text('logged');
});

// wait reports that it runs, and logs that it was cancelled. The SDK sends no answer then.
mcp.registerTool('wait', {}, async ({ signal, _meta, sendNotification }) => {
	const aborted = new Promise((resolve) => { signal.addEventListener('abort', resolve); });
	await sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1 } });
	await aborted;
	await mcp.server.sendLoggingMessage({ level: 'warning', logger: 'js', data: `cancelled: ${signal.reason}` });
	return text('too late');
});

await mcp.connect(new StdioServerTransport());
