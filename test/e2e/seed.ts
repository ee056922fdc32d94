import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionRecord } from "claw-contract";
import { SESSION_FILE_VERSION } from "claw-contract";
import type { Workspace } from "./workspace.ts";

/** Something that is there before a call. */
export type Seed =
  | { readonly kind: "session"; readonly id: string; readonly atMs: number; readonly prompts?: readonly string[] }
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "repository"; readonly branch: string };

/** The moment stored sessions of the tests begin. */
export const SEED_MS = Date.UTC(2026, 3, 22, 10, 10);

function sessionText(id: string, atMs: number, prompts: readonly string[]): string {
  const turns = prompts.flatMap((text, index): SessionRecord[] => [
    {
      type: "message",
      turn_id: `turn-${index}`,
      timestamp_ms: atMs,
      message: { role: "user", blocks: [{ type: "text", text }], usage: { input_tokens: 10, output_tokens: 5 } },
    },
    {
      type: "turn_commit",
      turn_id: `turn-${index}`,
      timestamp_ms: atMs,
      totals: {
        messages: index + 1,
        prompts: index + 1,
        turns: index + 1,
        input_tokens: 10 * (index + 1),
        output_tokens: 5 * (index + 1),
        latest_total: 15,
        estimated_tokens: 20 * (index + 1),
      },
    },
  ]);
  const meta = { type: "session_meta", version: SESSION_FILE_VERSION, session_id: id, created_at_ms: atMs };
  return [meta, ...turns].map((record) => `${JSON.stringify(record)}\n`).join("");
}

export const sessionFile = ({ cwd }: Workspace, id: string): string => join(cwd, ".claw", "sessions", `${id}.jsonl`);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Stores a session as claw would have, last changed at a known moment. */
export function seedSession(workspace: Workspace, id: string, atMs = SEED_MS, prompts: readonly string[] = ["hello"]) {
  const path = sessionFile(workspace, id);
  write(path, sessionText(id, atMs, prompts));
  utimesSync(path, atMs / 1000, atMs / 1000);
}

export function seedFile({ cwd }: Workspace, path: string, text: string): void {
  write(join(cwd, path), text);
}

export function seedRepository({ cwd }: Workspace, branch: string): void {
  execFileSync("git", ["init", "--quiet", `--initial-branch=${branch}`], { cwd });
}

export function seed(workspace: Workspace, seeds: readonly Seed[]): void {
  for (const item of seeds) {
    if (item.kind === "session") seedSession(workspace, item.id, item.atMs, item.prompts);
    else if (item.kind === "file") seedFile(workspace, item.path, item.text);
    else seedRepository(workspace, item.branch);
  }
}
