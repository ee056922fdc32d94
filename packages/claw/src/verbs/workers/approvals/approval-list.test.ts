import { expect, test } from "vitest";
import type { ListedApproval } from "./approval-list.ts";
import { findApproval } from "./approval-list.ts";

const asked = (id: number): ListedApproval =>
  ({
    approval_id: `ap_${id}`,
    peer_id: "p_1",
    worker: "asker",
    message: "x".repeat(1000),
    status: "open",
  }) as ListedApproval;

test("a name that fits many is answered with some of them, in short", () => {
  const all = Array.from({ length: 100 }, (_, index) => asked(index));
  const message = expect.stringMatching(/^asker fits several: ap_0 \(asker: x{79}…\); .*; 90 more$/) as string;
  expect(() => findApproval(all, "asker")).toThrow(expect.objectContaining({ code: "APPROVAL_NOT_FOUND", message }));
});
