import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { say } from "../model-server/model-scenario.ts";
import type { AgentScene } from "./agent-scene.ts";
import { openAgentScene } from "./agent-scene.ts";
import { settle } from "./escape-scene.ts";

const SERVER = fileURLToPath(new URL("../../packages/claw/src/agent/mcp/testing/stdio-server.mjs", import.meta.url));
const mcpServers = { x: { command: process.execPath, args: [SERVER] } };

const sentTo = (scene: AgentScene): string => JSON.stringify(scene.requests().map(({ body }) => body));

test("a prompt of an MCP server is ordered with -p, and the model gets the server's words", async () => {
  const scene = await openAgentScene({ turns: [say("Done.")] });
  settle(scene, { mcpServers });
  const answer = await scene.ask('/mcp__x__review_it "a file.ts" the edge cases');
  expect(answer).toMatchObject({ exit_code: 0, message: "Done." });
  expect(sentTo(scene)).toContain("Review a file.ts, mind the edge cases.");
  expect(sentTo(scene)).not.toContain("/mcp__x__review_it");
});

test("a prompt that is denied, unknown or lacks an argument asks no model", async () => {
  const scene = await openAgentScene({ turns: [say("Done.")] });
  settle(scene, { mcpServers });
  expect(await scene.ask("/mcp__x__review_it")).toMatchObject({
    error: { code: "INVALID_FLAG_VALUE", hint: "/mcp__x__review_it FILE [FOCUS]" },
  });
  expect(await scene.ask("/mcp__x__nothing a.ts")).toMatchObject({
    error: { code: "COMMAND_NOT_FOUND", hint: "Known prompts: /mcp__x__review_it." },
  });
  settle(scene, { mcpServers, permissions: { deny: ["mcp__x__review_it"] } });
  expect(await scene.ask("/mcp__x__review_it a.ts")).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
  expect(scene.requests()).toEqual([]);
});
