export { settleLife } from "./spending/settle-life.ts";
