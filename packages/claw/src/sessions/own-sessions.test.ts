import {
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem, stateFolder } from "../files/index.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { SessionStore } from "./session-store.ts";
import { createSessionStore } from "./session-store.ts";

const NEVER = new AbortController().signal;
const HELLO = { role: "user" as const, blocks: [{ type: "text" as const, text: "hello" }] };
const LATER = Date.now() / 1000 + 60;

const storeOf = (cwd: string): SessionStore => createSessionStore(nodeFileSystem, { cwd, lockWaitMs: 0 });

async function prepare() {
  const cwd = join(temporaryFolder(onTestFinished), "work");
  mkdirSync(cwd);
  const sessions = storeOf(cwd);
  const { id, path } = await sessions.appendTurn(undefined, [HELLO], NEVER);
  return { cwd, sessions, id, path };
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return "nothing";
  } catch (error) {
    return error instanceof ClawError ? error.code : String(error);
  }
}

test("a session that came with the folder is listed, and gone on with only by its name", async () => {
  const { cwd, sessions, id, path } = await prepare();
  const foreign = join(cwd, ".claw", "sessions", "planted.jsonl");
  writeFileSync(foreign, readFileSync(path, "utf8").replaceAll(id, "planted"));
  utimesSync(foreign, LATER, LATER);
  expect(sessions.list().entries.map((entry) => entry.id)).toEqual(["planted", id]);
  expect([sessions.findToResume("latest").id, sessions.idToResume("latest")]).toEqual([id, id]);
  const named = sessions.findToResume("planted");
  expect([named.id, sessions.isOwn(named)]).toEqual(["planted", false]);
  await sessions.appendTurn("planted", [HELLO], NEVER);
  expect([sessions.isOwn(named), sessions.findToResume("latest").id]).toEqual([true, "planted"]);
});

test("where all sessions came with the folder, there is none to go on with", async () => {
  const { cwd } = await prepare();
  const clone = join(cwd, "..", "clone");
  cpSync(cwd, clone, { recursive: true });
  const sessions = storeOf(clone);
  expect(sessions.list().entries).toHaveLength(1);
  expect(() => sessions.findToResume("latest")).toThrow(/known to be yours, and 1 may have come with the folder/);
  expect(codeOf(() => sessions.findToResume("latest"))).toBe("NO_SESSIONS");
});

test("a session whose file was replaced, or that was moved to another workspace, is foreign", async () => {
  const { cwd, sessions, id, path } = await prepare();
  const text = readFileSync(path, "utf8");
  writeFileSync(`${path}.new`, `${text}${text.split("\n")[1] ?? ""}\n`);
  renameSync(`${path}.new`, path);
  expect(sessions.isOwn(sessions.find(id))).toBe(false);
  const moved = join(cwd, "..", "moved");
  const { sessions: own } = await prepare();
  renameSync(join(own.directory, "..", ".."), moved);
  expect(codeOf(() => storeOf(moved).findToResume("latest"))).toBe("NO_SESSIONS");
});

test("a session that is begun turn by turn is the user's own, and so is a copy of a foreign one", async () => {
  const { sessions, path } = await prepare();
  writeFileSync(join(sessions.directory, "planted.jsonl"), readFileSync(path, "utf8"));
  const open = await sessions.openTurn(undefined, { fork: sessions.findToResume("planted") }, NEVER);
  open.append(HELLO);
  open.commit();
  open.close();
  expect(sessions.isOwn(sessions.find(open.sessionId))).toBe(true);
});

test.each([".claw", ".claw/sessions"])("nothing is read or stored through a link in the place of %s", async (name) => {
  const { cwd, sessions } = await prepare();
  const elsewhere = join(cwd, "..", "elsewhere");
  renameSync(join(cwd, name), elsewhere);
  symlinkSync(elsewhere, join(cwd, name));
  for (const run of [() => sessions.list(), () => sessions.find("latest"), () => sessions.findToResume("latest")]) {
    expect(codeOf(run)).toBe("FILESYSTEM_ERROR");
  }
  const refused = { code: "FILESYSTEM_ERROR", message: expect.stringContaining("is a symbolic link") as string };
  await expect(sessions.appendTurn(undefined, [HELLO], NEVER)).rejects.toMatchObject(refused);
  await expect(sessions.openTurn(undefined, {}, NEVER)).rejects.toMatchObject(refused);
});

test.skipIf(process.getuid?.() !== 0)("nor are those of another user", async () => {
  const { cwd, sessions, path, id } = await prepare();
  const entry = sessions.find(id);
  expect(sessions.isOwn(entry)).toBe(true);
  chownSync(join(stateFolder(cwd), "sessions", id), 65_534, 65_534);
  expect(sessions.isOwn(entry)).toBe(false);
  chownSync(path, 65_534, 65_534);
  expect(codeOf(() => sessions.find(id))).toBe("SESSION_UNREADABLE");
  expect(sessions.list().entries).toEqual([]);
  chownSync(join(cwd, ".claw"), 65_534, 65_534);
  expect(codeOf(() => sessions.list())).toBe("FILE_ACCESS_DENIED");
});

test("a home folder that cannot be written stops no session", async () => {
  const { cwd, sessions } = await prepare();
  rmSync(join(cwd, ".claw"), { recursive: true });
  const before = process.env["XDG_STATE_HOME"];
  onTestFinished(() => void (process.env["XDG_STATE_HOME"] = before));
  writeFileSync(join(cwd, "file"), "");
  process.env["XDG_STATE_HOME"] = join(cwd, "file");
  const { id } = await sessions.appendTurn(undefined, [HELLO], NEVER);
  expect(sessions.isOwn(sessions.find(id))).toBe(false);
  await sessions.remove(id, NEVER);
  expect(sessions.list().entries).toEqual([]);
});
