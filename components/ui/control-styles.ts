/** The styles of input, textarea and select. */
export const controlStyles =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface-1 text-base text-strong transition-colors disabled:cursor-not-allowed disabled:bg-surface-2 disabled:text-muted aria-invalid:border-error focus-visible:outline-2 focus-visible:outline-link focus-visible:-outline-offset-1'

/** The styles of fields for typing. At 16 px, phones do not zoom in. */
export const typedStyles = 'pointer-coarse:text-lg'

/** The styles of a button that is the current one of a few choices. */
export const chosenStyles =
  'border-link bg-running-soft text-running enabled:hover:bg-running-soft [a&]:hover:bg-running-soft'

/** The styles of an input for a file, whose button looks like a button. */
export const fileStyles =
  'h-auto py-1 pl-1 file:mr-3 file:h-6 file:rounded-sm file:border file:bg-surface-2 file:px-2 file:text-sm pointer-coarse:h-auto'
