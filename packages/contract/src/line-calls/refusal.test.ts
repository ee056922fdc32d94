import { expect, test } from "vitest";
import { ClawError } from "../errors/claw-error.ts";
import { errorOfRefusal, refusalFields } from "./refusal.ts";

test("an error crosses the wire with its code; an error outside the catalogue gets the given code", () => {
  const busy = new ClawError("TERMINAL_BUSY", "it does not read", { operation: "write", target: "1" });
  const refusal = refusalFields(busy, "TERMINAL_HOST_FAILED");
  expect(refusal).toEqual({ code: "TERMINAL_BUSY", message: "it does not read", target: "1" });
  expect(errorOfRefusal(refusal, "type", "TERMINAL_HOST_FAILED")).toMatchObject({
    code: "TERMINAL_BUSY",
    message: "it does not read",
    operation: "type",
    target: "1",
  });
  const odd = refusalFields(new Error("odd"), "TERMINAL_HOST_FAILED");
  expect(odd).toEqual({ code: "TERMINAL_HOST_FAILED", message: "Error: odd", target: "" });
  const newer = { code: "OF_A_NEWER_HOST", message: 3 };
  expect(errorOfRefusal(newer, "type", "TERMINAL_HOST_FAILED")).toMatchObject({
    code: "TERMINAL_HOST_FAILED",
    message: "",
    target: "",
  });
});
