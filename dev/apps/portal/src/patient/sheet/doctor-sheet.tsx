import type { PartialAnamnesis, RedFlags } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { findRedFlagsIn, readAnamnesisLabels } from '../../gateway/sheet-calls.ts';
import { language, texts } from '../../i18n/language.ts';
import {
  dictionaries,
  directionOf,
  fill,
  type Language,
  languageNames,
  languages,
} from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { union } from '../result/assessment.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Fact, flagLines, initialsOf, sheetFacts } from './sheet-facts.ts';
import '../../styles/sheet.css';

export interface DoctorSheetProps {
  anamnesis: PartialAnamnesis;
  /** Undefined where no name is stated. */
  name: string | undefined;
  ageYears: number | undefined;
  /** Warning signs that earlier checks have found, such as those of the case; in the language of the page. */
  known?: RedFlags | undefined;
  /** The number of the case, if it is one. */
  caseNumber?: number;
  /** When the answers were given. */
  date: Date;
  /** Of what the sheet is made, for the cache. */
  source: string;
  back: string;
}

type Naming = 'full' | 'initials' | 'none';

/** Photos that fit on the page. */
const MAX_PHOTOS = 4;
const photosOf = ({ images = [] }: PartialAnamnesis) =>
  images.slice(0, MAX_PHOTOS).map(({ url = '' }) => url);

