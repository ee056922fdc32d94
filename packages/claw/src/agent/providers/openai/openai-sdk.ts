/** The vendor's SDK: it weighs much, so it is loaded when a model is asked. */
export { OpenAI } from "openai/client";
