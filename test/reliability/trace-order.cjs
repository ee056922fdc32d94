// Loaded into the daemon before its own code: keeps, in order, what it wrote to the log, when syncs of the log began
// and ended, and which acknowledgements and events it handed to a socket.
const fs = require("node:fs");
const net = require("node:net");

const lines = [];
const logs = new Set();
let syncs = 0;

const note = (what, data, pattern) => {
  for (const [, sequence] of String(data).matchAll(pattern)) lines.push(`${what} ${sequence}`);
};
const APPENDED = /"sequence":(\d+)\}\n/g;
const noteAppend = (fd, data) => {
  if (logs.has(fd)) for (const part of [data].flat()) note("append", part, APPENDED);
};
const beginSync = (fd) => {
  if (!logs.has(fd)) return () => undefined;
  syncs += 1;
  const number = syncs;
  lines.push(`sync-begin ${number}`);
  return (error) => void (error || lines.push(`sync-end ${number}`));
};

const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (/\/log\/\d+\.jsonl$/.test(String(path))) logs.add(fd);
  return fd;
};
for (const name of ["writeSync", "writevSync"]) {
  const real = fs[name];
  fs[name] = (fd, data, ...rest) => {
    const written = real(fd, data, ...rest);
    noteAppend(fd, data);
    return written;
  };
}
for (const name of ["fsyncSync", "fdatasyncSync"]) {
  const real = fs[name];
  fs[name] = (fd) => {
    const end = beginSync(fd);
    real(fd);
    end();
  };
}
for (const name of ["write", "writev", "fsync", "fdatasync"]) {
  const real = fs[name];
  fs[name] = (fd, ...args) => {
    const done = args.pop();
    const end = name.includes("sync") ? beginSync(fd) : (error) => void (error || noteAppend(fd, args[0]));
    real(fd, ...args, (error, ...results) => {
      end(error);
      done(error, ...results);
    });
  };
}
const { write } = net.Socket.prototype;
net.Socket.prototype.write = function (data, ...rest) {
  note("pushed", data, /"sentAt":\d+,"sequence":(\d+)/g);
  note("acked", data, /"ok":true,"deliveredTo":\d+,"sequence":(\d+)/g);
  return write.call(this, data, ...rest);
};
process.on("exit", () => fs.writeFileSync(process.env.TRACE_FILE, lines.join("\n")));
