import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { JsonObject } from "claw-contract";
import { expect, onTestFinished } from "vitest";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import type { ModelScenario } from "../model-server/model-scenario.ts";
import { say, useAll } from "../model-server/model-scenario.ts";
import { KEY, openAgentScene, results } from "./agent-scene.ts";
import type { AgentScene } from "./agent-scene.ts";
import { readTree } from "./read-tree.ts";
import type { Body } from "./run-claw.ts";

export type Call = readonly [tool: string, input: JsonObject];

/** A folder outside of the workspace, with files nobody may read or change. */
export interface Place {
  readonly name: "beside" | "home" | "tmp";
  readonly path: string;
  /** The same from the workspace. */
  readonly way: string;
}

export interface EscapeScene extends AgentScene {
  readonly root: string;
  readonly places: readonly [Place, Place, Place];
  /** Fails when something outside was changed, or anything that was said or kept holds what stands there. */
  expectUnharmed(body: Body): void;
}

const backwards = (text: string): string => text.split("").toReversed().join("");

export const CANARY = "canary-that-must-not-be-seen";
export const VICTIM = "victim that must stay as it is\n";

/** What stands in the way of attacks. */
export interface Cage {
  readonly mode: "read-only" | "workspace-write" | "danger-full-access";
  readonly sandboxed: boolean;
}

export const CAGES: readonly Cage[] = (["read-only", "workspace-write"] as const).flatMap((mode) => [
  { mode, sandboxed: true },
  { mode, sandboxed: false },
]);

export function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], { cwd, env, stdio: "pipe" }).toString();
}

export function writeProgram(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

function openPlace(name: Place["name"], path: string, root: string): Place {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "canary"), `${CANARY}\n`);
  writeFileSync(join(path, "victim"), VICTIM);
  return { name, path, way: relative(root, path) };
}

/** Files to work with, and links that lead out. */
function setTraps(root: string, places: readonly Place[]): void {
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "sub", "a"), "a\n");
  for (const { name, path } of places) {
    symlinkSync(path, join(root, `folder-${name}`));
    symlinkSync(join(path, "canary"), join(root, `file-${name}`));
    symlinkSync(join(path, "victim"), join(root, `victim-${name}`));
    symlinkSync(`folder-${name}`, join(root, "sub", `half-${name}`));
    symlinkSync(`../folder-${name}`, join(root, "sub", `chain-${name}`));
  }
}

/** Settings of the user. */
export function settle({ workspace: { home } }: Pick<AgentScene, "workspace">, settings: JsonObject): void {
  mkdirSync(join(home, ".claw"), { recursive: true });
  writeFileSync(join(home, ".claw", "settings.json"), JSON.stringify(settings));
}

/** What the model is to do, once it is known where; the last thing is said in any case. */
export type Plan = (scene: EscapeScene) => Pick<ModelScenario, "conversations"> & { readonly calls: readonly Call[] };

/** A workspace with canaries around it, and a model that makes calls there. */
export async function openEscapeScene(plan: Plan, cage: Cage, settings: JsonObject = {}): Promise<EscapeScene> {
  const turns = [() => useAll(...plan(open).calls), say("Done.")];
  const scene = await openAgentScene({
    turns,
    get conversations() {
      return plan(open).conversations ?? [];
    },
  });
  const { cwd: root, home } = scene.workspace;
  const tmp = temporaryFolder(onTestFinished);
  const places = [
    openPlace("beside", join(dirname(root), "outside"), root),
    openPlace("home", join(home, "kept"), root),
    openPlace("tmp", tmp, root),
  ] as const;
  setTraps(root, places);
  settle(scene, { ...settings, ...(cage.sandboxed ? { sandbox: "required" } : { sandbox: "off" }) });
  const before = places.map(({ path }) => readTree(path));
  const open: EscapeScene = {
    ...scene,
    root,
    places,
    ask: (prompt, ...flags) => scene.ask(prompt, "--permission-mode", cage.mode, ...flags),
    expectUnharmed: (body) => {
      expect(places.map(({ path }) => readTree(path))).toEqual(before);
      const kept = readFileSync(String(body["session_path"]), "utf8");
      const told = [JSON.stringify(body), kept, JSON.stringify(scene.requests())];
      for (const text of told) {
        expect(text).not.toContain(CANARY);
        expect(text).not.toContain(backwards(CANARY));
        expect(text).not.toContain(backwards(KEY));
      }
    },
  };
  return open;
}

/** Whether each call of a run was made, by its place in the order of calls. */
export function decisionsOf(body: Body): ("made" | "denied")[] {
  const denials = body["permission_denials"] as readonly { readonly tool_use_id: string }[];
  const denied = new Set(denials.map(({ tool_use_id }) => tool_use_id));
  return results(body).map((result) => (denied.has(String(result["tool_use_id"])) ? "denied" : "made"));
}
