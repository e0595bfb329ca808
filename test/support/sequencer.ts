import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the files of one project after the other, so that a worker process is used again by the next file: first those
 * that start browsers and apps, last the many short ones, which leave no worker without work.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which sorts no array in place
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'unit') return 2;
  return moduleId.includes('/test/browser/') ? 0 : 1;
}
