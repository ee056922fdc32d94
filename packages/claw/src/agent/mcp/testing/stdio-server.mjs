import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { makeServer } from "./make-server.mjs";

/** A server as a process, with one of several bad habits. */
const [habit = "none", file = ""] = process.argv.slice(2);

/** Lists one tool a page, and has no end of pages when it is told to. */
function pagedServer(pages) {
  const server = new Server({ name: "paged", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const tools = [{ name: `tool-${page}`, inputSchema: { type: "object" } }];
    return page + 1 < pages ? { tools, nextCursor: String(page + 1) } : { tools };
  });
  return server;
}

/** Has another tool each time it is started; the file counts how often that was. */
function changingServer() {
  const starts = existsSync(file) ? Number(readFileSync(file, "utf8")) + 1 : 1;
  writeFileSync(file, String(starts));
  const server = makeServer();
  const run = () => ({ content: [{ type: "text", text: `start ${starts}` }] });
  server.registerTool(`tool-${starts}`, { inputSchema: z.object({}) }, run);
  return server;
}

const HABITS = {
  none: () => undefined,
  crash: () => {
    process.stderr.write("cannot find the database\n");
    process.exit(1);
  },
  /** Prints what is no message, and more to stderr than a pipe holds. */
  chatty: () => {
    process.stdout.write("starting up…\n{\n\n[1]\n");
    process.stderr.write("log\n".repeat(200_000));
  },
  /** Sends what never ends. */
  boundless: () => setInterval(() => process.stdout.write("x".repeat(1024 * 1024)), 1),
  /** Has a child, and neither of them goes when it is asked to. */
  stubborn: () => {
    const child = spawn("sh", ["-c", "trap '' TERM HUP; while :; do sleep 1000; done"], { stdio: "ignore" });
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
    writeFileSync(file, JSON.stringify([process.pid, child.pid]));
  },
};

HABITS[habit]?.();
const SERVERS = {
  paged: () => pagedServer(3),
  endless: () => pagedServer(Infinity),
  changing: changingServer,
};
const server = (SERVERS[habit] ?? makeServer)();
if (habit === "silent") process.stdin.resume();
else await server.connect(new StdioServerTransport());
