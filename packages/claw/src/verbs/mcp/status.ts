import { isDeepStrictEqual } from "node:util";
import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { findProgram } from "../../process/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import type { EntryMembers } from "./clients/config-format.ts";
import type { EntryPlace } from "./clients/find-entries.ts";
import { entryPlaces, readEntry } from "./clients/find-entries.ts";
import { MCP_CLIENT_TABLE } from "./clients/mcp-clients.ts";
import { serverFlagsOf, isClawServer, serverLine } from "./clients/server-line.ts";
import { tryEntry } from "./clients/try-entry.ts";

type Entry = VerbOutput<"mcp status">["entries"][number];
type Found = Pick<Entry, "state" | "argv" | "current" | "tools" | "error">;

const found = (parts: Partial<Found> & Pick<Found, "state">): Found => ({
  argv: null,
  current: null,
  tools: null,
  error: null,
  ...parts,
});

const UNTRIED = "claw starts from a file of this folder only what claw mcp install writes there";

/** Tries an entry. A file of the folder may come from anyone: of such files, only entries as claw writes them are started. */
async function judge(entry: EntryMembers, at: EntryPlace, ports: Ports): Promise<Found> {
  const client = MCP_CLIENT_TABLE[at.client];
  const argv = client.argvOf(entry);
  if (argv === undefined || !isClawServer(argv)) return found({ state: "foreign" });
  const line = serverLine(at.scope, serverFlagsOf(argv), ports);
  const current = isDeepStrictEqual([...argv], [...line.argv]);
  if (at.scope === "project" && !isDeepStrictEqual(entry, client.entry(line))) {
    return found({ state: "untried", argv: [...argv], current, error: UNTRIED });
  }
  return found({ argv: [...argv], current, ...(await tryEntry(argv, entry, ports)) });
}

async function look(place: EntryPlace, ports: Ports): Promise<Entry> {
  const program = findProgram(MCP_CLIENT_TABLE[place.client].program, { path: ports.env["PATH"], cwd: ports.cwd });
  const rest = { ...place, program: program.kind === "found" ? program.path : null };
  try {
    const entry = await readEntry(place, ports);
    return { ...rest, ...(entry === undefined ? found({ state: "absent" }) : await judge(entry, place, ports)) };
  } catch (error) {
    if (!(error instanceof ClawError) || ports.signal.aborted) throw error;
    return { ...rest, ...found({ state: "unreadable", error: error.message }) };
  }
}

const WORDS: Readonly<Record<Entry["state"], string>> = {
  works: "works",
  fails: "fails",
  absent: "not installed",
  foreign: "another server",
  untried: "not tried",
  unreadable: "unreadable",
};

const toolsText = ({ tools, current }: Entry): string =>
  tools === null ? "" : current === true ? String(tools) : `${tools}, of another copy of claw`;

export const handler = handle("mcp status", {
  run: async (_input, ports) => ({
    entries: await Promise.all(entryPlaces(ports).map((place) => look(place, ports))),
  }),
  show: ({ entries }, paint) => {
    const shown = entries.filter(({ state, scope }) => state !== "absent" || scope === "user");
    const rows = shown.map((entry) => [entry.client, entry.scope, WORDS[entry.state], toolsText(entry), entry.path]);
    const problems = shown.flatMap(({ client, scope, error }) =>
      error === null ? [] : [`${client}, ${scope}: ${error}`],
    );
    return [table(["CLIENT", "SCOPE", "STATE", "TOOLS", "FILE"], rows, paint), ...problems].join("\n");
  },
});
