import { texts } from '../i18n/language.ts';
import { Link } from './link.tsx';
import { PageTitle } from './page-title.tsx';

/** A page with a sentence and a link back. */
export function LinkPage({ title, text }: { title: string; text?: string }) {
  return (
    <section class="card narrow">
      <PageTitle about={title}>{title}</PageTitle>
      {text !== undefined && <p>{text}</p>}
      <p class="after">
        <Link to="/">{texts.value.common.toStart}</Link>
      </p>
    </section>
  );
}
