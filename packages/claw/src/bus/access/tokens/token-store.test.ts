import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../../files/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { TokenStore } from "./token-store.ts";
import { createTokenStore, openTokenStore } from "./token-store.ts";

const clock = { now: 1_000_000 };
const now = (): number => clock.now;

function openStored(): { store: TokenStore; folder: string; again: () => TokenStore } {
  const folder = temporaryFolder(onTestFinished);
  const again = (): TokenStore => openTokenStore(nodeFileSystem, folder, now);
  return { store: again(), folder, again };
}

describe.each([
  ["in memory", () => createTokenStore(now)],
  ["of a workspace", () => openStored().store],
])("a token store %s", (_name, open) => {
  test("says of its own tokens what they grant", () => {
    const store = open();
    const token = store.mint({ role: "worker", peer: "w", lifetimeMs: 500 });
    expect(store.verify(token)).toMatchObject({
      kind: "granted",
      grant: { role: "worker", peer: "w", expiresAt: clock.now + 500, once: false },
    });
    expect(store.verify(token).kind).toBe("granted");
  });

  test("refuses expired tokens, and used ones that were for one use", () => {
    const store = open();
    expect(store.verify(store.mint({ role: "worker", lifetimeMs: 0 }))).toEqual({ kind: "expired" });
    const once = store.mint({ role: "observer", once: true });
    expect([store.verify(once).kind, store.verify(once).kind]).toEqual(["granted", "used"]);
  });

  test("refuses whatever it did not sign", () => {
    const store = open();
    const token = store.mint({ role: "worker" });
    const [prefix = "", claim = "", signature = ""] = token.split(".");
    const forged = Buffer.from(Buffer.from(claim, "base64url").toString().replace("worker", "orchestrator"));
    const others = [
      "",
      "x",
      "..",
      `${prefix}.${claim}`,
      `${prefix}.${claim}.`,
      `${prefix}.${forged.toString("base64url")}.${signature}`,
      `resume1.${claim}.${signature}`,
      `${token}x`,
      `${token}.x`,
      createTokenStore(now).mint({ role: "worker" }),
      "x".repeat(100_000),
    ];
    expect(others.map((other) => store.verify(other).kind)).toEqual(others.map(() => "invalid"));
  });
});

describe("tokens that were given out", () => {
  test("hold until they are revoked, over restarts too", () => {
    const { store, again } = openStored();
    const [first, second] = [store.issue({ role: "worker", peer: "ci" }), store.issue({ role: "observer" })];
    expect(store.issued()).toEqual([first?.about, second?.about]);
    expect(again().verify(first?.token ?? "").kind).toBe("granted");
    expect(again().revoke(first?.about.id ?? "")).toEqual(first?.about);
    const next = again();
    expect([next.verify(first?.token ?? "").kind, next.read(first?.token ?? "").kind]).toEqual(["revoked", "revoked"]);
    expect([next.verify(second?.token ?? "").kind, next.issued()]).toEqual(["granted", [second?.about]]);
    expect(next.revoke(first?.about.id ?? "")).toBeUndefined();
  });

  test.each(["", "{", '{"tokens":[{"id":1}]}', "[]"])("end when %j stands where they are kept account of", (text) => {
    const { store, folder } = openStored();
    const made = store.issue({ role: "worker" });
    writeFileSync(join(folder, "token.issued"), text);
    const problems: string[] = [];
    const again = openTokenStore(nodeFileSystem, folder, now, (problem) => void problems.push(problem));
    expect(again.verify(made?.token ?? "").kind).toBe("revoked");
    expect(problems).toEqual([expect.stringContaining("makes no sense")]);
    expect(again.issue({ role: "worker" })).toBeDefined();
  });

  test("are listed until they expire, and the file holds none of them and is private", () => {
    const { store, folder } = openStored();
    const made = store.issue({ role: "worker", lifetimeMs: 10 });
    const text = readFileSync(join(folder, "token.issued"), "utf8");
    expect(text).not.toContain(made?.token.split(".")[2]);
    expect(statSync(join(folder, "token.issued")).mode & 0o777).toBe(0o600);
    clock.now += 20;
    expect(store.issued()).toEqual([]);
  });

  test("are limited in number", () => {
    const store = createTokenStore(now);
    for (let made = 0; made < LIMITS.issuedTokens; made += 1) expect(store.issue({ role: "worker" })).toBeDefined();
    expect(store.issue({ role: "worker" })).toBeUndefined();
  });
});

describe("the store of a workspace", () => {
  test("keeps its secret and what was used over a restart", () => {
    const { store, again } = openStored();
    const token = store.mint({ role: "worker" });
    const once = store.mint({ role: "worker", once: true });
    store.verify(once);
    expect([again().verify(token).kind, again().verify(once).kind]).toEqual(["granted", "used"]);
  });

  test("remembers what was used although a full disk cut a line short before it", () => {
    const { store, folder, again } = openStored();
    const [first, second] = [store.mint({ role: "worker", once: true }), store.mint({ role: "worker", once: true })];
    store.verify(first);
    appendFileSync(join(folder, "token.used"), "6f1d6a1e-1a52");
    store.verify(second);
    expect([again().verify(first).kind, again().verify(second).kind]).toEqual(["used", "used"]);
  });

  test("does not grant what it cannot remember as used, and grants it when it can", () => {
    const { store, folder } = openStored();
    const [first, second] = [store.mint({ role: "worker", once: true }), store.mint({ role: "worker", once: true })];
    store.verify(first);
    const path = join(folder, "token.used");
    renameSync(path, `${path}.away`);
    mkdirSync(path);
    expect(() => store.verify(second)).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
    rmdirSync(path);
    renameSync(`${path}.away`, path);
    expect([store.verify(second).kind, store.verify(second).kind]).toEqual(["granted", "used"]);
  });

  test("lets nobody else read its files", () => {
    const { store, folder } = openStored();
    store.verify(store.mint({ role: "worker", once: true }));
    const modes = ["token.secret", "token.used"].map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect(readFileSync(join(folder, "token.secret"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("does not go on with a damaged secret", () => {
    const { folder, again } = openStored();
    writeFileSync(join(folder, "token.secret"), "abc\n");
    expect(again).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  });

  test("forgets used tokens once they have expired", () => {
    const { store, folder, again } = openStored();
    store.verify(store.mint({ role: "worker", once: true, lifetimeMs: 10 }));
    clock.now += 20;
    const next = again();
    next.verify(next.mint({ role: "worker", once: true, lifetimeMs: 10 }));
    expect(readFileSync(join(folder, "token.used"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("does not go on with a secret that others could read", () => {
    const { store, folder } = openStored();
    const token = store.mint({ role: "worker" });
    chmodSync(join(folder, "token.secret"), 0o640);
    const problems: string[] = [];
    const again = openTokenStore(nodeFileSystem, folder, now, (problem) => void problems.push(problem));
    expect([again.verify(token).kind, problems]).toEqual(["invalid", [expect.stringContaining("read by others")]]);
    expect(statSync(join(folder, "token.secret")).mode & 0o777).toBe(0o600);
  });
});
