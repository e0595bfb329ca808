import type { PartialAnamnesis } from 'dermagate-client';
import { readAnamnesisLabels } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { deskTexts } from '../i18n/texts.ts';
import { readAnamnesis, type Section } from './read-anamnesis.ts';

/** The answers as a doctor reads them: by section, the notable first, the unanswered folded away. */
export function Anamnesis({ anamnesis }: { anamnesis: PartialAnamnesis }) {
  const { anamnesis: words, yes, no } = deskTexts.value;
  const { value: labels } = useRead(['anamnesis-labels'], readAnamnesisLabels, { unchanging: true });
  const sections = readAnamnesis(anamnesis, { language: language.value, labels, words, yes, no });
  const unanswered = sections.flatMap((section) => section.unanswered);
  return (
    <section class="panel" aria-labelledby="anamnesis">
      <h2 id="anamnesis">{words.title}</h2>
      <div class="anamnesis">
        {sections.map(
          (section) => section.findings.length > 0 && <Part key={section.name} section={section} />,
        )}
      </div>
      {unanswered.length > 0 && (
        <details class="unanswered">
          <summary>{fill(words.unanswered, { count: number(unanswered.length) })}</summary>
          <p>{unanswered.map((field) => words.fields[field]).join(' · ')}</p>
        </details>
      )}
    </section>
  );
}

function Part({ section: { name, findings } }: { section: Section }) {
  const { anamnesis: words } = deskTexts.value;
  return (
    <section aria-labelledby={`anamnesis-${name}`}>
      <h3 id={`anamnesis-${name}`}>{words.sections[name]}</h3>
      <dl>
        {findings.map(({ field, values, notable }) => (
          <div key={field} class={notable ? 'notable' : undefined}>
            <dt>
              {words.fields[field]}
              {notable && <span class="visually-hidden"> ({words.abnormal})</span>}
            </dt>
            <dd dir="auto">
              {values.length === 1 ? (
                values[0]
              ) : (
                <ul>
                  {values.map((value) => (
                    <li key={value}>{value}</li>
                  ))}
                </ul>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
