import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { killHard } from "./daemon-process.ts";
import type { Lead } from "./mcp-lead.ts";
import { connectLead, dataOf, eventsOn, startAgain, startLedDaemon, TASKS, untilTask } from "./mcp-lead.ts";
import { ASKING, UNTIL_GO } from "./mcp-scenarios.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const go = ({ cwd }: Workspace): void => writeFileSync(join(cwd, "go"), "");
const RUN = { mission: "make it", name: "maker", harness: "claude-code" };

async function scene(scenario: FakeScenarioText, options: Parameters<typeof connectLead>[1] = { tasks: true }) {
  const workspace = createWorkspace();
  const daemon = await startLedDaemon(workspace, scenario);
  return { workspace, daemon, lead: await connectLead(workspace, options) };
}

const taskIdOf = ({ taskId }: Frame): string => String(taskId);
const get = async (lead: Lead, taskId: string): Promise<Frame> =>
  (await lead.raw("tasks/get", { taskId })).result ?? {};

describe("a client that declares tasks", () => {
  test("gets a task whose id is in no log, and the result with state, summary, checks, cost and worktree", async () => {
    const { workspace, lead } = await scene(UNTIL_GO);
    const created = await lead.call("claws_run", { ...RUN, checks: ["test -e go"] });
    expect(created).toMatchObject({
      resultType: "task",
      status: "working",
      statusMessage: expect.stringContaining("maker: "),
      pollIntervalMs: 1000,
      ttlMs: expect.any(Number),
      taskId: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(created).not.toHaveProperty("result");
    const taskId = taskIdOf(created);
    expect(await get(lead, taskId)).toMatchObject({ resultType: "complete", status: "working", taskId });
    go(workspace);
    const done = await untilTask(lead, taskId, "completed", ({ status }) => status === "completed");
    const result = done["result"] as Frame;
    expect(dataOf(result)).toMatchObject({
      status: "done",
      workers: [
        {
          name: "maker",
          state: "finished",
          completion: "verified",
          summary: "It is made.",
          checks: [{ command: "test -e go", passed: true, exit_code: 0 }],
          cost_usd: expect.any(Number),
        },
      ],
      digest: expect.stringContaining("maker finished: It is made."),
    });
    expect(JSON.parse(String((result["content"] as Frame[])[0]?.["text"]))).toEqual(dataOf(result));
    expect(await get(lead, taskId)).toEqual({ ...done, pollIntervalMs: expect.any(Number) });
    expect(JSON.stringify(eventsOn(workspace, "system.ticket.opened"))).not.toContain(taskId);
    // The cursor of the result goes on after it.
    const after = await lead.call("claws_wait", { cursor: dataOf(result)["cursor"] as string, wait_seconds: 0 });
    expect(dataOf(after)).toMatchObject({ status: "done", digest: expect.stringMatching(/^maker: finished/) });
  });

  test("keeps its task when the daemon is killed and started again", async () => {
    const { workspace, daemon, lead } = await scene(UNTIL_GO);
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    await killHard(daemon);
    expect(await get(lead, taskId)).toMatchObject({ status: "working" });
    go(workspace);
    await startAgain(workspace);
    const done = await untilTask(lead, taskId, "completed", ({ status }) => status === "completed");
    expect(dataOf(done["result"] as Frame)).toMatchObject({ status: "done", workers: [{ summary: "It is made." }] });
    expect(eventsOn(workspace, "system.ticket.closed")).toHaveLength(1);
    expect(eventsOn(workspace, "worker.p_000002.complete").length).toBeLessThan(2);
  });

  test("is told of the task's states without asking", async () => {
    const { workspace, lead } = await scene(UNTIL_GO);
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    const listening = lead.raw("subscriptions/listen", { notifications: { taskIds: [taskId, "unknown"] } });
    const of = (method: string): Frame[] =>
      lead.heard.filter((each) => each["method"] === method).map(({ params }) => params as Frame);
    const [ack] = await until("the acknowledgement", () => {
      const acks = of("notifications/subscriptions/acknowledged");
      return acks.length > 0 ? acks : undefined;
    });
    expect(ack).toMatchObject({ notifications: { taskIds: [taskId] } });
    go(workspace);
    const told = await until("the last notification", () =>
      of("notifications/tasks").find(({ status }) => status === "completed"),
    );
    const { _meta: meta, pollIntervalMs: _told, ...task } = told;
    expect(meta).toHaveProperty(["io.modelcontextprotocol/subscriptionId"]);
    const { resultType: _type, _meta: _own, pollIntervalMs: _asked, ...asked } = await get(lead, taskId);
    expect(task).toEqual(asked);
    await lead.close();
    await listening;
  });

  test("answers an approval of its worker through the task, and a late answer of it changes nothing", async () => {
    const { workspace, lead } = await scene(ASKING, { tasks: true, forms: true });
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    const asks = await untilTask(lead, taskId, "asking", ({ status }) => status === "input_required");
    const [[approvalId, form] = ["", undefined]] = Object.entries(asks["inputRequests"] as Frame);
    expect(approvalId).toMatch(/^ap_/);
    expect(form).toMatchObject({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: expect.stringContaining("rm -rf build"),
        requestedSchema: { properties: { decision: { enum: ["approve", "reject"] } }, required: ["decision"] },
      },
    });
    const answer = (decision: string) =>
      lead.raw("tasks/update", {
        taskId,
        inputResponses: { [approvalId]: { action: "accept", content: { decision } }, ap_unknown: { action: "accept" } },
      });
    expect(await answer("approve")).toMatchObject({ result: { resultType: "complete" } });
    expect(await answer("reject")).toMatchObject({ result: { resultType: "complete" } });
    const done = await untilTask(lead, taskId, "completed", ({ status }) => status === "completed");
    expect(dataOf(done["result"] as Frame)).toMatchObject({ workers: [{ summary: "The build is gone." }] });
    expect(eventsOn(workspace, "system.approval.answered")).toMatchObject([{ decision: "approve" }]);
  });

  test("leaves the approval open when no person decides, and is not asked again", async () => {
    const { workspace, lead } = await scene(ASKING, { tasks: true, forms: true });
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    const asks = await untilTask(lead, taskId, "asking", ({ status }) => status === "input_required");
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    await lead.raw("tasks/update", { taskId, inputResponses: { [approvalId]: { action: "decline" } } });
    expect(await get(lead, taskId)).toMatchObject({
      status: "working",
      statusMessage: expect.stringContaining(`${approvalId} stays open: no person decided; answer with claws_answer`),
    });
    expect(await clawJson(workspace, ["approvals"])).toMatchObject({ approvals: [{ approval_id: approvalId }] });
    await clawJson(workspace, ["reject", approvalId, "--reason", "keep it"]);
    const done = await untilTask(lead, taskId, "completed", ({ status }) => status === "completed");
    expect(dataOf(done["result"] as Frame)).toMatchObject({ workers: [{ summary: "The build stays." }] });
  });

  test("of answers at the same time exactly one counts, and the client is told when it was not its own", async () => {
    const { workspace, lead } = await scene(ASKING, { tasks: true, forms: true });
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    const asks = await untilTask(lead, taskId, "asking", ({ status }) => status === "input_required");
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    const other = await connectLead(workspace, { tasks: true });
    const [{ hash } = {}] = dataOf(await other.call("claws_approvals"))["approvals"] as Frame[];
    const update = (decision: string) => {
      const inputResponses = { [approvalId]: { action: "accept", content: { decision } } };
      return lead.raw("tasks/update", { taskId, inputResponses });
    };
    await Promise.all([
      update("approve"),
      update("reject"),
      other.call("claws_answer", { approval: approvalId, hash, decision: "reject" }),
      clawJson(workspace, ["approve", approvalId]),
    ]);
    const answered = eventsOn(workspace, "system.approval.answered");
    expect(answered).toHaveLength(1);
    const own = eventsOn(workspace, "system.ticket.answered");
    expect(own.map(({ outcome }) => outcome)).toEqual([
      answered[0]?.["by"] === eventsOn(workspace, "system.ticket.opened")[0]?.["owner"] ? "counted" : "late",
    ]);
    const done = await untilTask(lead, taskId, "completed", ({ status }) => status === "completed");
    const said = answered[0]?.["decision"] === "approve" ? "The build is gone." : "The build stays.";
    expect(dataOf(done["result"] as Frame)).toMatchObject({ workers: [{ summary: said }] });
  });

  test("cancels a task, which aborts the workers that were started for it", async () => {
    const { workspace, lead } = await scene(UNTIL_GO);
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    expect(await lead.raw("tasks/cancel", { taskId })).toMatchObject({ result: { resultType: "complete" } });
    expect(await lead.raw("tasks/cancel", { taskId })).toMatchObject({ result: { resultType: "complete" } });
    expect(await get(lead, taskId)).toMatchObject({ status: "cancelled" });
    await until("the worker to be aborted", () =>
      eventsOn(workspace, "system.worker.state").some(({ state }) => state === "aborted"),
    );
  });

  test("another client that knows the id cannot see, update or cancel the task", async () => {
    const { workspace, lead } = await scene(ASKING, { tasks: true, forms: true });
    const taskId = taskIdOf(await lead.call("claws_run", RUN));
    const asks = await untilTask(lead, taskId, "asking", ({ status }) => status === "input_required");
    const thief = await connectLead(workspace, { tasks: true, forms: true });
    const [approvalId = ""] = Object.keys(asks["inputRequests"] as Frame);
    const inputResponses = { [approvalId]: { action: "accept", content: { decision: "approve" } } };
    for (const [method, params] of [
      ["tasks/get", {}],
      ["tasks/update", { inputResponses }],
      ["tasks/cancel", {}],
    ] as const) {
      expect(await thief.raw(method, { taskId, ...params })).toMatchObject({ error: { code: -32_602 } });
    }
    void thief.raw("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    const ack = await until("the acknowledgement", () =>
      thief.heard.find(({ method }) => method === "notifications/subscriptions/acknowledged"),
    );
    expect(ack["params"]).toMatchObject({ notifications: { taskIds: [] } });
    expect(await get(lead, taskId)).toMatchObject({ status: "input_required" });
    expect(eventsOn(workspace, "system.approval.answered")).toEqual([]);
  });

  test("is refused where it does not declare them on the request itself", async () => {
    const { lead } = await scene(UNTIL_GO, {});
    const { result } = await lead.raw("tools/call", { name: "claws_run", arguments: { ...RUN, wait_seconds: 0 } });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "working" } });
    const missing = { code: -32_021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } };
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      expect(await lead.raw(method, { taskId: "x", inputResponses: {} })).toMatchObject({ error: missing });
    }
    const notifications = { taskIds: ["x"] };
    expect(await lead.raw("subscriptions/listen", { notifications })).toMatchObject({ error: missing });
  });
});
