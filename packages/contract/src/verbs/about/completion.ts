import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";

export const completion = defineVerb({
  name: "completion",
  group: "programs",
  summary: "Print a script that completes commands and flags in your shell.",
  input: z.object({
    shell: z.enum(["bash", "zsh", "fish"]).describe("Shell to complete in.").meta({ positional: 0 }),
  }),
  output: z.object({
    shell: z.enum(["bash", "zsh", "fish"]),
    script: z.string(),
  }),
  errors: [],
  effect: "read",
  anywhere: true,
  examples: [
    { description: "Bash, for this shell", command: 'eval "$(claw completion bash)"' },
    { description: "Fish, permanently", command: "claw completion fish > ~/.config/fish/completions/claw.fish" },
  ],
});
