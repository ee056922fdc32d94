import type { StoredProjection } from "../../bus/index.ts";
import { fieldsOf, textOf } from "../../bus/index.ts";

/** A start of a worker whose process is not known to have ended. */
export interface WorkerLife {
  readonly peerId: string;
  readonly bootId: string;
  readonly pid: number | null;
  readonly folder: string;
  /** Whether the worker has reported the end of its work. */
  readonly reported: boolean;
}

/** Every process of a worker that has to be watched. */
export interface WorkerLives {
  readonly memory: StoredProjection;
  get(peerId: string): WorkerLife | undefined;
  all(): readonly WorkerLife[];
}

const PATTERNS = ["system.worker.spawned", "system.worker.terminated", "worker.*.complete", "worker.*.event"];

type Fields = Readonly<Record<string, unknown>>;

function startedBy(fields: Fields): WorkerLife | undefined {
  const [peerId, bootId, folder] = ["peerId", "bootId", "folder"].map((name) => textOf(fields[name]));
  const { pid } = fields;
  if (peerId === undefined || bootId === undefined || folder === undefined) return undefined;
  return { peerId, bootId, folder, pid: typeof pid === "number" ? pid : null, reported: false };
}

const isEnd = (topic: string, fields: Fields): boolean =>
  topic.endsWith(".complete") || fieldsOf(fields["data"])["severity"] === "fatal" || fields["severity"] === "fatal";

export function createWorkerLives(): WorkerLives {
  const lives = new Map<string, WorkerLife>();
  const applyServer = (topic: string, fields: Fields): void => {
    const life = topic === "system.worker.spawned" ? startedBy(fields) : undefined;
    if (life !== undefined) lives.set(life.peerId, life);
    if (topic === "system.worker.terminated") lives.delete(textOf(fields["peerId"]) ?? "");
  };
  return {
    memory: {
      patterns: PATTERNS,
      apply: ({ topic, from, payload }) => {
        const fields = fieldsOf(payload);
        if (!topic.startsWith("worker.")) {
          if (from === "server") applyServer(topic, fields);
          return;
        }
        const life = lives.get(topic.split(".")[1] ?? "");
        if (life !== undefined && isEnd(topic, fields)) lives.set(life.peerId, { ...life, reported: true });
      },
      save: () => [...lives],
      load: (saved) => {
        for (const [id, life] of saved as readonly [string, WorkerLife][]) lives.set(id, life);
      },
    },
    get: (peerId) => lives.get(peerId),
    all: () => [...lives.values()],
  };
}
