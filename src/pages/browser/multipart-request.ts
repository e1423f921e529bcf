export interface DocumentedOperation {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** The form of the GraphQL multipart request specification. */
export function multipartRequest(operation: DocumentedOperation, files: ReadonlyMap<string, File>): FormData {
  const variables = structuredClone(operation.variables ?? {});
  for (const path of files.keys()) setNull(variables, path.split('.'));
  const entries = [...files].map(([path, file], index) => ({ part: String(index), path, file }));
  const form = new FormData();
  form.append('operations', JSON.stringify({ ...operation, variables }));
  form.append(
    'map',
    JSON.stringify(Object.fromEntries(entries.map(({ part, path }) => [part, [`variables.${path}`]]))),
  );
  for (const { part, file } of entries) form.append(part, file);
  return form;
}

function setNull(target: Record<string, unknown>, [key = '', ...rest]: string[]): void {
  if (rest.length === 0) {
    target[key] = null;
    return;
  }
  const inner = target[key];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[key] = next;
  setNull(next, rest);
}
