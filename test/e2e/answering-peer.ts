import { onTestFinished } from "vitest";
import type { WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";

interface Asked {
  readonly requestId: string;
  readonly method: string;
  readonly callerPeerId: string;
}

/** Answers every call once: `explode` fails, others say which method they were. */
function answerCalls(worker: WireClient): void {
  const answered = new Set<string>();
  const timer = setInterval(() => {
    for (const { topic, payload } of worker.messages()) {
      const { requestId, method, callerPeerId } = payload as Asked;
      if (!/^rpc\..*\.request$/.test(String(topic)) || answered.has(requestId)) continue;
      answered.add(requestId);
      const answer = method === "explode" ? { ok: false, error: "no fuse" } : { ok: true, result: { method } };
      void worker.publish(`rpc.response.${callerPeerId}.${requestId}`, { requestId, ...answer });
    }
  }, 5);
  onTestFinished(() => clearInterval(timer));
}

/** Joins as a worker called `audit` that answers what it is asked. */
export async function joinAsAudit(socket: string): Promise<void> {
  const worker = await connectWire(socket);
  await worker.hello("worker", { peerName: "audit" });
  answerCalls(worker);
}
