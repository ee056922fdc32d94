import { describe, expect, test } from "vitest";
import { splitCommand } from "./split-command.ts";

const words = (line: string): unknown => {
  const split = splitCommand(line);
  return split.kind === "simple" ? split.segments.map((segment) => [segment.after, ...segment.words]) : split.why;
};

describe("a line of plain words", () => {
  test.each([
    ["ls -la src", [[null, "ls", "-la", "src"]]],
    ["grep 'a $b `c` \\ *' x", [[null, "grep", "a $b `c` \\ *", "x"]]],
    ["git diff HEAD~1 HEAD^", [[null, "git", "diff", "HEAD~1", "HEAD^"]]],
    [
      "a && b || c ; d | e",
      [
        [null, "a"],
        ["&&", "b"],
        ["||", "c"],
        [";", "d"],
        ["|", "e"],
      ],
    ],
    [
      "a\n\nb\n",
      [
        [null, "a"],
        [";", "b"],
      ],
    ],
    [
      "a &&\n b;",
      [
        [null, "a"],
        ["&&", "b"],
      ],
    ],
    ["echo \"two  words\"in's one'", [[null, "echo", "two  wordsins one"]]],
    ["echo ''", [[null, "echo", ""]]],
    ["--x=y".padStart(9, "cmd "), [[null, "cmd", "--x=y"]]],
  ])("is split into its commands: %s", (line, expected) => {
    expect(words(line)).toEqual(expected);
  });
});

describe("a line that is more than that", () => {
  test.each([
    "echo $HOME",
    'echo "$HOME"',
    "echo `id`",
    'echo "`id`"',
    "echo $(id)",
    "echo a\\ b",
    'echo "a\\$b"',
    "ls *",
    "ls a?",
    "ls [ab]",
    "echo {a,b}",
    "cat ~/x",
    "cat --file=~/x",
    "cat a:~/x",
    "echo x > y",
    "cat < y",
    "cat <<EOF\nx\nEOF",
    "cat <<<x",
    "sleep 1 &",
    "a & b",
    "a |& b",
    "a ;; b",
    "A=1 b",
    "A+=1 b",
    "'A'=1",
    "(ls)",
    "f() { ls; }",
    "! ls",
    "if true; then ls; fi",
    "for x in a; do ls; done",
    "{ ls; }",
    "time ls",
    "ls # x",
    "ls 'a",
    'ls "a',
    "",
    "   ",
    "&& ls",
    "ls &&",
    "ls |",
    "; ls",
    "ls\r\nid",
    "ls\u00a0-l",
    "ls\u2028id",
    "ls ；id",
    "ｌs",
    "l\u0000s",
    "echo \u001b[0m",
    "'' x",
    "[ -f x ]",
    "[[ -f x ]]",
    "echo hi!",
  ])("is complex: %j", (line) => {
    expect(splitCommand(line).kind).toBe("complex");
  });

  test.each([
    ["ls > x", false],
    ["(ls)", false],
    ["(r*)", true],
    ["echo $x", true],
    ["bash <<< x", true],
    ["ls ；id", true],
  ])("says whether its words can be read in it: %s", (line, opaque) => {
    expect(splitCommand(line)).toMatchObject({ kind: "complex", opaque });
  });

  test.each([
    ["echo $x", "an expansion", true],
    ["echo `x`", "a substitution", true],
    ["echo a\\b", "an escape", true],
    ["echo *", "a pattern", true],
    ["echo a?", "a pattern", true],
    ["echo [a", "a pattern", true],
    ["echo a]", "a pattern", true],
    ["echo {a", "braces", true],
    ["echo a}", "braces", true],
    ["echo ~", "a home folder", true],
    ["echo !x", "a history reference or a negation", true],
    ["cat < x", "a redirection", true],
    ["ls > x", "a redirection", false],
    ["ls & id", "a command in the background", false],
    ["ls |& id", "a character that is not plain", true],
    ["(ls", "a subshell", false],
    ["ls)", "a subshell", false],
    ["ls #x", "a comment", false],
    ["ls \u00e4", "a character that is not plain", true],
    ["ls 'x", "a quote that does not end", true],
    ['ls "$x"', "an expansion", true],
    ["A=1 ls", "an assignment", false],
    ["A=1 ls; ls *", "an assignment", true],
    ["if ls", "a word of the shell's language", false],
    ["'' ls", "an empty command", false],
    ["&& ls", "an empty command", false],
    ["ls \u0008", "a control character", true],
    ["ls \u001f", "a control character", true],
    ["ls \u007f", "a control character", true],
    ["ls > \u0080", "a redirection", true],
  ])("says what more there is in %j", (line, why, opaque) => {
    expect(splitCommand(line)).toEqual({ kind: "complex", why, opaque });
  });

  test.each(["ls\tx", "ls x\n", "ls 'a\tb'", "git diff HEAD~1", 'echo "it\'s"'])("is not seen in %j", (line) => {
    expect(splitCommand(line).kind).toBe("simple");
  });
});
