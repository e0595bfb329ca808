import type { ComponentChildren } from 'preact';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { accountTexts } from '../i18n/texts.ts';

interface AccountPageProps {
  title: string;
  lead?: string;
  children: ComponentChildren;
  /** Where the page belongs; the overview by default. */
  parent?: { to: string; label: string };
}

/** A page below the overview of the account. */
export function AccountPage({ title, lead, children, parent }: AccountPageProps) {
  const { to, label } = parent ?? { to: '/account', label: accountTexts.value.title };
  return (
    <section class="card account">
      <p class="trail">
        <Link to={to}>{label}</Link>
      </p>
      <PageTitle about={title}>{title}</PageTitle>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
