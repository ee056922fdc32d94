import * as z from "zod";
import { schemaByName } from "./registry.ts";

/** A schema as clients of the wire read it: what is there, without limits and descriptions. */
export type SchemaTree = (
  | { readonly type: "object"; readonly fields: Readonly<Record<string, SchemaTree>> }
  | { readonly type: "string" | "number" | "boolean" | "unknown" }
  | { readonly type: "array"; readonly items: SchemaTree }
  | { readonly type: "enum"; readonly values: readonly unknown[] }
  | { readonly type: "record"; readonly values: SchemaTree }
  | { readonly type: "literal"; readonly value: unknown }
) & { readonly optional?: true; readonly nullable?: true };

type Node = z.core.JSONSchema.BaseSchema;

const UNKNOWN: SchemaTree = { type: "unknown" };

const nodeOf = (value: unknown): Node => (typeof value === "object" && value !== null ? (value as Node) : {});

function objectTree({ properties, required = [] }: Node): SchemaTree {
  const fields = Object.entries(properties ?? {}).map(([name, property]): [string, SchemaTree] => {
    const field = treeOf(nodeOf(property));
    return [name, required.includes(name) ? field : { ...field, optional: true }];
  });
  return { type: "object", fields: Object.fromEntries(fields) };
}

const literalsOf = (tree: SchemaTree): readonly unknown[] | undefined => {
  if (tree.type === "literal") return [tree.value];
  return tree.type === "enum" ? tree.values : undefined;
};

/** One field that stands in two forms of an object. */
function joinFields(left: SchemaTree, right: SchemaTree): SchemaTree {
  const [first, second] = [literalsOf(left), literalsOf(right)];
  if (first === undefined || second === undefined) return left;
  return { type: "enum", values: [...new Set([...first, ...second])] };
}

/** The tree has no alternatives: forms of an object become one with all their fields. */
function joinForms(forms: readonly SchemaTree[]): SchemaTree {
  const [first, ...others] = forms;
  if (first === undefined) return UNKNOWN;
  if (first.type !== "object") return others.length === 0 ? first : UNKNOWN;
  let fields = first.fields;
  for (const form of others) {
    if (form.type !== "object") return UNKNOWN;
    const names = [...new Set([...Object.keys(fields), ...Object.keys(form.fields)])];
    fields = Object.fromEntries(
      names.map((name): [string, SchemaTree] => {
        const [left, right] = [fields[name], form.fields[name]];
        if (left !== undefined && right !== undefined) return [name, joinFields(left, right)];
        return [name, { ...(left ?? right ?? UNKNOWN), optional: true }];
      }),
    );
  }
  return { type: "object", fields };
}

function alternativesTree(alternatives: readonly unknown[]): SchemaTree {
  const nodes = alternatives.map(nodeOf);
  const others = nodes.filter(({ type }) => type !== "null");
  const joined = joinForms(others.map(treeOf));
  return others.length === nodes.length ? joined : { ...joined, nullable: true };
}

/** A node with several types, as one node each. */
function alternativesOf({ type, anyOf, oneOf, ...rest }: Node): readonly unknown[] | undefined {
  const types: unknown = type;
  if (!Array.isArray(types)) return anyOf ?? oneOf;
  return types.map((one: unknown) => (one === "null" ? { type: "null" } : { ...rest, type: one }));
}

function treeOf(node: Node): SchemaTree {
  const { type, additionalProperties, properties } = node;
  const alternatives = alternativesOf(node);
  if (node.const !== undefined) return { type: "literal", value: node.const };
  if (node.enum !== undefined) return { type: "enum", values: node.enum };
  if (alternatives !== undefined) return alternativesTree(alternatives);
  if (type === "array") return { type: "array", items: treeOf(nodeOf(node.items)) };
  if (type === "object" && properties === undefined && node.propertyNames !== undefined) {
    return { type: "record", values: treeOf(nodeOf(additionalProperties)) };
  }
  if (type === "object") return objectTree(node);
  if (type === "integer" || type === "number") return { type: "number" };
  return type === "string" || type === "boolean" ? { type } : UNKNOWN;
}

/** A schema for data by its name; undefined for a name that is not known. */
export function schemaTree(name: string): SchemaTree | undefined {
  const schema = schemaByName(name);
  if (schema === undefined) return undefined;
  return treeOf(nodeOf(z.toJSONSchema(schema, { unrepresentable: "any" })));
}
