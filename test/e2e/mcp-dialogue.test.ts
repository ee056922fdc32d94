import { fileURLToPath } from "node:url";
import { shellQuote } from "claw-contract";
import { expect, test } from "vitest";
import { startDaemon } from "./daemon-process.ts";
import type { McpScene, ToolData } from "./mcp-scene.ts";
import { connectMcp, ERAS } from "./mcp-scene.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { createWorkspace } from "./workspace.ts";

const AUDIT_WORKER = fileURLToPath(new URL("audit-worker.mjs", import.meta.url));

interface Seen {
  readonly topic: string;
  readonly payload: { readonly data?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** Reads events by the cursor, without a pause between two calls, until one fits. Returns all that were read. */
function createReader({ call }: McpScene) {
  let cursor = "0000:0";
  return async (fits: (event: Seen) => boolean): Promise<Seen[]> => {
    const read: Seen[] = [];
    for (;;) {
      const part: ToolData = await call("claws_events", { since: cursor, wait_seconds: 40, limit: 1 });
      cursor = String(part["cursor"]);
      read.push(...(part["events"] as Seen[]));
      const last = read.at(-1);
      if (last !== undefined && fits(last)) return read;
    }
  };
}

const about = (event: Seen): readonly unknown[] => {
  const data = event.payload.data ?? event.payload;
  return [event.topic.split(".").at(-1), data["phase"] ?? data["kind"] ?? null];
};

test.each(ERAS)("an orchestrator of %s leads the dialogue of an audit with its tools alone", async (version) => {
  const workspace = createWorkspace();
  endHostAfterTest(workspace);
  await startDaemon(workspace);
  const scene = await connectMcp(workspace, { version, args: ["--tools", "all"] });
  const { call } = scene;
  const readUntil = createReader(scene);

  const { peerId: main } = await call("claws_hello", { role: "orchestrator", peerName: "main" });
  const { terminal_id: terminal } = await call("claws_create", { name: "audit-A", wrapped: true });
  const command = [process.execPath, AUDIT_WORKER, String(main)].map(shellQuote).join(" ");
  await call("claws_send", { id: terminal, text: command });

  const before = await readUntil(({ payload }) => payload.data?.["kind"] === "REQUEST");
  const asked = before.at(-1);
  const worker = asked?.topic.split(".")[1] ?? "";
  expect(asked?.payload.data).toMatchObject({ request_id: "r1", message: expect.stringContaining("patch it?") });

  const answer = { correlation_id: "r1", payload: { chosen: "B" } };
  await call("claws_publish", { topic: `cmd.${worker}.approve`, payload: answer });

  const after = await readUntil(({ topic, payload }) => topic === "system.peer.left" && payload["peerId"] === worker);
  const own = [...before, ...after].filter(({ topic }) => topic.startsWith(`worker.${worker}.`));
  expect(own.map(about)).toEqual([
    ["boot", null],
    ["phase", "PLAN"],
    ["phase", "SPAWN"],
    ["phase", "DEPLOY"],
    ["heartbeat", null],
    ["event", "REQUEST"],
    ["phase", "OBSERVE"],
    ["event", "HARVEST"],
    ["phase", "HARVEST"],
    ["phase", "CLEANUP"],
    ["phase", "REFLECT"],
    ["complete", null],
  ]);
  expect(own[7]?.payload.data).toMatchObject({
    data: { typed: expect.stringMatching(/^\[CLAWS_CMD r=r1\] approve_request: .*"chosen":"B"/) },
  });
  expect(after.at(-1)?.payload).toMatchObject({ reason: "clean" });
  expect(await call("claws_done")).toMatchObject({ ok: true });
});
