import type { ServicePlan } from "./service-plan.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const text = (value: string): string =>
  `<string>${value.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char)}</string>`;

const entry = (key: string, value: string): string => `\t<key>${key}</key>\n\t${value}`;

const dictionary = (values: Readonly<Record<string, string>>): string => {
  const rows = Object.entries(values).map(([key, value]) => `\t\t<key>${key}</key>\n\t\t${text(value)}\n`);
  return `<dict>\n${rows.join("")}\t</dict>`;
};

/** The text of a property list of launchd. The daemon is kept while it fails; its workers are left alone at its end. */
export const launchdPlist = ({ name, workspace, argv, env }: ServicePlan): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    entry("Label", text(name)),
    entry("ProgramArguments", `<array>\n${argv.map((word) => `\t\t${text(word)}\n`).join("")}\t</array>`),
    entry("WorkingDirectory", text(workspace)),
    entry("EnvironmentVariables", dictionary(env)),
    entry("RunAtLoad", "<true/>"),
    entry("KeepAlive", "<dict>\n\t\t<key>SuccessfulExit</key>\n\t\t<false/>\n\t</dict>"),
    entry("AbandonProcessGroup", "<true/>"),
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
