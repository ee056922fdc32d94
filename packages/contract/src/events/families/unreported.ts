import * as z from "zod";
import { amount } from "../fields.ts";

export const Unreported = z
  .looseObject({
    tokens: amount("Tokens."),
    cost_usd: amount("Dollars, estimated from the tokens."),
    unknown_calls: amount("Model calls that were cut off; their usage is unknown."),
  })
  .describe("What this life of the worker spent and could not report any more, from the files of its agent.");
