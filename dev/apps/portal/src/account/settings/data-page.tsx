import { Link } from '../../ui/link.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';

/** Requests by a message to the clinic, until this page can do them. */
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
