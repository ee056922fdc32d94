import { unlinkSync } from "node:fs";
import { createServer } from "node:net";

// The least a bus can do: parse each line, print it anew, pass it on. No log, no checks, no order but arrival.
const [path = "", mode] = process.argv.slice(2);
const gathers = mode === "gather";
const subscribers = new Set();
let peers = 0;

/** Writes each frame as it comes, or gathers those of one turn of the loop into one write. */
function createSender(socket) {
  if (!gathers) return (frame) => void (socket.writable && socket.write(`${frame}\n`));
  let pending = [];
  const flush = () => {
    const text = `${pending.join("\n")}\n`;
    pending = [];
    if (socket.writable) socket.write(text);
  };
  return (frame) => {
    if (pending.push(frame) === 1) queueMicrotask(flush);
  };
}

function answer(request, send) {
  const { id, cmd, topic, payload } = request;
  if (cmd === "hello") peers += 1;
  if (cmd === "subscribe") subscribers.add(send);
  if (cmd === "publish" && subscribers.size > 0) {
    const frame = JSON.stringify({ push: "message", topic, payload, sentAt: Date.now() });
    for (const deliver of subscribers) deliver(frame);
  }
  send(JSON.stringify({ id, ok: true, peerId: `p_${peers}` }));
}

const server = createServer((socket) => {
  const send = createSender(socket);
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answer(JSON.parse(line), send);
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => subscribers.delete(send));
});

server.listen(path);
process.on("SIGTERM", () => {
  unlinkSync(path);
  process.exit(0);
});
