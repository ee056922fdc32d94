import { join } from "node:path";

/** Where the daemon of a folder keeps what it keeps. */
export interface WorkspaceFiles {
  readonly folder: string;
  readonly socket: string;
  readonly log: string;
  /** What the running daemon says of itself. */
  readonly record: string;
  /** Held by the running daemon. */
  readonly lock: string;
  readonly report: string;
  readonly counters: string;
  readonly durables: string;
  /** What the bus knew at some places of the log. */
  readonly snapshots: string;
  readonly token: string;
  /** Secret that older clients sign their hello with; they must, once it is there. */
  readonly helloSecret: string;
  readonly tee: string;
  /** The last events, for older tools. */
  readonly sidecarLog: string;
  /** Every folder in it that holds files of the daemon. */
  readonly folders: readonly string[];
  /** Every file in it that the daemon reads or writes by its name. */
  readonly files: readonly string[];
}

const REPORTS = ["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3", "daemon.log.start"];
const TOKENS = ["token.secret", "token.used", "orchestrator.token", "auth.token"];
const COPIES = ["events.jsonl", "events.jsonl.position", "events.log", "events.log.1", "events.log.position"];
const OTHERS = ["daemon.json", "counters.json"];

export function workspaceFiles(cwd: string): WorkspaceFiles {
  const folder = join(cwd, ".claws");
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    socket: at("claws.sock"),
    log: at("log"),
    record: at("daemon.json"),
    lock: at("daemon.lock"),
    report: at("daemon.log"),
    counters: at("counters.json"),
    durables: at("durable"),
    snapshots: at("state"),
    token: at("orchestrator.token"),
    helloSecret: at("auth.token"),
    tee: at("events.jsonl"),
    sidecarLog: at("events.log"),
    folders: ["log", "durable", "state"].map(at),
    files: [...REPORTS, ...TOKENS, ...COPIES, ...OTHERS].map(at),
  };
}
