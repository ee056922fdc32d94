import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const text = (value) => ({ content: [{ type: "text", text: value }] });

const paths = (list) => z.object(Object.fromEntries(list.map((name) => [name, z.string()])));

function addResources(server) {
  const note = { title: "A note", description: "The first\nnote.", mimeType: "text/plain" };
  server.registerResource("note", "note://one", note, (uri) => ({ contents: [{ uri: uri.href, text: "remember" }] }));
  server.registerResource("image", "image://one", { mimeType: "image/png" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: "AAAA" }],
  }));
}

function addPrompts(server) {
  const argsSchema = z.object({ file: z.string(), focus: z.string().optional() });
  server.registerPrompt("review it", { description: "Reviews a file.\nWell.", argsSchema }, ({ file, focus }) => ({
    messages: [
      { role: "user", content: { type: "text", text: `Review ${file}, mind ${focus ?? "nothing"}.` } },
      { role: "assistant", content: { type: "text", text: "Gladly." } },
    ],
  }));
}

/** A server with a tool for everything that can happen to a call. */
export function makeServer() {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const add = (name, config, run) => server.registerTool(name, { inputSchema: z.object({}), ...config }, run);
  add(
    "echo",
    { inputSchema: paths(["text"]), description: "Says it again.\nMore.", annotations: { readOnlyHint: true } },
    (input) => text(input.text),
  );
  add("sum", { outputSchema: z.object({ total: z.number() }) }, () => ({
    content: [{ type: "text", text: "it is three" }],
    structuredContent: { total: 3 },
  }));
  add("refuse", { annotations: { destructiveHint: true } }, () => ({ ...text("no such thing"), isError: true }));
  add("look.at", { annotations: { openWorldHint: true } }, () => ({
    content: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
  }));
  add("flood", {}, () => text("x".repeat(300_000)));
  add("environment", {}, () => text(JSON.stringify(process.env)));
  add("die", {}, () => {
    process.stderr.write("out of luck\n");
    process.exit(3);
  });
  add("hang", {}, async (_input, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const params = { progressToken: token, progress: 1, message: "begun" };
    await mcpReq.notify({ method: "notifications/progress", params });
    return new Promise(() => undefined);
  });
  addResources(server);
  addPrompts(server);
  return server;
}
