import { markBegin } from "./marks.ts";

/** As bash and zsh read it between $' and '. */
const quoted = (nonce: string): string => markBegin(nonce).replace("\u001b", String.raw`\e`);

const LOGIN = String.raw`[ -r /etc/profile ] && . /etc/profile
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi`;

const INTERACTIVE = "[ -r ~/.bashrc ] && . ~/.bashrc";

/** What bash reads at its start: the user's own files, then what tells of commands. */
export const bashStart = (nonce: string, login: boolean): string => String.raw`${login ? LOGIN : INTERACTIVE}
__claw_mark=$'${quoted(nonce)}'
__claw_end='\['$__claw_mark$'B\a''\]'
__claw_line() {
  local text
  text=$(HISTTIMEFORMAT= builtin history 1)
  text=${"${text#*[0-9]  }"}
  text=${"${text//\\\\/\\\\\\\\}"}
  text=${"${text//$'\\n'/\\\\n}"}
  builtin printf '%sC;%s\a' "$__claw_mark" "${"${text//[[:cntrl:]]/}"}"
}
__claw_done() {
  local code=$?
  builtin printf '%sD;%s\a' "$__claw_mark" "$code"
  return "$code"
}
__claw_prompt() {
  case $PS1 in *"$__claw_end"*) ;; *) PS1=$PS1$__claw_end ;; esac
}
PS0=${"${PS0-}"}'$(__claw_line)'
if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == "declare -a"* ]]; then
  PROMPT_COMMAND=(__claw_done "${"${PROMPT_COMMAND[@]}"}" __claw_prompt)
else
  PROMPT_COMMAND="__claw_done${"${PROMPT_COMMAND:+"}
$PROMPT_COMMAND${"}"}
__claw_prompt"
fi
`;

/** zsh looks for its files in one folder: first in ours, which hands on to the user's. */
export const zshEnvironment = (own: string, ours: string): string => `
ZDOTDIR=${own === "" ? "$HOME" : own}
[[ -r $ZDOTDIR/.zshenv ]] && . $ZDOTDIR/.zshenv
__claw_folder=$ZDOTDIR
ZDOTDIR=${ours}
`;

export const zshProfile = (ours: string): string => `
ZDOTDIR=$__claw_folder
[[ -r $ZDOTDIR/.zprofile ]] && . $ZDOTDIR/.zprofile
__claw_folder=$ZDOTDIR
ZDOTDIR=${ours}
`;

export const zshStart = (nonce: string, own: string): string => String.raw`
ZDOTDIR=$__claw_folder
[[ -r $ZDOTDIR/.zshrc ]] && . $ZDOTDIR/.zshrc
${own === "" ? "[[ $ZDOTDIR == $HOME ]] && unset ZDOTDIR" : ""}
unset __claw_folder
__claw_mark=$'${quoted(nonce)}'
__claw_end=$'%{'$__claw_mark$'B\a%}'
__claw_preexec() {
  local text=${"${1//\\\\/\\\\\\\\}"}
  text=${"${text//$'\\n'/\\\\n}"}
  builtin printf '%sC;%s\a' "$__claw_mark" "${"${text//[[:cntrl:]]/}"}"
}
__claw_done() {
  local code=$?
  builtin printf '%sD;%s\a' "$__claw_mark" "$code"
  return "$code"
}
__claw_prompt() {
  [[ $PS1 == *"$__claw_end"* ]] || PS1=$PS1$__claw_end
}
precmd_functions=(__claw_done $precmd_functions __claw_prompt)
preexec_functions+=(__claw_preexec)
`;
