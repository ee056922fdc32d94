/** The part of the vendor's SDK that is needed: it weighs much, so it is loaded when a model is asked. */
export { BaseAnthropic } from "@anthropic-ai/sdk/client";
export { Messages } from "@anthropic-ai/sdk/resources/messages/messages";
