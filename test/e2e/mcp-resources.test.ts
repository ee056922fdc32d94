import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startDaemon } from "./daemon-process.ts";
import { askIn, withFixer } from "./fixer-scene.ts";
import { connectMcp, ERAS } from "./mcp-scene.ts";
import { withWork } from "./work-scene.ts";
import { createWorkspace } from "./workspace.ts";

async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  expect(first).toMatchObject({ uri });
  return first !== undefined && "text" in first ? first.text : "";
}

/** The addresses that a client is told have changed. */
async function watch(client: Client, uri: string): Promise<string[]> {
  const told: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
  if (client.getNegotiatedProtocolVersion() === "2026-07-28") await client.listen({ resourceSubscriptions: [uri] });
  else await client.subscribeResource({ uri });
  return told;
}

describe.each(ERAS)("resources for a client of %s", (version) => {
  test("are listed and read: workers, their diffs, fleets, questions, the log in parts", async () => {
    const workspace = createWorkspace();
    await withWork(workspace);
    const { client } = await connectMcp(workspace, { version });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(["claw://approvals", "claw://log", expect.stringMatching(/^claw:\/\/workers\/p_/)]),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "claw://workers/{id}",
      "claw://workers/{id}/diff",
      "claw://fleets/{name}",
      "claw://log{?from}",
    ]);
    expect(JSON.parse(await readText(client, "claw://workers/fixer"))).toMatchObject({ worker: { name: "fixer" } });
    expect(await readText(client, "claw://workers/fixer/diff")).toContain("+b");
    expect(JSON.parse(await readText(client, "claw://approvals"))).toEqual({ approvals: [] });
    const log = JSON.parse(await readText(client, "claw://log")) as { events: { sequence: number }[]; cursor: string };
    expect(log.events[0]?.sequence).toBe(1);
    const rest = JSON.parse(await readText(client, `claw://log?from=${log.cursor}`)) as typeof log;
    expect(rest.events.every(({ sequence }) => sequence > (log.events.at(-1)?.sequence ?? 0))).toBe(true);
    for (const uri of ["claw://workers/nobody", "claw://fleets/none", "claw://else", "file:///etc/passwd"]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
    }
  });

  test("tell a client that asked for it when they change, and none that did not", async () => {
    const workspace = createWorkspace();
    const fixer = await withFixer(workspace);
    const scene = await connectMcp(workspace, { version });
    const told = await watch(scene.client, "claw://approvals");
    // The watch begins with the answer; a call that comes back shows that the server has joined the bus.
    await scene.call("claws_workers");
    await askIn(workspace, fixer);
    await until("the update", () => told.length > 0);
    expect(new Set(told)).toEqual(new Set(["claw://approvals"]));
    expect(JSON.parse(await readText(scene.client, "claw://approvals"))).toMatchObject({
      approvals: [{ message: "push to which remote?" }],
    });
  });

  test("prompts are listed and made from their arguments", async () => {
    const { client } = await connectMcp(createWorkspace(), { version });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      "run_in_parallel",
      "fan_out_audit",
      "supervise_fleet",
      "review_and_accept",
    ]);
    const { messages } = await client.getPrompt({ name: "run_in_parallel", arguments: { jobs: "mend x\nmend y" } });
    expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    expect(JSON.stringify(messages)).toContain("mend y");
    await expect(client.getPrompt({ name: "run_in_parallel" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.getPrompt({ name: "none" })).rejects.toMatchObject({ code: -32_602 });
  });
});

test("without a daemon, the list has what is always there, and reading says what helps", async () => {
  const { client } = await connectMcp(createWorkspace());
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["claw://approvals", "claw://log"]);
  await expect(client.readResource({ uri: "claw://log" })).rejects.toMatchObject({
    data: { code: "DAEMON_NOT_RUNNING", hint: "Start the daemon: claw up." },
  });
});

test("many workers are listed in pages", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const scene = await connectMcp(workspace);
  const workers = Array.from({ length: 3 }, (_, at) => ({ mission: `job ${at}` }));
  await scene.call("claws_run", { workers, harness: "fake" });
  const { resources } = await scene.client.listResources();
  expect(resources).toHaveLength(5);
  await expect(scene.client.listResources({ cursor: "claw://none" })).rejects.toMatchObject({
    data: { code: "INVALID_CURSOR" },
  });
});
