import type { Capability } from 'dermagate-client';
import { EntryField } from '../../staff/entry-field.tsx';
import { CheckField } from '../../staff/field.tsx';
import type { useProblems } from '../../staff/use-problems.ts';
import { LanguageChoice } from '../../staff/language-choice.tsx';
import { officeTexts } from '../i18n/texts.ts';
import type { GroupDraft } from './group-draft.ts';

const everyCapability = Object.keys({
  'case.audit': true,
  'case.assign': true,
  'case.reopen': true,
  'case.cancel': true,
  'triage.lower': true,
  'template.shared': true,
  'import.run': true,
  'analytics.read': true,
  'phi.export': true,
  on_call: true,
} satisfies Record<Capability, true>) as Capability[];

interface GroupFieldsProps {
  draft: GroupDraft;
  change: (change: Partial<GroupDraft>) => void;
  at: ReturnType<typeof useProblems>['at'];
}

/** Name, capabilities in words, pools and languages. */
export function GroupFields({ draft, change, at }: GroupFieldsProps) {
  const { groups } = officeTexts.value;
  const toggle = (capability: Capability, isChosen: boolean) =>
    change({
      capabilities: everyCapability.filter((each) =>
        each === capability ? isChosen : draft.capabilities.includes(each),
      ),
    });
  return (
    <>
      <EntryField
        id="group-name"
        label={groups.name}
        error={at('group-name')}
        maxLength={120}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <fieldset>
        <legend>{groups.capabilities}</legend>
        <p class="small">{groups.capabilitiesHint}</p>
        <div class="capabilities">
          {everyCapability.map((capability) => (
            <CheckField
              key={capability}
              label={groups.capability[capability].name}
              hint={groups.capability[capability].means}
              checked={draft.capabilities.includes(capability)}
              onChange={(isChosen) => toggle(capability, isChosen)}
            />
          ))}
        </div>
      </fieldset>
      <EntryField
        id="group-pools"
        label={groups.pools}
        hint={groups.poolsHint}
        error={at('group-pools')}
        isCode
        value={draft.pools}
        onChange={(pools) => change({ pools })}
      />
      <LanguageChoice
        legend={groups.languages}
        hint={groups.languagesHint}
        chosen={draft.languages}
        onChange={(languages) => change({ languages })}
      />
    </>
  );
}

/** What the gateway may refuse. */
export const groupFields = () => {
  const { groups } = officeTexts.value;
  return {
    '/name': { id: 'group-name', label: groups.name },
    '/settings/pools': { id: 'group-pools', label: groups.pools },
  };
};
