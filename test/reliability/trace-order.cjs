// Loaded into the daemon before its own code: keeps, in order, what it wrote to the log, when that was synced, and
// which acknowledgements it handed to a socket.
const fs = require("node:fs");
const net = require("node:net");

const lines = [];
const logs = new Set();
const { openSync, writeSync, fdatasync } = fs;
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (/\/log\/\d+\.jsonl$/.test(String(path))) logs.add(fd);
  return fd;
};
const APPENDED = /"sequence":(\d+)\}\n/g;
const ACKNOWLEDGED = /"ok":true,"deliveredTo":\d+,"sequence":(\d+)/g;
const note = (what, text, pattern) => {
  for (const [, sequence] of String(text).matchAll(pattern)) lines.push(`${what} ${sequence}`);
};
fs.writeSync = (fd, bytes, ...rest) => {
  if (logs.has(fd)) note("append", bytes, APPENDED);
  return writeSync(fd, bytes, ...rest);
};
fs.fdatasync = (fd, done) =>
  fdatasync(fd, (error) => {
    if (logs.has(fd) && !error) lines.push("synced");
    done(error);
  });
const { write } = net.Socket.prototype;
net.Socket.prototype.write = function (data, ...rest) {
  note("acked", data, ACKNOWLEDGED);
  return write.call(this, data, ...rest);
};
process.on("exit", () => fs.writeFileSync(process.env.TRACE_FILE, lines.join("\n")));
