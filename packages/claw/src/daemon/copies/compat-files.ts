import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS, nonEmptyText } from "claw-contract";
import type { EventLog, LiveNotice, StoredEvent } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, PRIVATE_FOLDER, withFileErrors } from "../../files/index.ts";
import type { Tee } from "./tee.ts";
import { openTee } from "./tee.ts";
import type { WorkspaceFiles } from "../process/workspace-files.ts";
import { fieldsOf, parsePayload } from "../../bus/index.ts";

/**
 * Knows when an older sidecar appends to `events.log`, so that no event stands there twice. The hooks and the MCP
 * server of claws 0.8 start a sidecar, which joins as an observer under this name and follows all events.
 */
interface SidecarWatch {
  /** Whether a sidecar writes this event. Asked for every event, in the order of the log. */
  writes(event: StoredEvent): boolean;
  /** Whether a sidecar writes what is pushed now. */
  isHere(): boolean;
}

const SIDECAR_NAME = "orchestrator-stream";

interface SidecarWatchOptions {
  /** Sequence of the last event before this start of the daemon. Peers that were connected until then are gone. */
  readonly startedAfter: number;
  /**
   * The sequence after which a connected peer follows all events; null while the peer does not, undefined when the peer
   * is gone.
   */
  readonly followsAfter: (peerId: string) => number | null | undefined;
}

function createSidecarWatch({ startedAfter, followsAfter }: SidecarWatchOptions): SidecarWatch {
  /** Sidecars, with the sequence of their joining. */
  const here = new Map<string, number>();
  const writesAt = (peerId: string, joinedAt: number, sequence: number): boolean => {
    const after = followsAfter(peerId);
    if (after === undefined) return joinedAt > startedAfter || sequence <= startedAfter;
    return after !== null && sequence > after;
  };
  return {
    isHere: () => [...here.keys()].some((peerId) => typeof followsAfter(peerId) === "number"),
    writes: ({ topic, from, payload, sequence }) => {
      const isJoining = from === "server" && topic === "system.peer.joined";
      const isLeaving = from === "server" && topic === "system.peer.left";
      if (!isJoining && !isLeaving) {
        return here.size > 0 && [...here].some(([peerId, at]) => writesAt(peerId, at, sequence));
      }
      const { peerId, peerName, role } = fieldsOf(parsePayload(payload));
      const id = nonEmptyText(peerId) ?? "";
      if (isLeaving) here.delete(id);
      const isWritten = [...here].some(([other, at]) => writesAt(other, at, sequence));
      if (isJoining && peerName === SIDECAR_NAME && role === "observer") here.set(id, sequence);
      return isWritten;
    },
  };
}

/** One line of `events.log`: a stored event in the format of the older sidecar. */
function sidecarLine({ topic, from, tsServer, payload, sequence }: StoredEvent): string {
  const body = payload === undefined ? "" : `,"payload":${payload}`;
  const head = `{"type":"event","push":"message","protocol":"claws/2","topic":${JSON.stringify(topic)}`;
  const sender = `,"from":${JSON.stringify(from)}${body}`;
  return `${head}${sender},"sentAt":${Date.parse(tsServer) || 0},"recvTs":"${tsServer}","sequence":${sequence}}\n`;
}

/** Links `events/default`, where older tools look for the log, to the log. An existing entry stays as it is. */
function linkLog(fs: FileSystem, { folder }: WorkspaceFiles): void {
  const events = join(folder, "events");
  withFileErrors("create", events, () => {
    fs.mkdirSync(events, { recursive: true, mode: PRIVATE_FOLDER });
    try {
      symlinkSync(join("..", "log"), join(events, "default"));
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  });
}

/** One line of `events.log`: a notice, which the bus pushes and does not store, in the format of the older sidecar. */
const noticeLine = ({ topic, payload, sentAt }: LiveNotice): string =>
  `${JSON.stringify({
    type: "event",
    push: "message",
    protocol: "claws/2",
    topic,
    from: "server",
    payload,
    sentAt,
    recvTs: new Date(sentAt).toISOString(),
  })}\n`;

/** The copy for older tools. It also gets notices, which are not in the log. */
export interface CompatFiles extends Tee {
  note(notice: LiveNotice): void;
}

export interface CompatOptions {
  readonly log: EventLog;
  readonly files: WorkspaceFiles;
  readonly report: (problem: string) => void;
  readonly followsAfter: SidecarWatchOptions["followsAfter"];
}

/**
 * Offers the files that older tools read beside the wire: `events/default` is the log, `events.log` its last events.
 */
export function openCompatFiles(fs: FileSystem, options: CompatOptions): CompatFiles {
  const { log, files, report, followsAfter } = options;
  linkLog(fs, files);
  const sidecars = createSidecarWatch({ startedAfter: log.head(), followsAfter });
  const tee = openTee(fs, {
    log,
    path: files.sidecarLog,
    print: sidecarLine,
    isWrittenByOthers: (event) => sidecars.writes(event),
    maxBytes: LIMITS.sidecarLogBytes,
    failed: (error) => report(`the copy in ${files.sidecarLog} is behind: ${String(error)}`),
  });
  return {
    ...tee,
    note: (notice) => {
      if (!sidecars.isHere()) tee.add(noticeLine(notice));
    },
  };
}
