import { readFileSync } from "node:fs";
import type { JsonObject } from "@claw/contract";
import { fieldsOf, LIMITS } from "@claw/contract";
import type { OpenProcess } from "../../../../process/index.ts";
import { openProcess } from "../../../../process/index.ts";

/** Runs the hooks that `--settings` names, as Claude Code does. */
export interface SettingsHooks {
  /** Runs those of an event one after the other. Resolves with what the last said; never rejects. */
  run(event: string, fields: JsonObject, signal: AbortSignal): Promise<string>;
}

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function readSettings(given: string | undefined): Fields {
  if (given === undefined) return {};
  try {
    return fieldsOf(JSON.parse(given.trimStart().startsWith("{") ? given : readFileSync(given, "utf8")));
  } catch {
    // The real one starts without settings that it cannot read, too.
    return {};
  }
}

const commandsFor = (settings: Fields, event: string): readonly string[] =>
  listOf(fieldsOf(settings["hooks"])[event])
    .flatMap((entry) => listOf(fieldsOf(entry)["hooks"]))
    .flatMap((hook) => {
      const { command } = fieldsOf(hook);
      return typeof command === "string" ? [command] : [];
    });

async function outputOf(child: OpenProcess, input: string): Promise<string> {
  void child.write(input).then(() => child.closeInput());
  const chunks: Uint8Array[] = [];
  for await (const chunk of child.output) chunks.push(chunk);
  await child.exited;
  return Buffer.concat(chunks).toString();
}

export interface HookPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string;
}

export function createSettingsHooks(given: string | undefined, { cwd, env, sessionId }: HookPlace): SettingsHooks {
  const settings = readSettings(given);
  const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
  const runOne = async (command: string, input: string, signal: AbortSignal): Promise<string> => {
    const child = await openProcess({
      argv: ["/bin/sh", "-c", command],
      cwd,
      env,
      input: true,
      aheadBytes: LIMITS.runAheadBytes,
      onStderr: () => undefined,
      ending,
    });
    const end = (): void => void child.end();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await outputOf(child, input);
    } finally {
      signal.removeEventListener("abort", end);
      await child.end();
    }
  };
  return {
    run: async (event, fields, signal) => {
      let said = "";
      for (const command of commandsFor(settings, event)) {
        if (signal.aborted) break;
        const input = JSON.stringify({ hook_event_name: event, session_id: sessionId, cwd, ...fields });
        said = await runOne(command, input, signal).catch(() => "");
      }
      return said;
    },
  };
}
