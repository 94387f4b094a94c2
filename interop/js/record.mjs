// Stands between a client and the server that it starts, and writes down each line that passes in the shape that
// parley reads as a transcript. A line is written down before it is passed on: no answer comes before what it answers.
//
//	node record.mjs TRANSCRIPT COMMAND ARGS…
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
const transcript = openSync(file, 'wx');
const start = performance.now();
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from, dir, to) {
	let rest = Buffer.alloc(0);
	from.on('data', (chunk) => {
		rest = Buffer.concat([rest, chunk]);
		const end = rest.lastIndexOf('\n') + 1;
		for (const raw of rest.subarray(0, end).toString().split('\n').slice(0, -1)) {
			const t = Math.round((performance.now() - start) * 1000) / 1000;
			writeSync(transcript, JSON.stringify({ t, dir, raw }) + '\n');
		}
		to.write(rest.subarray(0, end));
		rest = rest.subarray(end);
	});
	from.on('end', () => to.end(rest));
	to.on('error', () => {}); // whoever has gone needs nothing more
}
pass(process.stdin, 'c2s', server.stdin);
pass(server.stdout, 's2c', process.stdout);
server.on('error', (err) => { throw err; });
server.on('close', (code, signal) => {
	if (signal !== null) {
		console.error(`record: the server died by ${signal}`);
	}
	// The client may go on after its server has ended, and so this process would.
	process.exitCode = code ?? 1;
	process.stdin.destroy();
});
