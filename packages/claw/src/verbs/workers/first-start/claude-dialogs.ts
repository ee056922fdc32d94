import { join } from "node:path";
import { arrayOf, objectOf } from "claw-contract";
import type { AgentDialog, DialogPlace } from "./agent-dialog.ts";
import { repositoryOf, withParents, readAgentJson, writeAgentFile } from "./agent-dialog.ts";

const AGENT = "Claude Code";
/** Claude Code knows a key by its end. */
const KEY_CHARS = 20;

const fileOf = ({ env }: DialogPlace): string => join(env["CLAUDE_CONFIG_DIR"] ?? env["HOME"] ?? "/", ".claude.json");

const save = (file: string, next: object): void => writeAgentFile(file, `${JSON.stringify(next, null, 2)}\n`);

function trust(place: DialogPlace): AgentDialog {
  const [file, folder] = [fileOf(place), repositoryOf(place.cwd) ?? place.cwd];
  const projects = (): Readonly<Record<string, unknown>> => objectOf(readAgentJson(file)["projects"]);
  return {
    name: "trust-folder",
    agent: AGENT,
    question: `Trust ${folder}`,
    file,
    subject: folder,
    isAnswered: () => {
      const known = projects();
      return withParents(place.cwd).some((each) => objectOf(known[each])["hasTrustDialogAccepted"] === true);
    },
    accept: () => {
      const [all, known] = [readAgentJson(file), projects()];
      const project = { ...objectOf(known[folder]), hasTrustDialogAccepted: true };
      save(file, { ...all, projects: { ...known, [folder]: project } });
    },
  };
}

/** A token, unlike a key, is used without a question. */
function useKey(place: DialogPlace): readonly AgentDialog[] {
  const { ANTHROPIC_API_KEY: key = "", ANTHROPIC_AUTH_TOKEN: token = "" } = place.env;
  if (key === "" || token !== "") return [];
  const [file, subject] = [fileOf(place), key.slice(-KEY_CHARS)];
  const responses = (): Readonly<Record<string, unknown>> => objectOf(readAgentJson(file)["customApiKeyResponses"]);
  return [
    {
      name: "api-key",
      agent: AGENT,
      question: "Use the key in ANTHROPIC_API_KEY",
      file,
      subject,
      isAnswered: () => {
        const { approved, rejected } = responses();
        return [...arrayOf(approved), ...arrayOf(rejected)].includes(subject);
      },
      accept: () => {
        const [all, known] = [readAgentJson(file), responses()];
        const { approved, rejected } = known;
        const answers = { ...known, approved: [...arrayOf(approved), subject], rejected: arrayOf(rejected) };
        save(file, { ...all, customApiKeyResponses: answers });
      },
    },
  ];
}

/** What Claude Code asks at its first start in a folder. */
export const claudeDialogs = (place: DialogPlace): readonly AgentDialog[] => [trust(place), ...useKey(place)];
