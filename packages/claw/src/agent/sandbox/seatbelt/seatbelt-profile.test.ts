import { describe, expect, test } from "vitest";
import type { SeatbeltView } from "./seatbelt-profile.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { allows } from "./testing/judge-profile.ts";

const VIEW: SeatbeltView = {
  readable: ["/usr", "/Users/a/.nvm/v22"],
  writable: ["/Users/a/work", "/private/tmp/claw-1"],
  fixed: ["/Users/a/work/.claw", "/Users/a/work/.git/config"],
  anchored: ["/Users/a/work", "/Users/a/work/.git"],
  hidden: ["/Users/a/work/.claws", "/Users/a/work/secret.txt"],
  sockets: [],
};

const allowed = (view: Partial<SeatbeltView>, operation: string, ...paths: string[]): boolean[] =>
  paths.map((path) => allows(seatbeltProfile({ ...VIEW, ...view }), operation, path));

describe("a profile", () => {
  test("names each place once, as a parameter", () => {
    const { text, parameters } = seatbeltProfile({
      readable: ["/usr"],
      writable: ["/w"],
      fixed: ["/w/.claw"],
      anchored: ["/w"],
      hidden: ["/w/.claws"],
      sockets: ["/run/bus.sock"],
    });
    expect(text.split("\n").slice(-5)).toEqual([
      '(allow file-read* process-exec file-map-executable (require-all (require-any (subpath (param "P1")) (subpath (param "P2"))) (require-not (subpath (param "P0")))))',
      '(allow file-write* (require-all (require-any (subpath (param "P2"))) (require-not (subpath (param "P0"))) (require-not (subpath (param "P3"))) (require-not (literal (param "P2")))))',
      "(allow system-socket (socket-domain AF_UNIX))",
      '(allow network-outbound (literal (param "P4")))',
      "",
    ]);
    expect([...parameters]).toEqual([
      ["P0", "/w/.claws"],
      ["P1", "/usr"],
      ["P2", "/w"],
      ["P3", "/w/.claw"],
      ["P4", "/run/bus.sock"],
    ]);
  });

  test("denies by default, and its parentheses fit", () => {
    const { text } = seatbeltProfile(VIEW);
    expect(text.startsWith("(version 1)\n(deny default)\n")).toBe(true);
    expect(allowed({}, "iokit-open", "/usr")).toEqual([false]);
  });

  test("lets the workspace be written, and nothing outside of it", () => {
    expect(allowed({}, "file-write-data", "/Users/a/work/src/a.ts", "/private/tmp/claw-1/x")).toEqual([true, true]);
    const outside = ["/Users/a/other", "/Users/a/work2/a", "/usr/bin/env", "/", "/private/tmp/y", "/Users/a"];
    expect(allowed({}, "file-write-create", ...outside)).toEqual(outside.map(() => false));
  });

  test("lets nothing be written in a workspace that is only read", () => {
    const view = { readable: [...VIEW.readable, "/Users/a/work"], writable: [] };
    expect(allowed(view, "file-write-data", "/Users/a/work/a", "/Users/a/work")).toEqual([false, false]);
    expect(allowed(view, "file-read-data", "/Users/a/work/a")).toEqual([true]);
  });

  test("keeps the files that the agent or git would read as settings, and the folders that hold them", () => {
    const kept = ["/Users/a/work/.claw", "/Users/a/work/.claw/settings.json", "/Users/a/work/.git/config"];
    expect(allowed({}, "file-write-unlink", ...kept, ...VIEW.anchored)).toEqual([false, false, false, false, false]);
    expect(allowed({}, "file-read-data", ...kept)).toEqual([true, true, true]);
    expect(allowed({}, "file-write-create", "/Users/a/work/.git/index")).toEqual([true]);
  });

  test("hides places inside the workspace, and the home folder around it", () => {
    const hidden = ["/Users/a/work/.claws/claws.sock", "/Users/a/work/secret.txt", "/Users/a/.ssh/id", "/Users/a"];
    expect(allowed({}, "file-read-data", ...hidden)).toEqual([false, false, false, false]);
    expect(allowed({}, "file-write-data", ...hidden)).toEqual([false, false, false, false]);
    expect(allowed({}, "file-read-metadata", "/Users/a", "/Users/a/.ssh")).toEqual([true, false]);
  });

  test("runs programs of the system, of the workspace and of the tools only", () => {
    const programs = ["/usr/bin/git", "/Users/a/.nvm/v22/bin/node", "/Users/a/work/run.sh", "/Users/a/Downloads/x"];
    expect(allowed({}, "process-exec", ...programs)).toEqual([true, true, true, false]);
  });

  test("has no network, but for the socket of the worker", () => {
    expect(allowed({}, "network-outbound", "/run/bus.sock")).toEqual([false]);
    expect(allowed({}, "network-bind", "/run/bus.sock")).toEqual([false]);
    const view = { sockets: ["/run/bus.sock"] };
    expect(allowed(view, "network-outbound", "/run/bus.sock", "/run/other.sock")).toEqual([true, false]);
  });

  test("takes any name of a path for a name", () => {
    const odd = '/Users/a/w") (allow default) ("\\ \n(';
    const { text, parameters } = seatbeltProfile({ ...VIEW, writable: [odd] });
    expect([text.includes("allow default"), [...parameters.values()].includes(odd)]).toEqual([false, true]);
    expect(allowed({ writable: [odd] }, "file-write-data", `${odd}/a`, "/etc/passwd")).toEqual([true, false]);
  });
});
