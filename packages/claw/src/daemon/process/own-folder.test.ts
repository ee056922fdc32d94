import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openFolder } from "./own-folder.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";
import { workspaceFiles } from "./workspace-files.ts";

const IS_ROOT = process.getuid?.() === 0;
const STRANGER = 65_534;

const scene = (): WorkspaceFiles => workspaceFiles(temporaryFolder(onTestFinished));
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const refusal = (code: string, target: string) => expect.objectContaining({ code, target });

describe("the folder of a daemon", () => {
  test("is made, private, with those in it, whatever the umask", () => {
    const files = scene();
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    openFolder(files);
    openFolder(files);
    const modes = [files.folder, ...files.folders].map(modeOf);
    expect(modes).toEqual(modes.map(() => 0o700));
  });

  test.each([0o777, 0o755, 0o1777, 0o770, 0o500])("that has mode %o is made private", (mode) => {
    const files = scene();
    for (const path of [files.folder, files.log]) mkdirSync(path);
    for (const path of [files.log, files.folder]) chmodSync(path, mode);
    openFolder(files);
    expect([files.folder, files.log].map(modeOf)).toEqual([0o700, 0o700]);
  });

  test("that is a link is refused, even to a folder of our own", () => {
    const files = scene();
    mkdirSync(`${files.folder}.real`);
    symlinkSync(`${files.folder}.real`, files.folder);
    expect(() => openFolder(files)).toThrow(refusal("FILESYSTEM_ERROR", files.folder));
  });

  test("that is a file is refused and left alone", () => {
    const files = scene();
    writeFileSync(files.folder, "mine");
    expect(() => openFolder(files)).toThrow(refusal("FILESYSTEM_ERROR", files.folder));
    expect(statSync(files.folder).size).toBe(4);
  });

  const deep = ["log/000000000001.jsonl", "durable/a.json", "state/000000000001.snapshot"];
  const names = workspaceFiles("").files.map((path) => path.replace(".claws/", ""));

  test.each([...names.filter((name) => !name.startsWith("/")), ...deep])(
    "with a link or a folder at %s is refused, and what the link points to is left alone",
    (name) => {
      const files = scene();
      const path = join(files.folder, name);
      openFolder(files);
      const target = `${files.folder}.target`;
      writeFileSync(target, "mine", { mode: 0o644 });
      symlinkSync(target, path);
      expect(() => openFolder(files)).toThrow(refusal("FILESYSTEM_ERROR", path));
      expect([statSync(target).size, modeOf(target)]).toEqual([4, 0o644]);
      const other = scene();
      openFolder(other);
      const folder = join(other.folder, name);
      mkdirSync(folder);
      expect(() => openFolder(other)).toThrow(refusal("FILESYSTEM_ERROR", folder));
    },
  );

  test.each(["log", "durable", "state"])("with a link or a file at %s is refused", (name) => {
    for (const put of [(path: string) => symlinkSync("/", path), (path: string) => writeFileSync(path, "x")]) {
      const files = scene();
      mkdirSync(files.folder);
      put(join(files.folder, name));
      expect(() => openFolder(files)).toThrow(refusal("FILESYSTEM_ERROR", join(files.folder, name)));
    }
  });

  test.skipIf(!IS_ROOT)("that belongs to another user, or holds something that does, is refused", () => {
    const foreign = scene();
    mkdirSync(foreign.folder);
    chownSync(foreign.folder, STRANGER, STRANGER);
    expect(() => openFolder(foreign)).toThrow(refusal("FILE_ACCESS_DENIED", foreign.folder));
    for (const name of ["token.secret", "log/000000000001.jsonl"]) {
      const files = scene();
      openFolder(files);
      const path = join(name === "token.secret" ? files.secrets : files.folder, name);
      writeFileSync(path, "");
      lchownSync(path, STRANGER, STRANGER);
      expect(() => openFolder(files)).toThrow(refusal("FILE_ACCESS_DENIED", path));
    }
  });
});
