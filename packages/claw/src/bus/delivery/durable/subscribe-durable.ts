import { LIMITS } from "claw-contract";
import { readCursor, cursorOf } from "../subscription.ts";
import type { Peer } from "../../peers/peer.ts";
import type { Done, RequestCall } from "../../requests/request-handler.ts";
import { error, ok } from "../../requests/request-handler.ts";
import { isFenced } from "../../access/resume.ts";
import type { ReaderAttachment, Readers } from "./durables.ts";
import { attachReader, notStored, saveRecord, serve } from "./durables.ts";
import type { DurableRecord } from "./durable-store.ts";

interface Settings {
  readonly name: string;
  readonly ackWaitMs: number;
  readonly maxInFlight: number;
}

const DURABLE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const within = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max;

function readSettings({ request, peer }: RequestCall<"subscribe">): Settings | string {
  const { durable: name, ackWaitMs = LIMITS.durableAckWaitMs, maxInFlight = LIMITS.durableInFlight } = request;
  if (!peer.capabilities.has("durable")) return "requires capability: durable";
  if (typeof name !== "string" || !DURABLE_NAME.test(name) || name.length > LIMITS.durableNameLength) {
    return "durable invalid";
  }
  if (!within(ackWaitMs, Number.MAX_SAFE_INTEGER)) return "ackWaitMs invalid";
  if (!within(maxInFlight, LIMITS.durableInFlightMax)) return "maxInFlight invalid";
  return { name, ackWaitMs, maxInFlight };
}

/** A durable subscription begins where its first reader says, or now. */
function createDurable(context: Readers, name: string, topic: string, fromCursor: unknown): DurableRecord | string {
  if (context.durables.store.count() >= LIMITS.durables) return "too many durable subscriptions";
  const { epoch } = context.log;
  if (fromCursor === undefined) return { name, topic, epoch, acked: context.log.head() };
  const cursor = readCursor(context, fromCursor);
  return cursor.kind === "invalid" ? cursor.error : { name, topic, epoch, acked: cursor.sequence };
}

const isInLog = ({ log }: Readers, { epoch, acked }: DurableRecord): boolean =>
  epoch === log.epoch && acked <= log.head();

/**
 * Moves the position of a record that belongs to another log, or lies beyond the end of this log. A log that lost its
 * last events gives their numbers to new events, which would otherwise count as acknowledged.
 */
const moveIntoLog = ({ log }: Readers, record: DurableRecord): DurableRecord => ({
  ...record,
  epoch: log.epoch,
  acked: record.epoch === log.epoch ? log.head() : log.oldest() - 1,
});

interface Opening extends Settings {
  readonly peer: Peer;
  readonly record: DurableRecord;
  /** The earlier position, when the log was replaced or has become shorter. */
  readonly lost: { readonly from: string; readonly reason: "epoch" | "shortened" } | undefined;
}

function openDurable(context: Readers, { lost, ...request }: Opening, done: Done<"subscribe">): void {
  const attachment: ReaderAttachment = attachReader(context, request);
  const { id } = attachment.subscription;
  const ackedCursor = cursorOf(context.log, request.record.acked);
  const resumeCursor = cursorOf(context.log, context.log.head());
  done(ok({ subscriptionId: id, resumeCursor, durable: request.name, ackedCursor }));
  if (lost !== undefined) {
    const { from, reason } = lost;
    const gap = { push: "gap", protocol: "claws/2", subscriptionId: id, from, to: ackedCursor, reason };
    request.peer.connection.send(JSON.stringify(gap));
  }
  serve(context, attachment);
}

/** Makes or continues a durable subscription; the newest reader of a name is its only one, in a cluster too. */
export function subscribeDurable(call: RequestCall<"subscribe">, topic: string, done: Done<"subscribe">): void {
  const { context, peer } = call;
  const settings = readSettings(call);
  if (typeof settings === "string") return done(error(settings));
  const { store } = context.durables;
  if (store.attach === undefined) return beginDurable(call, { ...settings, topic }, done);
  const begin = (): void => {
    if (!isFenced(context, peer)) beginDurable(call, { ...settings, topic }, done);
  };
  const refuse = (cause: unknown): void => {
    context.report(`durable ${settings.name} could not be attached: ${String(cause)}`);
    done(notStored(cause));
  };
  void store.attach(settings.name).then(begin).catch(refuse);
  return undefined;
}

function beginDurable(
  { context, peer, request }: RequestCall<"subscribe">,
  { topic, ...settings }: Settings & { readonly topic: string },
  done: Done<"subscribe">,
): void {
  const { name } = settings;
  const stored = context.durables.store.get(name);
  if (stored !== undefined && stored.topic !== topic) {
    return done(error("durable has another topic", { topic: stored.topic }));
  }
  if (stored !== undefined && isInLog(context, stored)) {
    return openDurable(context, { ...settings, peer, record: stored, lost: undefined }, done);
  }
  const record =
    stored === undefined ? createDurable(context, name, topic, request.fromCursor) : moveIntoLog(context, stored);
  if (typeof record === "string") return done(error(record));
  const reason = stored?.epoch === context.log.epoch ? "shortened" : "epoch";
  const lost = stored === undefined ? undefined : ({ from: `${stored.epoch}:${stored.acked}`, reason } as const);
  saveRecord(context, record, (refused) => {
    if (refused !== undefined) done(refused);
    else if (!isFenced(context, peer)) openDurable(context, { ...settings, peer, record, lost }, done);
  });
  return undefined;
}
