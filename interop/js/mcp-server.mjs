// A server made with the TypeScript SDK of MCP that does what server-everything does not: it pings its client.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const mcp = new McpServer({ name: 'pinger', version: '1' });
mcp.registerTool('ping-back', {}, async () => ({
	content: [{ type: 'text', text: JSON.stringify(await mcp.server.ping()) }],
}));
await mcp.connect(new StdioServerTransport());