/** One page of paper for a doctor, in the language of the page or another one. */
export default function DoctorSheet(props: DoctorSheetProps) {
  const { doctor } = texts.value.folder;
  const [chosen, setChosen] = useState<Language>();
  const [naming, setNaming] = useState<Naming>('full');
  const lang = chosen ?? language.value;
  const labels = useRead(['anamnesis-labels'], readAnamnesisLabels);
  const flags = useRead(['sheet-flags', props.source, lang], (signal) => {
    const { images: _images, ...answers } = props.anamnesis;
    return findRedFlagsIn(lang, answers, signal);
  });
  const flagsBefore = useRef<{ source: string; value: RedFlags }>(undefined);
  if (flags.value !== undefined) flagsBefore.current = { source: props.source, value: flags.value };
  // In another language flags are better than none.
  const before = flagsBefore.current?.source === props.source ? flagsBefore.current.value : undefined;
  const checked = flags.value ?? (flags.failure === undefined ? undefined : before);
  const [settled, settle] = useState<readonly string[]>([]);
  // Paper cannot be corrected: it has the photos, and the warning signs or that they could not be checked.
  const isComplete =
    labels.value !== undefined &&
    (flags.value ?? flags.failure) !== undefined &&
    photosOf(props.anamnesis).every((photo) => settled.includes(photo));
  return (
    <>
      <section class="card sheet-tools">
        <p class="trail">
          <Link to={props.back}>{doctor.back}</Link>
        </p>
        <PageTitle about="sheet">{doctor.title}</PageTitle>
        <p class="lead">{doctor.lead}</p>
        <div class="choices">
          <label>
            {doctor.language}
            <select
              name="sheet-language"
              value={lang}
              onChange={({ currentTarget }) => setChosen(currentTarget.value as Language)}
            >
              {languages.map((code) => (
                <option key={code} value={code} lang={code}>
                  {languageNames[code]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {doctor.name}
            <select
              name="sheet-name"
              value={naming}
              onChange={({ currentTarget }) => setNaming(currentTarget.value as Naming)}
            >
              <option value="full">{doctor.fullName}</option>
              <option value="initials">{doctor.initials}</option>
              <option value="none">{doctor.noName}</option>
            </select>
          </label>
        </div>
        {labels.failure !== undefined && <FailureNotice failure={labels.failure} onRetry={labels.again} />}
        {flags.failure !== undefined && <FailureNotice failure={flags.failure} onRetry={flags.again} />}
        <button type="button" disabled={!isComplete} onClick={() => print()}>
          {doctor.print}
        </button>
      </section>
      {labels.value === undefined ? (
        labels.failure === undefined && <Loading />
      ) : (
        <Sheet
          {...props}
          lang={lang}
          naming={naming}
          labels={labels.value}
          flags={{ ...flags, value: checked }}
          onPhoto={(photo) => settle((before) => [...before, photo])}
        />
      )}
    </>
  );
}

interface SheetProps extends DoctorSheetProps {
  lang: Language;
  naming: Naming;
  labels: Parameters<typeof sheetFacts>[1];
  flags: ReturnType<typeof useRead<RedFlags>>;
  /** One of the photos is on the sheet, or cannot be. */
  onPhoto: (photo: string) => void;
}

function Sheet(props: SheetProps) {
  const { anamnesis, name, ageYears, known, caseNumber, date, lang, naming, labels, flags, onPhoto } = props;
  const { folder, common, review } = dictionaries[lang];
  const { doctor } = folder;
  const facts = sheetFacts(anamnesis, labels, lang);
  const photos = anamnesis.images ?? [];
  const shownName =
    name === undefined || naming === 'none' ? '' : naming === 'full' ? name : initialsOf(name);
  const numbers = new Intl.NumberFormat(lang);
  const about = [
    shownName,
    ageIn(lang, ageYears, anamnesis.patient?.ageMonths),
    ...facts.person.map(({ label, value }) => `${label}: ${value}`),
  ].filter((part) => part !== '');
  // Isolated: a name in another script must not take the number behind it along.
  const isolated = about.map((part) => `\u2068${part}\u2069`);
  return (
    <article class="sheet" lang={lang} dir={directionOf(lang)}>
      <header>
        <h2>{doctor.title}</h2>
        <p>
          {caseNumber !== undefined && <>{fill(doctor.case, { number: String(caseNumber) })} · </>}
          {fill(doctor.date, { date: new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format(date) })}
        </p>
      </header>
      <p class="about">
        <strong>{doctor.patient}:</strong> {isolated.join(' · ')}
      </p>
      <section class="flags-box">
        <h3>{doctor.flags}</h3>
        <FlagLines flags={flags} known={known} lang={lang} />
      </section>
      <div class="columns">
        <FactList title={doctor.complaint} facts={facts.complaint} empty={review.unanswered} />
        <div>
          <FactList title={doctor.history} facts={facts.history} empty={review.unanswered} />
          <section>
            <h3>{doctor.medicines}</h3>
            {facts.medicines.length === 0 ? (
              <p>{review.unanswered}</p>
            ) : (
              <ul>
                {facts.medicines.map((medicine) => (
                  <li key={medicine}>{medicine}</li>
                ))}
              </ul>
            )}
          </section>
          {photos.length > 0 && (
            <section>
              <h3>
                {doctor.photos} ({numbers.format(photos.length)})
              </h3>
              <div class="sheet-photos">
                {photosOf(anamnesis).map((photo) => (
                  <StoredPhoto
                    key={photo}
                    path={photo}
                    alt={doctor.photos}
                    onSettled={() => onPhoto(photo)}
                  />
                ))}
              </div>
            </section>
          )}
        </div>
      </div>
      <footer>
        {doctor.reported} {common.disclaimer}
      </footer>
    </article>
  );
}

/** In months where these are known, as they are of infants: in years the youngest would all be 0. */
function ageIn(lang: Language, years: number | undefined, months: number | undefined): string {
  const [age, unit] = months === undefined ? [years, 'year'] : [months, 'month'];
  if (age === undefined) return '';
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(age);
}

function FlagLines({ flags: { value, failure }, known, lang }: Pick<SheetProps, 'flags' | 'known' | 'lang'>) {
  const { doctor } = dictionaries[lang].folder;
  if (value === undefined && failure === undefined) return <p>…</p>;
  const found = [known, value].filter((each) => each?.hasRedFlags === true).reduce(unionOfKnown, undefined);
  return (
    <>
      {value === undefined && <p>{doctor.flagsMissing}</p>}
      {value !== undefined && found === undefined && <p>{doctor.noFlags}</p>}
      {found !== undefined && (
        <ul>
          {flagLines(found, lang).map(({ urgency, text }) => (
            <li key={text}>
              {urgency !== undefined && <strong>{urgency}:</strong>} {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const unionOfKnown = (a: RedFlags | undefined, b: RedFlags | undefined): RedFlags | undefined =>
  a === undefined || b === undefined ? (a ?? b) : union(a, b);

function FactList({ title, facts, empty }: { title: string; facts: readonly Fact[]; empty: string }) {
  return (
    <section>
      <h3>{title}</h3>
      {facts.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <dl>
          {facts.map(({ field, label, value }) => (
            <div key={field}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
