import { join } from "node:path";
import { expect, test } from "vitest";
import { hostSocket } from "./start-host.ts";

const DEEP = join("/", "deep".repeat(30));

test("a host listens in its folder, or beside the daemon's socket where that path would be too long", () => {
  expect(hostSocket("/w/.claws", "/w/.claws/claws.sock")).toBe("/w/.claws/terminals.sock");
  expect(hostSocket(DEEP, "/run/c.sock")).toBe("/run/c.sock.terminals");
});

test("a host that no path is short enough for says which setting helps", () => {
  expect(() => hostSocket(DEEP, join(DEEP, "claws.sock"))).toThrow(
    expect.objectContaining({
      code: "TERMINAL_HOST_FAILED",
      message: expect.stringContaining("--socket") as string,
    }) as Error,
  );
});
