import type { Offer } from "./completion-words.ts";
import { families, firstWords, offersByVerb, SOURCES, valueFlags, valueOffers } from "./completion-words.ts";
import { fishScript } from "./fish-script.ts";

export type ShellName = "bash" | "zsh" | "fish";

/** The part both shells share. Finds the verb on the line: its first word, or two words of a family. Skips flags and their values. */
const findVerb = (words: string): string => `  local word verb="" skip=""
  for word in ${words}; do
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      ${valueFlags().join("|")}) skip=1 ;;
      -*) ;;
      *) verb="\${verb:+$verb }$word"
        case "$verb" in ${families().join("|")}) ;; *) break ;; esac ;;
    esac
  done`;

/** The words of an offer for a shell script. Names of workers and sessions are looked up when the shell needs them. */
const shellWords = ({ words, sources }: Offer): string =>
  [...words, ...sources.map((source) => `$(_claw_${source})`)].join(" ");

const functions = (): string =>
  Object.entries(SOURCES)
    .map(([name, command]) => `_claw_${name}() { ${command}; }`)
    .join("\n");

/** Patterns of `VERB FLAG`, usually a single pattern. */
const valuePattern = (verb: string, flags: readonly string[]): string =>
  flags.map((flag) => (verb === "*" ? `*" ${flag}"` : `"${verb} ${flag}"`)).join("|");

/** Cases that complete the value of the flag before the cursor; no completion where the value is free text. */
const valueCases = (complete: (offer: string) => string): string[] => [
  ...valueOffers().map(
    ({ verb, flags, offer }) => `    ${valuePattern(verb, flags)}) ${complete(shellWords(offer))} ;;`,
  ),
  `    ${valueFlags()
    .map((flag) => `*" ${flag}"`)
    .join("|")}) ${complete("")} ;;`,
];

function bashScript(): string {
  const reply = (words: string): string => `words="${words}"`;
  return `${functions()}
_claw() {
  local words prev="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "$current" == "=" ]]; then current=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${findVerb('"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$verb $prev" in
${valueCases(reply).join("\n")}
    *)
      case "$verb" in
${offersByVerb()
  .map(([verb, offer]) => `        "${verb}") ${reply(shellWords(offer))} ;;`)
  .join("\n")}
        *) ${reply(firstWords().join(" "))} ;;
      esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _claw claw
`;
}

function zshScript(): string {
  const add = (words: string): string => (words === "" ? "_files" : `compadd -- ${words}`);
  return `#compdef claw
${functions()}
_claw() {
  local prev="\${words[CURRENT-1]}"
${findVerb('"${(@)words[2,CURRENT-1]}"')}
  case "$verb $prev" in
${valueCases(add).join("\n")}
    *)
      case "$verb" in
${offersByVerb()
  .map(([verb, offer]) => `        "${verb}") ${add(shellWords(offer))}; _files ;;`)
  .join("\n")}
        *) ${add(firstWords().join(" "))} ;;
      esac ;;
  esac
}
compdef _claw claw
`;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The script that completes commands of claw in a shell. */
export const completionScript = (shell: ShellName): string => SCRIPTS[shell]();
