import { Settings } from "@claw/contract/schemas";

export interface SettingsRules {
  /** Top-level keys that may stand in a file. */
  readonly known: readonly string[];
  /** Those of them that are settings. */
  readonly sections: readonly string[];
  /** What is wrong with the values of a file; undefined when they can be used. Names no value. */
  readonly problemOf: (values: object) => string | undefined;
}

export function settingsRules(): SettingsRules {
  const known = Object.keys(Settings.shape);
  return {
    known,
    sections: known.filter((key) => !key.startsWith("$")),
    problemOf: (values) => {
      const issue = Settings.safeParse(values).error?.issues[0];
      return issue === undefined ? undefined : `'${issue.path.join(".")}': ${issue.message}`;
    },
  };
}
