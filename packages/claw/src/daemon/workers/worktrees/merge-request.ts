import type { JsonObject, ReadRequest, ReplyFields } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusHost, RequestHandler, RequestOutcome } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { RunOwnVerb } from "./run-own-verb.ts";

type Asked = ReadRequest<"worker.merge">;
type Reply = ReplyFields<"worker.merge">;

export interface MergeDeps {
  readonly host: Pick<BusHost, "runInTurn">;
  readonly registry: Pick<WorkerRegistry, "find">;
  readonly runVerb: RunOwnVerb;
  readonly report: (problem: string) => void;
}

const argumentsOf = (peerId: string, { strategy, message, commit, dryRun }: Asked): readonly string[] => [
  "merge",
  peerId,
  `--strategy=${strategy}`,
  ...(message === undefined ? [] : [`--message=${message}`]),
  ...(commit ? ["--commit"] : []),
  ...(dryRun ? ["--dry-run"] : []),
];

const replyOf = ({ peerId, name }: RegisteredWorker, said: JsonObject): Reply => ({
  peerId,
  name,
  branch: String(said["branch"]),
  onto: String(said["onto"]),
  before: String(said["before"]),
  commit: typeof said["commit"] === "string" ? said["commit"] : null,
  commitsCount: Number(said["commits_count"]),
  files: (said["files"] as readonly unknown[]).map(String),
  accepted: said["accepted"] === true,
  noop: said["effect"] === "noop",
});

async function merge({ runVerb, report }: MergeDeps, worker: RegisteredWorker, asked: Asked) {
  try {
    return ok(replyOf(worker, await runVerb(argumentsOf(worker.peerId, asked))));
  } catch (failure) {
    if (failure instanceof ClawError) return error(failure.message, { code: failure.code, hint: failure.hint });
    report(`the work of ${worker.name} was not merged: ${String(failure)}`);
    return error(`the work of ${worker.name} was not merged`, { code: "WORKTREE_FAILED" });
  }
}

/** Answers `worker.merge`. Meanwhile, no peer judges or removes the worker. */
export const mergeRequest = (deps: MergeDeps): RequestHandler =>
  handlePeers("worker.merge", ({ request }, done) => {
    const worker = deps.registry.find(request.worker);
    if (worker === undefined) {
      return done(error(`there is no worker ${request.worker.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    const taken = deps.host.runInTurn(`judge ${worker.peerId}`, (release) => {
      void (async () => {
        const outcome: RequestOutcome<Reply> = await merge(deps, worker, request);
        release();
        done(outcome);
      })();
    });
    return taken ? undefined : done(error("admission-control:backlog"));
  });
