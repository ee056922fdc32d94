import * as z from "zod";
import { loose, WireId } from "../../define-request.ts";

/** The fields that name a terminal. */
export const TERMINAL_REF = {
  terminalId: loose(z.union([z.string(), z.int()]).nullable(), "").describe("The terminal."),
  id: loose(WireId).describe("Id of the request. Names the terminal too when `terminalId` is absent or null."),
};
