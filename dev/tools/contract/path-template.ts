interface Templated {
  /** As in OpenAPI: `/images/{path}`. */
  template: string;
  /** Whether the last parameter takes slashes as well. */
  takesRest: boolean;
}

/** Whether an operation's path parameter takes the rest of a path; OpenAPI itself has no word for it. */
export function takesRest(operation: Readonly<Record<string, unknown>>): boolean {
  const parameters = (operation['parameters'] ?? []) as Record<string, unknown>[];
  return parameters.some((parameter) => parameter['x-ms-skip-url-encoding'] === true);
}

/** Whether a path is one of a template's. A segment of the path may still be a variable. */
export function fits({ template, takesRest: rest }: Templated, path: string): boolean {
  const [wanted, steps] = [template.split('/'), path.split('/')];
  return (
    (rest ? steps.length >= wanted.length : steps.length === wanted.length) &&
    wanted.every((step, at) => step.startsWith('{') || step === steps[at])
  );
}
