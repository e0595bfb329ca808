import type { ComponentChildren } from 'preact';

/** Icons repeat the words beside them, so screen readers skip them. */
function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const WarningIcon = () => (
  <Icon>
    <path d="M12 3 22 21H2Z" />
    <path d="M12 10v5m0 2.5v.5" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9.5" />
    <path d="m7.5 12.5 3 3 6-7" />
  </Icon>
);

export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9.5" />
    <path d="M12 11v6m0-9.5v.5" />
  </Icon>
);

export const CameraIcon = () => (
  <Icon>
    <path d="M3 8h4l2-3h6l2 3h4v11H3Z" />
    <circle cx="12" cy="13" r="3.5" />
  </Icon>
);

export const PictureIcon = () => (
  <Icon>
    <path d="M3 5h18v14H3Z" />
    <path d="m3 16 5-5 4 4 3-3 6 6" />
    <circle cx="15.5" cy="9" r="1.2" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9.5" />
    <path d="M12 6v6l4 2.5" />
  </Icon>
);

export const SunIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="4.5" />
    <path d="M12 2v2.5m0 15V22M2 12h2.5m15 0H22M5 5l1.7 1.7m10.6 10.6L19 19m0-14-1.7 1.7M6.7 17.3 5 19" />
  </Icon>
);

export const PhoneIcon = () => (
  <Icon>
    <path d="M6 3h3l2 5-2.5 2a12 12 0 0 0 5.5 5.5L16 13l5 2v3a3 3 0 0 1-3 3C10 21 3 14 3 6a3 3 0 0 1 3-3Z" />
  </Icon>
);

export const UpIcon = () => (
  <Icon>
    <path d="M12 20V4m-6 6 6-6 6 6" />
  </Icon>
);

export const DownIcon = () => (
  <Icon>
    <path d="M12 4v16m-6-6 6 6 6-6" />
  </Icon>
);

export const LeftIcon = () => (
  <Icon>
    <path d="M20 12H4m6-6-6 6 6 6" />
  </Icon>
);

export const RightIcon = () => (
  <Icon>
    <path d="M4 12h16m-6-6 6 6-6 6" />
  </Icon>
);

export const RotateIcon = () => (
  <Icon>
    <path d="M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5" />
  </Icon>
);

export const LogoIcon = () => (
  <svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="16" />
    <path d="M16 8.5v15M8.5 16h15" />
  </svg>
);
