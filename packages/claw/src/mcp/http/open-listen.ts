import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { arrayOf, LIMITS, objectOf, textsOf } from "claw-contract";
import type { TaskListening } from "../layer/tasks/listen-tasks.ts";
import { declaresTasks, TASKS_CAPABILITY } from "../layer/tasks/task.ts";
import type { Guest } from "./guest-server.ts";
import type { ListenNotification, ListenStream } from "./listen-stream.ts";
import { createListenStream } from "./listen-stream.ts";
import { RPC_CODES, rpcRefusal } from "./rpc-answer.ts";

/** Agrees to follow some tasks. `start` begins to send, until the call's signal is aborted. */
export type FollowTasks = (
  listening: TaskListening,
  send: (notification: ListenNotification) => void,
) => Promise<{ readonly taskIds: readonly string[]; readonly start: () => void }>;

interface Opening {
  readonly guest: Guest;
  readonly request: JSONRPCRequest;
  /** The SDK's answer to the request. */
  readonly response: Response;
}

/** The filter that the SDK honours, from the first message of its stream. */
async function honouredBy(response: Response): Promise<JsonObject> {
  const reader = response.body?.getReader();
  const first = (await reader?.read())?.value as Uint8Array | undefined;
  await reader?.cancel();
  const data = /^data: (.*)$/m.exec(Buffer.from(first ?? []).toString("utf8"))?.[1] ?? "{}";
  return objectOf(objectOf(objectOf(JSON.parse(data))["params"])["notifications"]);
}

const filterOf = ({ params }: JSONRPCRequest): JsonObject => objectOf(objectOf(params)["notifications"]);

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** What a client asked to hear of tasks. */
function listeningOf({ guest, request }: Opening, signal: AbortSignal): TaskListening {
  const taskIds = guest.followTasks === undefined ? [] : textsOf(arrayOf(filterOf(request)["taskIds"]));
  const capabilities = objectOf(objectOf(objectOf(request.params)["_meta"])[CAPABILITIES]);
  return { taskIds, call: { era: "modern", capabilities, caller: guest.caller, signal } };
}

/** Watches the resources that a filter names. Returns a function that ends the watches. */
function watchAll({ caller, tables }: Guest, filter: JsonObject, send: (told: ListenNotification) => void): () => void {
  const uris = textsOf(arrayOf(filter["resourceSubscriptions"])).slice(0, LIMITS.mcpListens);
  const changed = (uri: string) => () => send({ method: "notifications/resources/updated", params: { uri } });
  const stops = uris.map((uri) => tables.resources?.watch?.(uri, caller, changed(uri)));
  return () => {
    for (const stop of stops) stop?.();
  };
}

/** Refuses what the SDK let pass; undefined for a request that may be served. */
function refuseListen({ request }: Opening, listening: TaskListening, open: number): Response | undefined {
  const { id } = request;
  if (open >= LIMITS.mcpListens) {
    return rpcRefusal(200, { code: RPC_CODES.internal, text: "Subscription limit reached", id });
  }
  if (listening.taskIds.length === 0 || declaresTasks(listening.call)) return undefined;
  const text = "Missing required client capability";
  return rpcRefusal(400, { code: RPC_CODES.capability, text, id, data: { requiredCapabilities: TASKS_CAPABILITY } });
}

/**
 * Answers `subscriptions/listen`. The SDK judges the request first: its headers, version and filter. It knows no tasks,
 * so the stream itself is ours.
 */
export async function openListen(opening: Opening, open: Set<ListenStream>): Promise<Response> {
  const { guest, request, response } = opening;
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return response;
  const ending = new AbortController();
  const listening = listeningOf(opening, ending.signal);
  const refusal = refuseListen(opening, listening, open.size);
  const honoured = await honouredBy(response);
  if (refusal !== undefined) return refusal;
  let send = (_told: ListenNotification): void => undefined;
  const tasks = await guest.followTasks?.(listening, (told) => send(told));
  const taskIds = tasks?.taskIds ?? [];
  const filter = { ...honoured, ...(taskIds.length === 0 ? {} : { taskIds }) };
  const follow = (tell: typeof send): (() => void) => {
    send = tell;
    tasks?.start();
    return watchAll(guest, filter, tell);
  };
  const about = guest.tables.server;
  const stream: ListenStream = createListenStream({ request, honoured: filter, about, follow }, () => {
    ending.abort();
    open.delete(stream);
  });
  open.add(stream);
  // The server agreed to no resource or task of the filter, so no update can follow.
  if (Object.keys(filter).length === 0) stream.finish();
  return stream.response;
}
