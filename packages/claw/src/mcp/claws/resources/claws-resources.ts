import type { ResourceFace, ResourceTable } from "../../layer/mcp-tables.ts";
import type { Redactor } from "claw-contract";
import { ClawError } from "claw-contract";
import { protocolFailure } from "../failure.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHost, ToolPorts } from "../tool-host.ts";
import { pageAfter } from "../tools/page-after.ts";
import { readResource } from "./read-resource.ts";
import { fleetUri, readResourceUri, TEMPLATES, workerUri } from "./resource-uri.ts";
import { watchResource } from "./watch-resource.ts";

const PAGE = 100;

const JSON_TYPE = "application/json";

const FIXED: readonly ResourceFace[] = [
  { uri: "claw://approvals", name: "approvals", title: "Open questions", mimeType: JSON_TYPE },
  { uri: "claw://log", name: "log", title: "The event log", mimeType: JSON_TYPE },
];

/** What the bus knows of, besides what is always there. */
async function known(ports: ToolPorts): Promise<ResourceFace[]> {
  const { data } = await callVerb("ps", {}, ports);
  const fleets = new Set(data.workers.flatMap(({ fleet }) => (fleet === null ? [] : [fleet])));
  return [
    ...[...fleets].map((name) => ({ uri: fleetUri(name), name, title: `Fleet ${name}`, mimeType: JSON_TYPE })),
    ...data.workers.map(({ peer_id: id, name, state }) => ({
      uri: workerUri(id),
      name,
      title: `Worker ${name}`,
      description: state,
      mimeType: JSON_TYPE,
    })),
  ];
}

/** Without a daemon there are no workers. A list starts none. */
const noneAway = (error: unknown): ResourceFace[] => {
  if (error instanceof ClawError && error.code === "DAEMON_NOT_RUNNING") return [];
  throw error;
};

/** The resources of one connection. Requests reject with protocol errors that carry the catalogue's error. */
export function clawsResources(host: ToolHost, redactor: Redactor): ResourceTable {
  const orFail = <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      throw protocolFailure(error, redactor);
    });
  const table = openResources(host);
  return {
    ...table,
    list: (...args) => orFail(table.list(...args)),
    read: (...args) => orFail(table.read(...args)),
  };
}

function openResources(host: ToolHost): ResourceTable {
  return {
    templates: TEMPLATES,
    list: async ({ signal }, cursor) => {
      const found = host.isUp() ? await host.during(signal, (ports) => known(ports).catch(noneAway)) : [];
      const { items, next } = pageAfter([...FIXED, ...found], cursor, { size: PAGE, idOf: ({ uri }) => uri });
      return { resources: items, ...(next === undefined ? {} : { nextCursor: next }) };
    },
    read: async (uri, { signal }) => {
      const named = readResourceUri(uri);
      if (named === undefined) return undefined;
      const contents = await host.during(signal, (ports) => readResource(uri, named, ports));
      return contents?.map(({ text = "", ...content }) => ({ ...content, text: host.shownText(text) }));
    },
    watch: (uri, _caller, changed) => {
      const named = readResourceUri(uri);
      return named === undefined ? () => undefined : watchResource(named, host.seat, changed);
    },
  };
}
