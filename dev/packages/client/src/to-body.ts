/** JSON, or a form where the body contains files. In a form every value except texts and files is sent as JSON. */
export function toBody(body: unknown): string | FormData {
  if (body instanceof FormData) return body;
  const parts = Object.entries(body as object).flatMap(([name, value]): [string, unknown][] =>
    isFiles(value) ? value.map((file) => [name, file]) : [[name, value]],
  );
  if (!parts.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of parts) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined)
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

const isFiles = (value: unknown): value is Blob[] =>
  Array.isArray(value) && value.every((item) => item instanceof Blob);
