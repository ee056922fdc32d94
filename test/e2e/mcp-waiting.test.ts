import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { killHard } from "./daemon-process.ts";
import { connectLead, dataOf, eventsOn, MODERN, startAgain, startLedDaemon } from "./mcp-lead.ts";
import { ASKING, UNTIL_GO } from "./mcp-scenarios.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const go = ({ cwd }: Workspace): void => writeFileSync(join(cwd, "go"), "");
const RUN = { mission: "make it", name: "maker", harness: "claude-code" };
const ERAS = ["2025-06-18", "2025-11-25", MODERN];

async function scene(scenario: FakeScenarioText, options: Parameters<typeof connectLead>[1] = {}) {
  const workspace = createWorkspace();
  const daemon = await startLedDaemon(workspace, scenario);
  return { workspace, daemon, lead: await connectLead(workspace, options) };
}

const accept = (decision: string): Frame => ({ action: "accept", content: { decision } });

describe.each(ERAS)("a client of %s without tasks", (version) => {
  test("waits by the cursor: each call tells what is new, and nothing twice", async () => {
    const { workspace, lead } = await scene(UNTIL_GO, { version });
    const first = dataOf(await lead.call("claws_run", { ...RUN, wait_seconds: 0.2 }));
    expect(first).toMatchObject({ status: "working", digest: expect.stringContaining("maker") });
    const still = dataOf(await lead.call("claws_wait", { cursor: first["cursor"], wait_seconds: 0 }));
    go(workspace);
    const last = dataOf(await lead.call("claws_wait", { cursor: still["cursor"] }));
    expect(last).toMatchObject({ status: "done", workers: [{ summary: "It is made.", completion: "reported" }] });
    // The log has the worker's last state before the end of its work: that line may come with the next call.
    const after = dataOf(await lead.call("claws_wait", { cursor: last["cursor"] }));
    const digests = [first, still, last, after].map(({ digest }) => String(digest)).join("\n");
    const told = [...digests.matchAll(/^#(\d+) /gm)].map(([, sequence]) => Number(sequence));
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(digests.match(/ended with ok: It is made\./g)).toHaveLength(1);
    const none = dataOf(await lead.call("claws_wait", { cursor: after["cursor"] }));
    expect(none).toMatchObject({ status: "done", digest: expect.stringMatching(/^maker: finished/) });
  });

  test("reports progress while it waits", async () => {
    const { workspace, lead } = await scene(UNTIL_GO, { version });
    const _meta = { progressToken: "t1" };
    const running = lead.call("claws_run", RUN, { _meta });
    const progress = (): Frame[] =>
      lead.heard.filter(({ method }) => method === "notifications/progress").map(({ params }) => params as Frame);
    await until("progress", () => progress().length > 0);
    go(workspace);
    await running;
    const told = progress();
    expect(told[0]).toMatchObject({ progressToken: "t1", message: expect.stringContaining("maker") });
    const steps = told.map((each) => Number(each["progress"]));
    expect(steps).toEqual(steps.map((_, index) => index + 1));
  });

  test("goes on over a kill of the daemon in the middle of a wait", async () => {
    const { workspace, daemon, lead } = await scene(UNTIL_GO, { version });
    const first = dataOf(await lead.call("claws_run", { ...RUN, wait_seconds: 0 }));
    const waiting = lead.call("claws_wait", { cursor: first["cursor"] });
    await killHard(daemon);
    await startAgain(workspace);
    go(workspace);
    expect(dataOf(await waiting)).toMatchObject({ status: "done", workers: [{ summary: "It is made." }] });
  });

  test("is told of a question once, decides by its tool, and a client without forms is not asked", async () => {
    const { lead } = await scene(ASKING, { version });
    const asked = dataOf(await lead.call("claws_run", RUN));
    expect(asked).toMatchObject({ status: "needs_input", digest: expect.stringContaining("rm -rf build") });
    const told = dataOf(await lead.call("claws_wait", { cursor: asked["cursor"], wait_seconds: 0.2 }));
    expect(told).toMatchObject({ status: "needs_input" });
    const { approvals } = dataOf(await lead.call("claws_approvals")) as { approvals: Frame[] };
    const [{ id: approval, hash } = {}] = approvals;
    await lead.call("claws_answer", { approval, hash, decision: "approve" });
    expect(dataOf(await lead.call("claws_wait", { cursor: told["cursor"] }))).toMatchObject({ status: "done" });
  });
});

describe.each(["2025-06-18", "2025-11-25"])("a client of %s with forms", (version) => {
  test("answers a question in the call, and a later answer elsewhere is refused", async () => {
    const asked: Frame[] = [];
    const onForm = (params: Frame): Promise<Frame> => {
      asked.push(params);
      return Promise.resolve(accept("approve"));
    };
    const { workspace, lead } = await scene(ASKING, { version, forms: true, onForm });
    const done = dataOf(await lead.call("claws_run", RUN));
    expect(done).toMatchObject({ status: "done", workers: [{ summary: "The build is gone." }] });
    expect(done["digest"]).toMatch(/^ap_\w+: approve counts\./);
    expect(asked).toMatchObject([{ message: expect.stringContaining("rm -rf build") }]);
    const [{ approvalId } = {}] = eventsOn(workspace, "system.approval.answered");
    expect(await clawJson(workspace, ["reject", String(approvalId)])).toMatchObject({ error: {} });
  });

  test.each(["decline", "cancel"])("whose program answers %s by itself leaves the question open", async (action) => {
    const onForm = (): Promise<Frame> => Promise.resolve({ action });
    const { workspace, lead } = await scene(ASKING, { version, forms: true, onForm });
    const open = dataOf(await lead.call("claws_run", RUN));
    expect(open).toMatchObject({ status: "needs_input", digest: expect.stringContaining("no person decided") });
    expect(eventsOn(workspace, "system.approval.answered")).toEqual([]);
  });

  test("is told that its answer came too late when another answer came first", async () => {
    const { workspace, lead } = await scene(ASKING, {
      version,
      forms: true,
      onForm: async () => {
        const [{ approvalId } = {}] = eventsOn(workspace, "system.approval.opened");
        await clawJson(workspace, ["reject", String(approvalId)]);
        return accept("approve");
      },
    });
    const done = dataOf(await lead.call("claws_run", RUN));
    expect(done).toMatchObject({ workers: [{ summary: "The build stays." }] });
    expect(eventsOn(workspace, "system.approval.answered")).toMatchObject([{ decision: "reject" }]);
  });
});

describe("a modern client with forms", () => {
  const withForms = { forms: true };

  test("is asked by the answer to its call, and calls again with the answer and the state", async () => {
    const { lead } = await scene(ASKING, withForms);
    const asks = await lead.call("claws_run", RUN);
    expect(asks).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    const inputResponses = { [approvalId]: accept("approve") };
    const done = await lead.call("claws_run", RUN, { inputResponses, requestState: asks["requestState"] });
    expect(dataOf(done)).toMatchObject({ status: "done", workers: [{ summary: "The build is gone." }] });
    // The second round started nothing, and told everything from the start on.
    expect(dataOf(done)["workers"]).toHaveLength(1);
    expect(dataOf(done)["digest"]).toMatch(/^ap_\w+: approve counts\.\n(.*\n)*.*asks/);
  });

  test("leaves the question open without a decision, and is then told by status", async () => {
    const { workspace, lead } = await scene(ASKING, withForms);
    const asks = await lead.call("claws_run", RUN);
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    const inputResponses = { [approvalId]: { action: "cancel" } };
    const open = await lead.call("claws_run", RUN, { inputResponses, requestState: asks["requestState"] });
    expect(dataOf(open)).toMatchObject({ status: "needs_input" });
    expect(dataOf(open)["digest"]).toContain(`${approvalId} stays open: no person decided`);
    expect(eventsOn(workspace, "system.approval.answered")).toEqual([]);
  });

  test("cannot use a state twice, in another call, changed, or in another connection", async () => {
    const { workspace, lead } = await scene(ASKING, withForms);
    const asks = await lead.call("claws_run", RUN);
    const state = String(asks["requestState"]);
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    const inputResponses = { [approvalId]: accept("approve") };
    const again = (requestState: string, input: Frame = RUN) =>
      lead.raw("tools/call", { name: "claws_run", arguments: input, inputResponses, requestState });
    const refused = { error: { code: -32_602, message: "Invalid or expired requestState" } };
    expect(await again(`${state.slice(0, -2)}AA`)).toMatchObject(refused);
    expect(await again(state, { ...RUN, mission: "other" })).toMatchObject(refused);
    expect(await again("state1.e30.x")).toMatchObject(refused);
    const other = await connectLead(workspace, withForms);
    const call = { name: "claws_run", arguments: RUN, inputResponses, requestState: state };
    expect(await other.raw("tools/call", call)).toMatchObject(refused);
    expect(eventsOn(workspace, "system.approval.answered")).toEqual([]);
    expect(await again(state)).toMatchObject({ result: { structuredContent: { status: "done" } } });
    expect(await again(state)).toMatchObject(refused);
    expect(eventsOn(workspace, "system.worker.spawned")).toHaveLength(1);
  });

  test("whose server was started again is refused with its old state, and goes on without it", async () => {
    const { workspace, lead } = await scene(ASKING, withForms);
    const asks = await lead.call("claws_run", RUN);
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    await lead.close();
    const later = await connectLead(workspace, withForms);
    const round = { inputResponses: { [approvalId]: accept("approve") }, requestState: asks["requestState"] };
    expect(await later.raw("tools/call", { name: "claws_run", arguments: RUN, ...round })).toMatchObject({
      error: { code: -32_602, data: { hint: expect.stringContaining("claws_wait") as unknown } },
    });
    const open = dataOf(await later.call("claws_wait", { workers: ["maker"] }));
    expect(open).toMatchObject({ status: "needs_input", digest: expect.stringContaining("rm -rf build") as unknown });
    const { approvals } = dataOf(await later.call("claws_approvals"));
    const [{ id: approval, hash } = {}] = approvals as Frame[];
    await later.call("claws_answer", { approval, hash, decision: "approve" });
    const done = dataOf(await later.call("claws_wait", { workers: ["maker"], cursor: open["cursor"] }));
    expect(done).toMatchObject({ status: "done", workers: [{ summary: "The build is gone." }] });
    expect(eventsOn(workspace, "system.worker.spawned")).toHaveLength(1);
  });
});
