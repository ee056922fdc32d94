import { connect } from "node:net";

// Subscribes from the beginning and reads until it has caught up. Prints seconds and lines.
const END = Buffer.from('"caught-up"');
const socket = connect(process.argv[2] ?? "");
let lines = 0;
/** The end of the last chunk, where the mark may begin. */
let tail = Buffer.alloc(0);
const startedAt = performance.now();
socket.on("data", (chunk) => {
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  const seam = Buffer.concat([tail, chunk.subarray(0, END.length)]);
  tail = chunk.subarray(-END.length);
  // Live events may follow the mark in its chunk.
  if (!chunk.includes(END) && !seam.includes(END)) return;
  process.stdout.write(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, lines }));
  socket.destroy();
});
socket.write('{"id":"1","cmd":"hello","protocol":"claws/2","role":"observer","peerName":"replayer"}\n');
socket.write('{"id":"2","cmd":"subscribe","topic":"worker.*.event","fromCursor":"0000:0"}\n');
