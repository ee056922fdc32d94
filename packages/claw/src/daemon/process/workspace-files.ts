import { join } from "node:path";
import { stateFolder, stateHome } from "../../files/index.ts";

/** Paths of the daemon's files and folders. */
export interface WorkspaceFiles {
  readonly folder: string;
  readonly socket: string;
  readonly log: string;
  /** Record of the running daemon: process, socket, options. */
  readonly record: string;
  /** Held by the running daemon. */
  readonly lock: string;
  readonly report: string;
  readonly counters: string;
  readonly durables: string;
  /** Snapshots of the bus's state at some sequences of the log. */
  readonly snapshots: string;
  /** States of the workspace at some sequences of the log, from which earlier moments are rebuilt. */
  readonly moments: string;
  /** How far notices are delivered. */
  readonly notify: string;
  /**
   * Folder of all workspaces' secrets, and the folder of this workspace: both outside of the files that agents' tools
   * see.
   */
  readonly secretsHome: string;
  readonly secrets: string;
  /** Says which workspace the secrets are for. */
  readonly owner: string;
  /** Flags for the next daemon, while one daemon replaces another. */
  readonly replacement: string;
  readonly token: string;
  /** Where browsers reach the page. */
  readonly page: string;
  /** Secret that older clients sign their hello with. Once the file exists, older clients must sign. */
  readonly helloSecret: string;
  readonly tee: string;
  /** The last events, for older tools. */
  readonly sidecarLog: string;
  /** Says that the log went on in a cluster. */
  readonly moved: string;
  /** Every folder in `folder` that holds files of the daemon. */
  readonly folders: readonly string[];
  /** Every file that the daemon reads or writes by its name. */
  readonly files: readonly string[];
  /** Secrets where older versions kept them, readable by agents' tools. */
  readonly exposed: readonly string[];
}

const REPORTS = ["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3", "daemon.log.start"];
const SECRETS = ["token.secret", "token.used", "orchestrator.token"];
const OWNER = "workspace.json";
const PAGE = "page.json";
const REPLACEMENT = "replacement.json";
const COPIES = ["events.jsonl", "events.jsonl.position", "events.log", "events.log.1", "events.log.position"];
const OTHERS = ["daemon.json", "counters.json", "auth.token", "moved.json"];

export function workspaceFiles(cwd: string): WorkspaceFiles {
  const folder = join(cwd, ".claws");
  const at = (name: string): string => join(folder, name);
  // Naming the folder takes a hash, whose module most calls never load: serves the rows of `cold-start`.
  let secrets: string | undefined;
  const hidden = (name = ""): string => join((secrets ??= stateFolder(cwd)), name);
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
    moments: at("moments"),
    notify: at("notify"),
    secretsHome: stateHome(),
    get secrets() {
      return hidden();
    },
    get owner() {
      return hidden(OWNER);
    },
    get replacement() {
      return hidden(REPLACEMENT);
    },
    get token() {
      return hidden("orchestrator.token");
    },
    get page() {
      return hidden(PAGE);
    },
    helloSecret: at("auth.token"),
    tee: at("events.jsonl"),
    sidecarLog: at("events.log"),
    moved: at("moved.json"),
    folders: ["log", "durable", "state", "moments", "notify"].map(at),
    get files() {
      return [...[...REPORTS, ...COPIES, ...OTHERS].map(at), ...[...SECRETS, OWNER, PAGE, REPLACEMENT].map(hidden)];
    },
    exposed: SECRETS.map(at),
  };
}
