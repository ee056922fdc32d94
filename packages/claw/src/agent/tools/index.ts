export { checkToolInput } from "./read-tool-input.ts";
export { addTools, createTools, findTool, offerOf } from "./create-tools.ts";
export { createSpill } from "./shell/spill.ts";
export type { TodoList } from "./todo-write.ts";
export { createTodoList } from "./todo-write.ts";
