import { staffTexts } from '../../staff/i18n/texts.ts';
import { Link } from '../../ui/link.tsx';

/** The groups of an account, each a way to its page. */
export function GroupLinks({ groups }: { groups: readonly { uuid: string; name: string }[] }) {
  if (groups.length === 0) return staffTexts.value.none;
  return (
    <ul class="inline-list">
      {groups.map(({ uuid, name }) => (
        <li key={uuid}>
          <Link to={`/groups/${uuid}`}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
