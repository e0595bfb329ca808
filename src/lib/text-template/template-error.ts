/** One thing that a template cannot be accepted for; line and column count from 1. */
export interface TemplateFault {
  line: number;
  column: number;
  message: string;
}

/** Thrown for a template that cannot be read, names what does not exist, or makes more than it may. */
export class TemplateError extends Error {
  readonly kind: 'invalid' | 'unknown_name';
  readonly faults: readonly TemplateFault[];

  constructor(kind: TemplateError['kind'], faults: readonly TemplateFault[], cause?: unknown) {
    super(faults.map(({ message }) => message).join(' '), { cause });
    this.name = 'TemplateError';
    this.kind = kind;
    this.faults = faults;
  }
}
