import { ambiguousEdit } from "./ambiguous-edit.ts";
import { configFile } from "./config-file.ts";
import { delegatedSearch } from "./delegated-search.ts";
import { globPattern } from "./glob-pattern.ts";
import { longOutput } from "./long-output.ts";
import { missingExport } from "./missing-export.ts";
import { newFile } from "./new-file.ts";
import { interrupted, oneLine } from "./one-line.ts";
import { rename } from "./rename.ts";
import type { Task } from "./task.ts";
import { todoList } from "./todo-list.ts";
import { twoFiles } from "./two-files.ts";
import { windowsLines } from "./windows-lines.ts";

export const TASKS: readonly Task[] = [
  oneLine,
  twoFiles,
  missingExport,
  windowsLines,
  ambiguousEdit,
  newFile,
  globPattern,
  configFile,
  rename,
  delegatedSearch,
  todoList,
  longOutput,
  interrupted,
];
