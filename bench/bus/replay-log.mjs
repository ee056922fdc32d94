import { connect } from "node:net";

// Subscribes from the beginning and reads until it has caught up. Prints seconds and lines.
const socket = connect(process.argv[2] ?? "");
let lines = 0;
let tail = "";
const startedAt = performance.now();
socket.on("data", (chunk) => {
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  tail = (tail + chunk.toString("latin1", Math.max(0, chunk.length - 400))).slice(-400);
  if (!tail.includes('"caught-up"')) return;
  process.stdout.write(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, lines }));
  socket.destroy();
});
socket.write('{"id":"1","cmd":"hello","protocol":"claws/2","role":"observer","peerName":"replayer"}\n');
socket.write('{"id":"2","cmd":"subscribe","topic":"worker.*.event","fromCursor":"0000:0"}\n');
