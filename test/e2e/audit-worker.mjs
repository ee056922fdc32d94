// A worker in a terminal that speaks the wire by hand: it finds the bus and its terminal in its environment, works for the
// peer in its first argument, asks what to do, reads the answer from its terminal, and reports its result.
import { connect } from "node:net";

const { CLAWS_SOCKET, CLAWS_TERMINAL_ID: terminalId } = process.env;
const [parent] = process.argv.slice(2);
const socket = connect(CLAWS_SOCKET);
const waiting = new Map();
let asked = 0;
let received = "";

socket.on("data", (bytes) => {
  received += bytes;
  const lines = received.split("\n");
  received = lines.pop();
  for (const line of lines) {
    const frame = JSON.parse(line);
    waiting.get(frame.rid)?.(frame);
  }
});

const ask = (body) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    socket.write(`${JSON.stringify({ id: asked, ...body })}\n`);
  });

const hello = { cmd: "hello", protocol: "claws/2", role: "worker", peerName: "audit-A", terminalId };
const { peerId } = await ask(hello);
const say = (kind, payload) => ask({ cmd: "publish", topic: `worker.${peerId}.${kind}`, payload });
const phases = [];
async function enter(phase) {
  const prev = phases.at(-1) ?? null;
  phases.push(phase);
  await say("phase", { phase, prev, transition_reason: "next", phases_completed: phases });
}

process.stdin.setRawMode(true);
process.stdout.write("\u001b[?2004h> ");
let typed = "";
const answered = new Promise((resolve) => {
  process.stdin.on("data", (bytes) => {
    // Keys may come split; a command is whole when Enter comes.
    typed += bytes;
    if (!typed.endsWith("\r")) {
      process.stdout.write(`\r\u001b[K> ${typed.replaceAll(/\u001b\[20[01]~/g, "")}`);
      return;
    }
    const line = typed.replaceAll(/\u001b\[20[01]~|\r/g, "");
    typed = "";
    process.stdout.write(`\r\n* ${line}\r\nthinking\r\n> `);
    resolve(line);
  });
});

const artifacts = [{ path: "/tmp/audit.md", type: "markdown" }];
await say("boot", {
  model: "sonnet-4-6",
  role: "worker",
  mission_summary: "audit src/server.ts",
  parent_peer_id: parent,
  cwd: "/",
  terminal_id: terminalId,
});
for (const phase of ["PLAN", "SPAWN", "DEPLOY"]) await enter(phase);
await say("heartbeat", { current_phase: "DEPLOY", time_in_phase_ms: 1, tokens_used: 120, cost_usd: 0 });
await say("event", {
  kind: "REQUEST",
  severity: "info",
  request_id: "r1",
  request_type: "decision",
  message: "server.ts:380 — should I rewrite the handler or patch it?",
  options: [
    { id: "A", label: "rewrite" },
    { id: "B", label: "patch" },
  ],
});
const typedLine = await answered;
await enter("OBSERVE");
const data = { artifacts, typed: typedLine };
await say("event", { kind: "HARVEST", severity: "info", message: "audit done", correlation_id: "r1", data });
for (const phase of ["HARVEST", "CLEANUP", "REFLECT"]) await enter(phase);
await say("complete", { result: "ok", summary: "audited", artifacts, phases_completed: phases });
socket.end();
process.stdin.pause();
