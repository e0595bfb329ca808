import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FileChoiceProps {
  /** Opens the camera app of a phone instead of its gallery. */
  camera?: boolean;
  onPhoto: (file: Blob) => void;
  children: ComponentChildren;
}

/** A file input that looks like a button. */
export function FileChoice({ camera = false, onPhoto, children }: FileChoiceProps) {
  const id = useId();
  return (
    <span class="file-choice">
      <input
        id={id}
        type="file"
        class="visually-hidden"
        // With this list, unlike `image/*`, an iPhone converts its HEIC photos to JPEG.
        accept="image/jpeg,image/png"
        {...(camera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = ''; // the same file can be chosen again
          if (file !== undefined) onPhoto(file);
        }}
      />
      <label for={id} class="button outline">
        {children}
      </label>
    </span>
  );
}
