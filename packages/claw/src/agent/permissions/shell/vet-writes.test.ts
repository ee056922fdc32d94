import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { Objection } from "./vet-paths.ts";
import { splitCommand } from "./split-command.ts";
import { vetLine } from "./vet-line.ts";

/** A workspace `root` and a folder `other`, which has the same rights, beside a folder that has none. */
function open(): { readonly root: string; readonly other: string } {
  const folder = temporaryFolder(onTestFinished);
  const [root, other] = [join(folder, "work"), join(folder, "other")];
  for (const made of ["work/src", "work/full/src", "work/empty", "work/beside", "other", "beside"]) {
    mkdirSync(join(folder, made), { recursive: true });
  }
  for (const file of ["a", "b", "full/a", "src/a", "src/c"]) writeFileSync(join(root, file), file);
  symlinkSync("a", join(root, "link"));
  symlinkSync("src", join(root, "folder-link"));
  symlinkSync("../beside", join(root, "out"));
  symlinkSync("src/a", join(root, "dangling"));
  return { root, other };
}

function vet(place: { readonly root: string; readonly other: string }, command: string): Objection {
  const line = splitCommand(command);
  if (line.kind === "complex") return line.why;
  const isKept = (path: string, kind: "read" | "write"): boolean =>
    path === join(place.root, kind === "read" ? "unread" : "fixed");
  const { root, other } = place;
  return vetLine(line.segments, { workspace: { root, extraFolders: [other] }, cwd: root, isWritable: true, isKept });
}

describe("what is written", () => {
  test.each([
    "cp a b",
    "cp a src",
    "cp a src/a",
    "cp -T a b",
    "cp a b empty",
    "cp -r src copy",
    "cp -r src empty",
    "cp -rT src copy",
    "cp -a src copy",
    "cp a folder-link",
    "cp a link",
    "mv a c",
    "mv a b src",
    "mv -T src empty",
    "mv a link",
    "mv src full",
    "rm link",
    "rm -r src folder-link",
    "touch new link",
    "mkdir -p x/y folder-link/z",
  ])("is in the workspace: %s", (command) => {
    expect(vet(open(), command)).toBeNull();
  });

  test("may be in another folder with the same rights", () => {
    const place = open();
    expect(vet(place, `cp a ${place.other}/a`)).toBeNull();
    expect(vet(place, `rm -r ${place.other}`)).toBe(`${place.other} is the workspace itself`);
    expect(vet(place, `touch ${place.other}x`)).toBe(`${place.other}x is outside of the workspace`);
  });

  test.each([
    ["cp a ../x", "../x is outside of the workspace"],
    ["mv a ..", "/a is outside of the workspace"],
    ["cp a out/x", "out/x is outside of the workspace"],
    ["cp a out/../beside", "/beside/a is outside of the workspace"],
    ["mv ../beside x", "../beside is outside of the workspace"],
    ["rm out", "out is outside of the workspace"],
    ["rm -r .", ". is the workspace itself"],
    ["rm -r ..", ".. is outside of the workspace"],
    ["mv src .git", ".git is protected"],
    ["mv src x/.claw/y", "x/.claw/y is protected"],
    ["touch src/HEAD", "src/HEAD is protected"],
    ["touch unread", "unread is kept by a rule"],
    ["touch fixed", "fixed is kept by a rule"],
    ["cp a fixed", "fixed is kept by a rule"],
  ])("is not elsewhere: %s", (command, why) => {
    expect(vet(open(), command)?.endsWith(why)).toBe(true);
  });

  test("is no folder that is there already, when folders are copied: links in it would be written through", () => {
    for (const flag of ["-r", "-R", "-a", "--recursive", "--archive"]) {
      expect(vet(open(), `cp ${flag} src full`)).toBe("it copies into folders that exist");
      expect(vet(open(), `cp ${flag} -T src empty`)).toBe("it copies into folders that exist");
      expect(vet(open(), `cp ${flag} src/. empty`)).toBe("it copies into folders that exist");
    }
    expect(vet(open(), "cp -rT src folder-link")).toBe("it copies into folders that exist");
    expect(vet(open(), "cp -r a b")).toBe("it copies into folders that exist");
  });

  test("is no file with a second name, when it is copied onto: that would change the other as well", () => {
    const place = open();
    linkSync(join(place.root, "b"), join(place.root, "b2"));
    for (const command of ["cp a b", "cp -T a b", "cp -f a b2"]) {
      expect(vet(place, command)).toBe("it copies onto a file with a second name");
    }
    linkSync(join(place.root, "src/a"), join(place.root, "other-name"));
    for (const command of ["cp a src", "cp a dangling", "cp b a src"]) {
      expect(vet(place, command)).toBe("it copies onto a file with a second name");
    }
    expect([vet(place, "mv a b"), vet(place, "rm b"), vet(place, "cp b c")]).toEqual([null, null, null]);
  });
});

describe("what is copied or moved", () => {
  test.each([
    ["mv link x", "link is a link"],
    ["cp link x", "link is a link"],
    ["cp -r folder-link x", "folder-link is a link"],
    ["mv folder-link/ x", "folder-link/ is a link"],
    ["cp a link src", "link is a link"],
  ])("is no link, which could lead elsewhere from another place: %s", (command, why) => {
    expect(vet(open(), command)).toBe(why);
  });

  test.each([
    ["mv absent x", "absent is not there"],
    ["mv src empty/src/a .", "empty/src/a is not there"],
    ["cp a a/b src", "a/b is not there"],
  ])("is there already: %s", (command, why) => {
    expect(vet(open(), command)).toBe(why);
  });

  test("has a target, and a place of its own there", () => {
    expect(vet(open(), "cp a")).toBe("it has no target");
    expect(vet(open(), "mv")).toBe("it has no target");
    expect(vet(open(), "cp a src/a empty")).toBe("it puts two files at one place");
    expect(vet(open(), "mv a src/a empty")).toBe("it puts two files at one place");
  });
});
