import { CLUSTER_PROVOCATIONS } from "./cluster-provocations.ts";
import { join } from "node:path";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { effort } from "./effort.ts";
import { playDaemon } from "./fake-daemon.ts";
import { withFixer, withReport } from "./fixer-scene.ts";
import { installFakes } from "./install-fakes.ts";
import { MCP_CLIENT_PROVOCATIONS } from "./mcp-client-provocations.ts";
import { seedFile } from "./seed.ts";
import { withConflict, withOpenWork } from "./work-scene.ts";
import { UPKEEP_PROVOCATIONS } from "./upkeep-provocations.ts";
import type { Workspace } from "./workspace.ts";

const WELCOME = { ok: true, peerId: "p_000001", serverCapabilities: ["receipts", "gap", "durable", "resume"] };

/** A call to something that says this to everything but hello. */
const onReply = (reply: (frame: Frame) => Frame, ...args: string[]) => ({
  prepare: async (workspace: Workspace) => {
    await playDaemon(workspace, (frame) => (frame["cmd"] === "hello" ? WELCOME : reply(frame)));
    return { args };
  },
});

const onDaemon = (...args: string[]) => ({
  prepare: async (workspace: Workspace) => {
    await startDaemon(workspace);
    return { args, daemon: true as const };
  },
});

/** A worker called audit, and its daemon. */
async function startAudit(workspace: Workspace): Promise<{ worker: WireClient; id: string }> {
  const { socket } = await startDaemon(workspace);
  const worker = await connectWire(socket);
  return { worker, id: await worker.hello("worker", { peerName: "audit" }) };
}

/** In how many forms each failure is seen: in all of them when there is time. */
export const FORMS = effort(1, 4);

const commandsOf = (worker: WireClient): Frame[] =>
  worker.messages().filter(({ topic }) => String(topic).startsWith("cmd."));

/** A caller for each form waits for a command. */
const onCommand = (answer: (worker: WireClient, id: string, commands: readonly Frame[]) => Promise<unknown>) => ({
  prepare: async (workspace: Workspace) => {
    const { worker, id } = await startAudit(workspace);
    const during = async (): Promise<void> => {
      await until("the commands to come", () => commandsOf(worker).length === FORMS);
      await answer(worker, id, commandsOf(worker));
    };
    return { args: ["pause", "audit"], during, daemon: true as const, slow: true as const };
  },
});

const REPORT = { result: "ok", summary: "done", artifacts: [], phases_completed: [], tool_calls: 1 };

