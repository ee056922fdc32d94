import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

const ChangedFile = z.object({ path: z.string(), effect: MutationEffect });

export const completion = defineVerb({
  name: "completion",
  group: "programs",
  summary: "Print a script that completes commands and flags in your shell, or install it.",
  input: z.object({
    shell: z.enum(["bash", "zsh", "fish"]).describe("Shell to complete in.").meta({ positional: 0 }),
    install: z
      .boolean()
      .default(false)
      .describe(
        "Write the script where the shell finds it at every start; for bash and zsh, add a block to .bashrc or .zshrc.",
      ),
    uninstall: z.boolean().default(false).describe("Remove what --install wrote, and nothing else."),
  }),
  output: z.object({
    shell: z.enum(["bash", "zsh", "fish"]),
    script: z.string(),
    files: z.array(ChangedFile).describe("Files that were written or removed; empty when the script is only printed."),
    next: z.string().nullable().describe("Command that completes claw in a shell that runs already."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [],
  effect: "write",
  examples: [
    { description: "Bash, for this shell", command: 'eval "$(claw completion bash)"' },
    { description: "Zsh, permanently", command: "claw completion zsh --install" },
  ],
});
