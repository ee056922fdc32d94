import { members, CLIENT_LIMITS, epochOf } from "claw-contract/client";
import type { WireReply } from "./wire-frame.ts";
import type { Timer } from "../platform.ts";

export type ClientRole = "orchestrator" | "worker" | "observer";

/** The identity of a client on the bus, valid as long as the bus remembers the client. */
export interface Identity {
  readonly peerId: string;
  /** Whether the bus accepted this client as the peer of its last connection. */
  readonly restored: boolean;
  /** Position of the log when this client joined; undefined when the bus does not send one. */
  readonly cursor?: string;
}

/** Lets another process continue as the same peer. Keep the token secret: it grants this peer's identity. */
export interface ResumeState {
  readonly resumeToken: string;
}

/**
 * A token, or a function that returns one. The function is called before every connection, and once more when the bus
 * refused the token.
 */
export type Bearer = string | (() => string | Promise<string>);

export interface HelloOptions {
  readonly role: ClientRole;
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly bearer?: Bearer | undefined;
  readonly terminalId?: string | undefined;
  readonly monitors?: string | undefined;
  readonly instance?: string | undefined;
}

const NEEDED = ["receipts", "gap"];
const WANTED = [...NEEDED, "resume", "durable"];

/** The request that introduces a client to the bus, as JSON members. */
export function helloCommand(
  { role, name, capabilities, terminalId, monitors, instance }: HelloOptions,
  bearer: string | undefined,
  resume: ResumeState | undefined,
): string {
  const asked = new Set([...WANTED, ...capabilities]);
  return members({
    cmd: "hello",
    protocol: "claws/2",
    role,
    peerName: name,
    capabilities: [...asked],
    ...resume,
    bearer,
    terminalId,
    monitorCorrelationId: monitors,
    instanceNonce: instance,
  });
}

export type Welcome =
  | { readonly kind: "welcome"; readonly identity: Identity; readonly resumeToken: string | undefined }
  | { readonly kind: "incompatible"; readonly missing: readonly string[] };

/** Reads an accepted hello. A bus that lacks a needed capability is incompatible. */
export function readHello(reply: WireReply): Welcome {
  const { peerId, restored, resumeToken, serverCapabilities, resumeCursor } = reply;
  const known: readonly unknown[] = Array.isArray(serverCapabilities) ? serverCapabilities : [];
  const missing = NEEDED.filter((capability) => !known.includes(capability));
  if (typeof peerId !== "string") return { kind: "incompatible", missing: ["a peer id", ...missing] };
  if (missing.length > 0) return { kind: "incompatible", missing };
  const at = typeof resumeCursor === "string" ? { cursor: resumeCursor } : {};
  return {
    kind: "welcome",
    identity: { peerId, restored: restored === true, ...at },
    resumeToken: typeof resumeToken === "string" ? resumeToken : undefined,
  };
}

type Accepted = Extract<Welcome, { readonly kind: "welcome" }>;

/** State kept across connections: the client's identity, the number of failed attempts, the last log. */
export function createConnectionMemory(given: ResumeState | undefined, timer: Timer) {
  let resume = given;
  let failures = 0;
  /** Connections in a row that ended soon after they began. */
  let shortLived = 0;
  let refusals = 0;
  let joinedAtMs: number | undefined;
  let epoch: string | undefined;

  return {
    resume: (): ResumeState | undefined => resume,
    /** Failed attempts to connect in a row, the present attempt included. */
    failures: (): number => failures,
    /** Failed attempts, or connections that ended early, in a row; the first one is not counted. */
    setbacks: (): number => Math.max(0, failures - 1, shortLived - 1),
    began: (): void => {
      failures += 1;
    },
    /** Records a refused token. Returns whether to try another: the first refusal in a row is no failed attempt. */
    refused: (): boolean => {
      refusals += 1;
      failures = 0;
      return refusals === 1;
    },
    /** Records an accepted hello. Returns true when the bus has forgotten this client's earlier connections. */
    joined: ({ identity, resumeToken }: Accepted): boolean => {
      const before = joinedAtMs !== undefined;
      const log = identity.cursor === undefined ? epoch : epochOf(identity.cursor);
      const replaced = epoch !== undefined && log !== epoch;
      if (resumeToken !== undefined) resume = { resumeToken };
      failures = 0;
      refusals = 0;
      joinedAtMs = timer.now();
      epoch = log;
      return before && (replaced || !identity.restored);
    },
    lost: (): void => {
      const livedMs = timer.now() - (joinedAtMs ?? 0);
      shortLived = livedMs < CLIENT_LIMITS.silenceMs ? shortLived + 1 : 0;
    },
  };
}
