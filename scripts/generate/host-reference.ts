import { documentedFields, HOST_OPERATIONS } from "claw-contract/schemas";
import { NOTICE } from "./markdown-table.ts";
import { fieldTable } from "./wire-reference.ts";

/** Every operation of the terminal host, as a page. */
export function hostReference(): Map<string, string> {
  const sections = Object.entries(HOST_OPERATIONS).map(([name, { summary, request, reply }]) =>
    [
      `## ${name}`,
      "",
      summary,
      "",
      ...fieldTable("Request", documentedFields(request, name)),
      ...fieldTable("Reply", documentedFields(reply, `${name} reply`)),
    ].join("\n"),
  );
  const text = [
    NOTICE,
    "# Operations of the terminal host",
    "",
    'The daemon and `claw attach` send one line of JSON for each operation: `{"id":1,"cmd":"offset","terminalId":"3"}`. The reply is `{"rid":1,"ok":true,"offset":70}`;',
    'a refusal has `ok:false`, `code`, `message` and `target`. `{"id":2,"cmd":"cancel","call":1}` gives up the request with the id 1. Host and clients are of one version.',
    "",
    ...sections,
  ];
  return new Map([["docs/generated/terminal-host.md", text.join("\n")]]);
}
