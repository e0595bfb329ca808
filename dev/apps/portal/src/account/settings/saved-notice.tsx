import { CheckIcon } from '../../ui/icons.tsx';

/** That something has been done, read out when it appears. */
export function SavedNotice({ children }: { children: string }) {
  return (
    <div class="notice success" role="status">
      <CheckIcon />
      <p>{children}</p>
    </div>
  );
}
