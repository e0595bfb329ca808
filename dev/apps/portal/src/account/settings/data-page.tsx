import { Link } from '../../ui/link.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';

/** What is asked for by a message until there is a way to do it here. */
export function DataPage() {
  const { contact, data } = accountTexts.value;
  return (
    <AccountPage title={data.title} lead={data.lead}>
      {[data.export, data.erasure, data.secondFactor].map(({ title, text }) => (
        <section key={title} class="part">
          <h2>{title}</h2>
          <p>{text}</p>
        </section>
      ))}
      <p class="after">
        <Link to="/account/contact">{contact.title}</Link>
      </p>
    </AccountPage>
  );
}
