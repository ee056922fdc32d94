import { dirname } from "node:path";
import { LIMITS, firstChars } from "claw-contract";
import * as z from "zod";
import type { Skill } from "../skills/find-skills.ts";
import { readSkill } from "../skills/read-skill.ts";
import type { AnyTool, ToolOutput } from "./tool.ts";
import { defineTool } from "./tool.ts";

const Input = z.object({
  skill: z.string().describe("Name of the skill."),
  args: z.string().optional().describe("What it is to be done with."),
});

type Input = z.infer<typeof Input>;

const errorOutput = (output: string): ToolOutput => ({ output, isError: true });

/** A name as people write it: with a slash or a dollar before it, in any case. */
const skillKey = (name: string): string => name.trim().replace(/^[/$]/, "").toLowerCase();

function bounded(body: string): string {
  const rest = body.length - LIMITS.skillChars;
  const where = `[${rest} more characters are left out; read the file for the rest]`;
  return rest <= 0 ? body : `${firstChars(body, LIMITS.skillChars)}\n${where}`;
}

async function load(skill: Skill, args: string | undefined): Promise<ToolOutput> {
  const { name, path } = skill;
  // Links may have changed since the skill was found.
  const reading = await readSkill(skill);
  if (reading === null) return errorOutput(`The skill ${name} is gone: there is no ${path}.`);
  if ("problem" in reading) return errorOutput(`The skill ${name} cannot be used: ${path}: ${reading.problem}.`);
  const head = [`Skill: ${name}`, `File: ${path}`, `Folder its own files are in: ${dirname(path)}`];
  const given = args === undefined || args.trim() === "" ? [] : [`Arguments: ${args}`];
  return { output: [...head, ...given, "", bounded(reading.body)].join("\n"), isError: false };
}

/** The tool with which a model gets the instructions of a skill. */
export function createSkillTool(skills: readonly Skill[]): AnyTool {
  const byKey = new Map(skills.map((skill) => [skillKey(skill.name), skill]));
  const names = skills.map(({ name }) => name).join(", ");
  return defineTool<Input>({
    name: "skill",
    aliases: ["Skill", "SkillTool"],
    responsibility: "Gets the instructions of a skill.",
    description:
      "Gets the instructions of a skill, to be followed in the work at hand. Skills are listed in the system prompt.",
    sourceHint: "docs/agent/tools.md#skill",
    input: Input,
    mainField: "skill",
    readOnly: true,
    need: () => ({ kind: "nothing" }),
    subject: ({ skill }) => skill,
    run: async ({ skill, args }, _call, signal) => {
      signal.throwIfAborted();
      const found = byKey.get(skillKey(skill));
      if (found !== undefined) return load(found, args);
      const known = skills.length === 0 ? "There are no skills here." : `There are: ${names}.`;
      return errorOutput(`There is no skill ${firstChars(skill, 100)}. ${known}`);
    },
  });
}
