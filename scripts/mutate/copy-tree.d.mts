export function copyTree(root: string): { readonly folder: string; readonly copy: string };
