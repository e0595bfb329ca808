import { z } from 'zod';
import { Anamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';

/** Where an answer is: `['locations', 0, 'side']`. */
export type AnswerPath = readonly (string | number)[];

/** Every optional answer of a complete anamnesis, and the whole list of medicines. */
export function optionalAnswers(anamnesis: object): AnswerPath[] {
  // Caller and language are not answers.
  const { schemaVersion: _version, language: _language, ...answers } = anamnesis as Record<string, unknown>;
  return [...wholeLists(answers), ...optionalLeaves(Anamnesis, answers, [])];
}

/** Every answer, required or not, and the whole list of medicines. */
export function answersOf(anamnesis: object): AnswerPath[] {
  return [...wholeLists(anamnesis), ...leavesOf(anamnesis, [])];
}

/** "No medicines" is an answer too. */
const wholeLists = (answers: object): AnswerPath[] => ('medications' in answers ? [['medications']] : []);

function leavesOf(value: unknown, path: AnswerPath): AnswerPath[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  }
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** A copy without one answer. Sections and items stay, even empty ones. */
export function withoutAnswer<Value>(value: Value, [key, ...further]: AnswerPath): Value {
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? withoutAnswer(item, further) : item)) as Value;
  }
  const entries = Object.entries(value);
  return Object.fromEntries(
    further.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, inner]) => [name, name === key ? withoutAnswer(inner, further) : inner]),
  ) as Value;
}

/** `locations[0].side`. */
export function fieldNameOf(path: AnswerPath): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`),
    '',
  );
}

/** `locations[].side`, as rules and `mayDependOn` name it. */
export const fieldOf = (fieldName: string): string => fieldName.replaceAll(/\[\d+\]/g, '[]');

function optionalLeaves(schema: z.ZodType, value: unknown, path: AnswerPath): AnswerPath[] {
  const { type, isOptional } = unwrapped(schema);
  if (type instanceof z.ZodObject && isObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const member = (type.shape as Record<string, z.ZodType>)[name];
      return member === undefined ? [] : optionalLeaves(member, inner, [...path, name]);
    });
  }
  if (
    type instanceof z.ZodArray &&
    Array.isArray(value) &&
    unwrapped(itemOf(type)).type instanceof z.ZodObject
  ) {
    return value.flatMap((item, index) => optionalLeaves(itemOf(type), item, [...path, index]));
  }
  return isOptional ? [path] : [];
}

const itemOf = (type: z.ZodArray): z.ZodType => type.element as z.ZodType;

function unwrapped(schema: z.ZodType): { type: z.ZodType; isOptional: boolean } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return { type: schema.unwrap() as z.ZodType, isOptional: true };
  }
  return { type: schema, isOptional: false };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