/** Calls about workers and their terminals that must fail. */
export const WORKER_PROVOCATIONS = {
  ...CLUSTER_PROVOCATIONS,
  ...UPKEEP_PROVOCATIONS,
  ...MCP_CLIENT_PROVOCATIONS,
  WORKER_FAILED: onDaemon("spawn", "--harness", "fake", "--scenario", "auth-failure", "--wait", "complete", "x"),
  WORKER_NOT_FOUND: onDaemon("resume", "nobody"),
  NOTIFY_NOT_SET: onDaemon("notify", "test"),
  NOTIFY_FAILED: onReply(
    () => ({
      ok: true,
      deliveryId: "test-1",
      deliveries: [{ channel: "command", delivered: false, detail: "ended with 1", durationMs: 1 }],
    }),
    "notify",
    "test",
  ),
  MOMENT_GONE: onDaemon("ps", "--at", "9999:1"),
  PUBLISH_RATE_LIMITED: onReply(() => ({ ok: false, error: "admission-control:backlog" }), "ps", "--at", "0001:1"),
  WORKER_ENDED: {
    prepare: async (workspace: Workspace) => {
      await withReport(workspace);
      return { args: ["resume", "fixer"], daemon: true as const };
    },
  },
  WORKER_RUNNING: {
    prepare: async (workspace: Workspace) => {
      await withFixer(workspace);
      return { args: ["rm", "fixer"], daemon: true as const };
    },
  },
  WORKER_ABORTED: {
    prepare: async (workspace: Workspace) => {
      const { socket } = await startDaemon(workspace);
      const boss = await connectWire(socket);
      await boss.hello("orchestrator");
      await boss.ask({ cmd: "subscribe", topic: "worker.*.boot" });
      const during = async (): Promise<void> => {
        await until("the workers to begin", () => boss.messages().length === FORMS);
        await boss.publish("cmd.role.worker", { command: "abort", reason: "enough" });
      };
      const args = ["spawn", "--harness", "fake", "--scenario", "hang", "--wait", "complete", "x"];
      return { args, during, daemon: true as const, slow: true as const };
    },
  },
  WORKTREE_HOLDS_WORK: onReply(
    () => ({ ok: false, error: "/w stays: it has changes that are not committed", code: "WORKTREE_HOLDS_WORK" }),
    "rm",
    "audit",
  ),
  WORKER_NAME_TAKEN: {
    prepare: async (workspace: Workspace) => {
      await withFixer(workspace);
      return { args: ["spawn", "--harness", "fake", "--name", "fixer", "x"], daemon: true as const };
    },
  },
  BUDGET_UNMEASURABLE: {
    prepare: async (workspace: Workspace) => {
      await startDaemon(workspace);
      const env = { PATH: installFakes(workspace, "text") };
      const args = ["spawn", "--harness", "codex", "--model", "own-model", "--budget-usd", "1", "x"];
      return { args, options: { env }, daemon: true as const };
    },
  },
  COMMAND_EXPIRED: onCommand((worker, id) => worker.publish(`worker.${id}.complete`, REPORT)),
  COMMAND_REFUSED: onCommand((worker, _id, commands) =>
    Promise.all(commands.map(({ sequence }) => worker.ask({ cmd: "cmd.ack", seq: sequence, status: "rejected" }))),
  ),
  NOT_A_REPOSITORY: onDaemon("spawn", "--harness", "fake", "--worktree", "x"),
  WORKTREE_FAILED: {
    prepare: ({ cwd }: Workspace) => ({ args: ["demo"], options: { env: { PATH: join(cwd, "empty") } } }),
  },
  NO_WORKTREE: {
    prepare: async (workspace: Workspace) => {
      await withFixer(workspace);
      return { args: ["diff", "fixer"], daemon: true as const };
    },
  },
  UNCOMMITTED_WORK: {
    prepare: async (workspace: Workspace) => {
      await withOpenWork(workspace);
      return { args: ["merge", "fixer"], daemon: true as const };
    },
  },
  MERGE_CONFLICT: {
    prepare: async (workspace: Workspace) => {
      await withConflict(workspace);
      return { args: ["merge", "fixer"], daemon: true as const };
    },
  },
  TERMINAL_NOT_FOUND: { prepare: () => ({ args: ["logs", "1"] }) },
  TERMINAL_BUSY: onReply(
    ({ cmd }) =>
      cmd === "worker.find"
        ? { ok: true, peer_id: null, name: "1", terminal_id: "1" }
        : { ok: false, error: "terminal 1 took nothing", code: "TERMINAL_BUSY" },
    "send",
    "1",
    "x",
  ),
  TERMINAL_HOST_FAILED: onReply(
    ({ cmd }) =>
      cmd === "worker.find"
        ? { ok: true, peer_id: null, name: "1", terminal_id: "1" }
        : { ok: false, error: "terminal 1 took nothing", code: "TERMINAL_HOST_FAILED" },
    "send",
    "1",
    "x",
  ),
  FLEET_FILE_INVALID: { prepare: () => ({ args: ["fleet", "missing.yaml"] }) },
  FLEET_FAILED: {
    prepare: async (workspace: Workspace) => {
      const worker = "{ name: plan, mission: plan it, harness: fake, scenario: auth-failure }";
      seedFile(workspace, "fleet.yaml", `name: docs\nworkers:\n  - ${worker}\n`);
      await startDaemon(workspace);
      return { args: ["fleet", "fleet.yaml"], daemon: true as const, speaks: true as const };
    },
  },
};
