import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseBicep } from './parse-bicep.ts';
import { readBicep, type Template } from './read-bicep.ts';

/**
 * Checks names where no compiler is installed: references, parameters and outputs across the modules of `folder`. It does not
 * check types or properties of resources.
 * @returns one line for each problem.
 */
export function lintBicep(folder: string): string[] {
  const files = globSync('**/*.bicep', { cwd: folder }).map((file) => join(folder, file));
  const syntax = [...files, ...parameterFiles(folder)].flatMap((file) => parseBicep(file).errors);
  if (syntax.length > 0) return syntax;
  const templates = new Map(files.map((file) => [file, readBicep(file)]));
  return [...templates.values()].flatMap((template) => [
    ...undeclared(template),
    ...unused(template),
    ...undescribed(template),
    ...wrongModules(template, templates),
    ...missingFiles(template),
  ]);
}

export const parameterFiles = (folder: string): string[] =>
  globSync('**/*.bicepparam', { cwd: folder }).map((file) => join(folder, file));

const undeclared = ({ file, references, declared }: Template): string[] =>
  references
    .filter(({ name }) => !declared.has(name))
    .map(({ name, line }) => `${file}:${line}: ${name} is not declared`);

function unused({ file, parameters, variables, references }: Template): string[] {
  const used = new Set(references.map(({ name }) => name));
  return [...parameters.map(({ name }) => name), ...variables.keys()]
    .filter((name) => !used.has(name))
    .map((name) => `${file}: ${name} is not used`);
}

const undescribed = ({ file, parameters, outputs }: Template): string[] =>
  [...parameters, ...outputs]
    .filter(({ description }) => description === undefined || description === '')
    .map(({ name }) => `${file}: ${name} has no description`);

function* wrongModules(template: Template, templates: Map<string, Template>): Generator<string> {
  const { file, modules, outputReferences } = template;
  for (const { symbol, file: target, params } of modules) {
    const module = templates.get(target);
    if (module === undefined) {
      yield `${file}: ${symbol} names a file that is not there: ${target}`;
      continue;
    }
    const known = new Set(module.parameters.map(({ name }) => name));
    for (const name of Object.keys(params)) {
      if (!known.has(name)) yield `${file}: ${symbol} has no parameter ${name}`;
    }
    for (const { name, hasDefault } of module.parameters) {
      if (!hasDefault && !(name in params)) yield `${file}: ${symbol} is not given ${name}`;
    }
    const read = new Set(
      outputReferences.filter((reference) => reference.module === symbol).map(({ output }) => output),
    );
    for (const name of read) {
      if (!module.outputs.some((output) => output.name === name))
        yield `${file}: ${symbol} has no output ${name}`;
    }
  }
}

const missingFiles = ({ file }: Template): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/load\w+Content\('([^']+)'\)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(dirname(file), path)))
    .map((path) => `${file}: ${path} is not there`);
