import { expect, test } from "vitest";
import * as z from "zod";
import { uuid } from "./platform.ts";

test("ids are random UUIDs", () => {
  const ids = Array.from({ length: 1000 }, uuid);
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true);
});
