import type { ApprovalRule } from "claw-contract";
import type { BusExtension, BusHost } from "../../../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../../../bus/testing/bus-harness.ts";
import { request, settle } from "../../../../bus/testing/bus-harness.ts";
import { createWorkerRegistry } from "../../../worker-registry/worker-registry.ts";
import { createApprovals } from "../approvals.ts";

export const extendWith =
  (rules: readonly ApprovalRule[] = []) =>
  (host: BusHost): readonly BusExtension[] => {
    const registry = createWorkerRegistry();
    return [{ name: "worker-registry", memory: registry.memory }, createApprovals(host, { registry, rules }).extension];
  };

export const question = (requestId: string, more: Frame = {}): Frame => ({
  kind: "REQUEST",
  severity: "warn",
  message: "may I?",
  request_id: requestId,
  data: { request_type: "permission", tool: "Bash", command: "git push", cwd: "/work" },
  ...more,
});

/** Publishes a question of a worker; gives the reply. */
export const ask = ({ client, id }: Joined, requestId: string, more?: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.event`, payload: question(requestId, more) });

export const answer = ({ client }: Joined, approvalId: string, decision: string, more: Frame = {}): Promise<Frame> =>
  request(client, { cmd: "approval.answer", approvalId, decision, ...more });

export type Logged = Frame & { readonly topic: string; readonly from: string; readonly payload: Frame };

/** What the log holds on topics that begin so, oldest first. */
export async function logged({ log }: Pick<BusHarness, "log">, ...prefixes: string[]): Promise<Logged[]> {
  const found: Logged[] = [];
  for (let after = 0; ;) {
    const { events, through } = await log.read(after);
    if (events.length === 0) return found;
    for (const { topic, from, payload } of events) {
      if (prefixes.some((prefix) => topic.startsWith(prefix))) {
        found.push({ topic, from, payload: JSON.parse(payload ?? "{}") as Frame });
      }
    }
    after = through;
  }
}

/** The ids of what is open, oldest first. */
export async function openIds({ client }: Joined): Promise<string[]> {
  const { approvals } = await request(client, { cmd: "approval.list" });
  return (approvals as readonly { approvalId: string }[]).map(({ approvalId }) => approvalId);
}

/** Topics of what was said about approvals and to workers, with who said it. */
export const story = async (harness: Pick<BusHarness, "log">): Promise<string[]> => {
  await settle();
  const events = await logged(harness, "system.approval.", "cmd.");
  return events.map(({ topic, from }) => `${from} ${topic.replace("system.approval.", "")}`);
};
