import { expect, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { killHard } from "./daemon-process.ts";
import type { RawAnswer } from "./mcp-lead.ts";
import { eventsOn, MODERN, startAgain, startLedDaemon } from "./mcp-lead.ts";
import { ASKING } from "./mcp-scenarios.ts";
import { httpDoor } from "./mcp-scene.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const HTTP = ["--http", "127.0.0.1:0"];

const RUN = { mission: "make it", name: "maker", harness: "claude-code" };

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "states", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

/** Calls `claws_run` with a token, as a request that stands alone. */
async function run(workspace: Workspace, token: string, more: Frame = {}): Promise<RawAnswer> {
  const { url } = await httpDoor(workspace);
  const params = { name: "claws_run", arguments: RUN, ...more, _meta: META };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN,
      "mcp-method": "tools/call",
      "mcp-name": "claws_run",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await answer.text();
  const [line = text] = text.split("\n").flatMap((each) => (each.startsWith("data: ") ? [each.slice(6)] : []));
  return JSON.parse(line) as RawAnswer;
}

const REFUSED = { error: { code: -32_602, message: "Invalid or expired requestState" } };

test("over HTTP, a state outlives the daemon, stays its token's, and is used once by all daemons together", async () => {
  const workspace = createWorkspace();
  const first = await startLedDaemon(workspace, ASKING, HTTP);
  const [own, other] = await Promise.all(
    [1, 2].map(async () =>
      String((await clawJson(workspace, ["tokens", "create", "--role", "orchestrator"]))["token"]),
    ),
  );
  const asks = (await run(workspace, own ?? "")).result;
  expect(asks).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
  const [approvalId = ""] = Object.keys(asks?.["inputRequests"] as Frame);
  const inputResponses = { [approvalId]: { action: "accept", content: { decision: "approve" } } };
  const round = { inputResponses, requestState: asks?.["requestState"] };
  await killHard(first);
  const second = await startAgain(workspace, HTTP);
  expect(await run(workspace, other ?? "", round)).toMatchObject(REFUSED);
  expect(await run(workspace, own ?? "", round)).toMatchObject({
    result: { structuredContent: { status: "done", workers: [{ summary: "The build is gone." }] } },
  });
  expect(await run(workspace, own ?? "", round)).toMatchObject(REFUSED);
  await killHard(second);
  await startAgain(workspace, HTTP);
  expect(await run(workspace, own ?? "", round)).toMatchObject(REFUSED);
  expect(eventsOn(workspace, "system.worker.spawned")).toHaveLength(1);
});
